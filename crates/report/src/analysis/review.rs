//! The last look before a page is printed: topics must not contradict each other.

use super::page::Topic;
use crate::theory::{Answer, Contradiction, Gap, Named, Settled, contradictions};

/// The topics, those that contradict each other or themselves as undecided.
pub fn reviewed(topics: Vec<Topic>) -> Vec<Topic> {
    let settled: Vec<Settled> = topics.iter().flat_map(|t| t.settled.clone()).collect();
    let found = contradictions(&settled);
    let judged = |topic: Topic| match found.iter().find(|c| c.topics().contains(&topic.name)) {
        Some(contradiction) => withdrawn(&topic, contradiction),
        None => topic,
    };
    topics.into_iter().map(judged).collect()
}

/// Nothing of what such a topic says can be relied upon.
fn withdrawn(topic: &Topic, contradiction: &Contradiction) -> Topic {
    let why = Gap::Contradiction.with("contradiction", contradiction.to_string());
    let statement = topic.finding.statement.clone();
    Topic::new(topic.name, statement, Answer::undecided(why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::{Fact, Theorem};

    fn topic(name: &'static str, settled: &[Settled]) -> Topic {
        let mut topic = Topic::new(name, "it is so", Answer::proven(Theorem::NoConstraints));
        topic.settled = settled.to_vec();
        topic.line("a line that relies on it")
    }

    #[test]
    fn topics_that_contradict_each_other_are_withdrawn() {
        let all = reviewed(vec![
            topic("distribution", &[(Fact::Integrable, true)]),
            topic("jacobi", &[(Fact::Poisson, false)]),
            topic("measure", &[(Fact::Measure, true)]),
        ]);
        for t in &all[..2] {
            assert_eq!(t.finding.answer.decided(), None);
            assert!(t.finding.answer.words().contains("please report"));
            assert!(t.items.is_empty());
        }
        assert!(all[2].finding.answer.is_proven());
        assert_eq!(all[2].items.len(), 1);
    }

    #[test]
    fn a_topic_can_contradict_itself() {
        let all = reviewed(vec![topic(
            "distribution",
            &[(Fact::NoGrowth, true), (Fact::Integrable, false)],
        )]);
        assert!(!all[0].finding.answer.is_proven());
    }
}
