//! What topics say that others say too: a contradiction is a mistake of the program, never a result.

use std::fmt;

/// A statement about a system that more than one topic settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The distribution of the constraints is closed under brackets, judged by the zero test.
    Integrable,
    /// The growth vector has a single entry.
    NoGrowth,
    /// The growth vector reaches the dimension of the space.
    FullGrowth,
    /// Iterated brackets span every direction.
    Generating,
    /// The constraints are holonomic, as the comparison with vakonomic motion judges it.
    Holonomic,
    /// Every nonholonomic motion is vakonomic.
    EveryMotionVakonomic,
    /// The bracket on the constrained momentum space satisfies the Jacobi identity.
    Poisson,
    /// The connection of a Chaplygin structure has no curvature.
    Flat,
    /// There is a Chaplygin structure.
    Chaplygin,
    /// The equations determine the motion.
    Regular,
    /// A momentum of a symmetry is conserved.
    MomentumConserved,
    /// A first integral is the momentum of a symmetry in D.
    HorizontalIntegral,
    /// Some function of positions is kept by the constraints.
    PositionIntegral,
    /// There is an invariant measure.
    Measure,
    /// The motion is Hamiltonian, after a change of time.
    Hamiltonian,
}

impl Fact {
    /// The topic that it belongs to.
    pub fn topic(self) -> &'static str {
        match self {
            Fact::Integrable | Fact::NoGrowth | Fact::FullGrowth | Fact::Generating => {
                "distribution"
            }
            Fact::Holonomic | Fact::EveryMotionVakonomic => "vakonomic",
            Fact::Poisson => "jacobi",
            Fact::Flat | Fact::Chaplygin => "chaplygin",
            Fact::Regular => "regularity",
            Fact::MomentumConserved => "momenta",
            Fact::HorizontalIntegral | Fact::PositionIntegral => "first_integrals",
            Fact::Measure => "measure",
            Fact::Hamiltonian => "hamiltonization",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Fact::Integrable => "the distribution is integrable",
            Fact::NoGrowth => "its growth vector has one entry",
            Fact::FullGrowth => "its growth vector ends with the dimension",
            Fact::Generating => "its brackets span every direction",
            Fact::Holonomic => "the constraints are holonomic",
            Fact::EveryMotionVakonomic => "every motion is vakonomic",
            Fact::Poisson => "the bracket is Poisson",
            Fact::Flat => "the connection is flat",
            Fact::Chaplygin => "it is a Chaplygin system",
            Fact::Regular => "the equations determine the motion",
            Fact::MomentumConserved => "a momentum is conserved",
            Fact::HorizontalIntegral => "the momentum of a symmetry in D is an integral",
            Fact::PositionIntegral => "the constraints keep a function of positions",
            Fact::Measure => "there is an invariant measure",
            Fact::Hamiltonian => "the motion is Hamiltonian",
        }
    }
}

/// A fact, and whether it is so.
pub type Settled = (Fact, bool);

/// What is settled cannot be: if the first holds, so does the second. Constraints are linear and do not depend
/// on time, and there are some: topics state facts for no other systems.
const IMPLICATIONS: &[(Settled, Settled)] = &[
    // Frobenius; the growth vector is constant exactly where D is involutive.
    ((Fact::Integrable, true), (Fact::NoGrowth, true)),
    ((Fact::NoGrowth, true), (Fact::Integrable, true)),
    ((Fact::Integrable, true), (Fact::Generating, false)),
    // Chow and Rashevsky.
    ((Fact::Generating, true), (Fact::FullGrowth, true)),
    ((Fact::FullGrowth, true), (Fact::Generating, true)),
    ((Fact::Generating, true), (Fact::PositionIntegral, false)),
    // The same question, judged by another computation.
    ((Fact::Integrable, true), (Fact::Holonomic, true)),
    ((Fact::Holonomic, true), (Fact::Integrable, true)),
    // On the leaves of an integrable distribution both principles are Hamilton's.
    ((Fact::Integrable, true), (Fact::EveryMotionVakonomic, true)),
    // The Jacobiator is the part of a bracket of D off D.
    ((Fact::Integrable, true), (Fact::Poisson, true)),
    ((Fact::Poisson, true), (Fact::Integrable, true)),
    // The curvature is the part of a bracket of lifts along the fibre.
    ((Fact::Flat, true), (Fact::Integrable, true)),
    ((Fact::Integrable, true), (Fact::Flat, true)),
    // Without a motion there is nothing to be kept.
    ((Fact::Poisson, true), (Fact::Regular, true)),
    ((Fact::Measure, true), (Fact::Regular, true)),
    ((Fact::Hamiltonian, true), (Fact::Regular, true)),
    // A symmetry in D has a conserved momentum (NG-N2).
    (
        (Fact::HorizontalIntegral, true),
        (Fact::MomentumConserved, true),
    ),
];

/// Two facts that cannot both be so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// What was found.
    pub one: Settled,
    /// What was found besides, against what follows from the first.
    pub other: Settled,
}

impl Contradiction {
    /// The topics that contradict each other; one twice where it contradicts itself.
    pub fn topics(&self) -> [&'static str; 2] {
        [self.one.0.topic(), self.other.0.topic()]
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |(fact, holds): Settled| match holds {
            true => fact.words().to_owned(),
            false => format!("it is not so that {}", fact.words()),
        };
        write!(
            f,
            "the program contradicts itself: {} ({}), and {} ({}); this is a mistake of the program, please report this model",
            words(self.one),
            self.one.0.topic(),
            words(self.other),
            self.other.0.topic()
        )
    }
}

/// The pairs among what topics settled that contradict each other.
///
/// ```
/// use rattleback_theory::{Fact, contradictions};
/// assert!(contradictions(&[(Fact::Integrable, false), (Fact::Poisson, false)]).is_empty());
/// let found = contradictions(&[(Fact::Integrable, true), (Fact::Poisson, false)]);
/// assert_eq!(found[0].topics(), ["distribution", "jacobi"]);
/// ```
pub fn contradictions(settled: &[Settled]) -> Vec<Contradiction> {
    let mut found: Vec<Contradiction> = Vec::new();
    let mut note = |one: Settled, other: Settled| {
        let swapped = Contradiction {
            one: other,
            other: one,
        };
        let new = Contradiction { one, other };
        if !found.contains(&new) && !found.contains(&swapped) {
            found.push(new);
        }
    };
    for &(fact, holds) in settled {
        if holds && settled.contains(&(fact, false)) {
            note((fact, true), (fact, false));
        }
    }
    for &(one, (fact, follows)) in IMPLICATIONS {
        let against = (fact, !follows);
        if settled.contains(&one) && settled.contains(&against) {
            note(one, against);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_agrees_is_left_alone() {
        let integrable = [
            (Fact::Integrable, true),
            (Fact::NoGrowth, true),
            (Fact::FullGrowth, false),
            (Fact::Generating, false),
            (Fact::Holonomic, true),
            (Fact::EveryMotionVakonomic, true),
            (Fact::Poisson, true),
            (Fact::Flat, true),
            (Fact::Regular, true),
            (Fact::PositionIntegral, true),
        ];
        assert_eq!(contradictions(&integrable), []);
        let rolling = [
            (Fact::Integrable, false),
            (Fact::NoGrowth, false),
            (Fact::FullGrowth, true),
            (Fact::Generating, true),
            (Fact::Poisson, false),
            (Fact::EveryMotionVakonomic, true),
            (Fact::MomentumConserved, false),
        ];
        assert_eq!(contradictions(&rolling), []);
    }

    /// Whatever is planted against an implication is found, once, whichever comes first.
    #[test]
    fn every_planted_contradiction_is_found() {
        for &(one, (fact, follows)) in IMPLICATIONS {
            let against = (fact, !follows);
            for planted in [[one, against], [against, one]] {
                let found = contradictions(&planted);
                assert_eq!(found.len(), 1, "{planted:?}");
                let said = found[0].to_string();
                assert!(said.contains("please report"), "{said}");
                for topic in found[0].topics() {
                    assert!(said.contains(topic), "{said}");
                }
            }
        }
    }

    #[test]
    fn a_fact_contradicts_its_opposite() {
        let found = contradictions(&[(Fact::Measure, false), (Fact::Measure, true)]);
        assert_eq!(found.len(), 1);
    }
}
