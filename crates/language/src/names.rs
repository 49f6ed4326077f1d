//! Names that the program makes up for multipliers, momenta and frame velocities, out of the way of those of a model.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use rattleback_symbolic::Symbol;

/// The generated names of one model. Where a model declares such a name itself, the generated one gives way by
/// underscores at its end.
///
/// ```
/// use rattleback_language::Names;
/// let names = Names::new(["y1".to_owned()], vec![None, Some("no_slip".into())]);
/// assert_eq!(names.frame_velocity(1).name(), "y1_");
/// assert_eq!(names.frame_velocity(2).name(), "y2");
/// assert_eq!(names.multiplier(0).name(), "lambda1");
/// assert_eq!(names.multiplier(1).name(), "lambda_no_slip");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// What the model declares.
    declared: Arc<HashSet<String>>,
    /// The name of each scalar constraint, where it has one.
    constraints: Arc<[Option<String>]>,
    /// What stands behind `lambda` and `mu` for each of them.
    labels: Arc<[String]>,
}

/// A generated name that gives way to one of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The name of the model.
    pub name: String,
    /// The one that is generated instead.
    pub instead: String,
    what: &'static str,
}

impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Moved {
            name,
            instead,
            what,
        } = self;
        write!(f, "`{instead}` is {what}; `{name}` is the model's own")
    }
}

impl Names {
    /// Beside the names that a model declares, for its scalar constraints.
    pub fn new(
        declared: impl IntoIterator<Item = String>,
        constraints: Vec<Option<String>>,
    ) -> Self {
        Self {
            declared: Arc::new(declared.into_iter().collect()),
            labels: labels(&constraints).into(),
            constraints: constraints.into(),
        }
    }

    /// Does the model declare this name itself?
    pub fn declares(&self, name: &str) -> bool {
        self.declared.contains(name)
    }

    /// Where only some of the constraints are kept.
    pub fn keeping(&self, kept: &[usize]) -> Self {
        let names = kept
            .iter()
            .map(|&s| self.constraints.get(s).cloned().flatten());
        let constraints: Vec<Option<String>> = names.collect();
        Self {
            declared: Arc::clone(&self.declared),
            labels: labels(&constraints).into(),
            constraints: constraints.into(),
        }
    }

    /// The reaction of the s-th constraint, from 0: `lambda1`, or `lambda_no_slip` where it has a name.
    pub fn multiplier(&self, s: usize) -> Symbol {
        self.of_constraint("lambda", s)
    }

    /// The multiplier of the s-th constraint in variational problems, from 0: `mu1`, `mu_no_slip`.
    pub fn variational_multiplier(&self, s: usize) -> Symbol {
        self.of_constraint("mu", s)
    }

    /// The a-th velocity in a frame, from 1: `y1`.
    pub fn frame_velocity(&self, a: usize) -> Symbol {
        self.free(&format!("y{a}"))
    }

    /// The momentum of the k-th derivative of a velocity: `p_x`, `p_x_1`; `p_w[1]`, `p_w_1[1]`.
    pub fn momentum(&self, velocity: &str, k: usize) -> Symbol {
        let (owner, index) = split(velocity);
        match k {
            0 => self.free(&format!("p_{velocity}")),
            _ => self.free(&format!("p_{owner}_{k}{index}")),
        }
    }

    /// The reduced momentum, or that of a frame velocity: `P_theta`, `P_y1`.
    pub fn reduced_momentum(&self, of: &str) -> Symbol {
        self.free(&format!("P_{of}"))
    }

    /// A quantity at the k-th node of a discrete motion: `x_0`, `p_x_1`; `R_1[1,2]`.
    pub fn at_node(&self, name: &str, k: usize) -> Symbol {
        let (owner, index) = split(name);
        self.free(&format!("{owner}_{k}{index}"))
    }

    /// The step of a discrete motion: `h`.
    pub fn step(&self) -> Symbol {
        Symbol::constant(self.free("h").name())
    }

    /// How far a coordinate goes to the next node, where equations are solved for it: `step_x`.
    pub fn step_of(&self, name: &str) -> Symbol {
        self.free(&format!("step_{name}"))
    }

    /// What a page calls something of its own, the energy `E` or a matrix `M[1,2]`.
    ///
    /// ```
    /// use rattleback_language::Names;
    /// let names = Names::new(["M".to_owned()], Vec::new());
    /// assert_eq!(names.on_page("M[1,2]").name(), "M_[1,2]");
    /// assert_eq!(names.on_page("E").name(), "E");
    /// ```
    pub fn on_page(&self, name: &str) -> Symbol {
        self.free(name)
    }

    /// What a generated name that may stand in expressions means; nothing for others.
    pub(crate) fn generated(&self, name: &str) -> Option<&'static str> {
        let numbered = |name: &str, prefix: &str| {
            name.strip_prefix(prefix)
                .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        };
        let prefixed = |prefix: &str| name.strip_prefix(prefix).is_some_and(|n| !n.is_empty());
        let plain = name.trim_end_matches('_');
        // An underscore more than is needed makes another name.
        let plain = if self.free(plain).name() == name {
            plain
        } else {
            name
        };
        let of_constraint = |kind: &str| {
            let owner = plain.strip_prefix(kind).and_then(|n| n.strip_prefix('_'));
            let is_label = |label: &String| name.strip_prefix(kind) == Some(label);
            owner.is_some_and(|owner| self.is_constraint(owner)) || self.labels.iter().any(is_label)
        };
        if numbered(plain, "lambda") || of_constraint("lambda") {
            Some("a multiplier of a constraint")
        } else if numbered(plain, "mu") || of_constraint("mu") {
            Some("a vakonomic multiplier")
        } else if numbered(plain, "y") {
            Some("a frame velocity")
        } else if prefixed("p_") {
            Some("a momentum")
        } else if prefixed("P_") {
            Some("a reduced momentum")
        } else {
            None
        }
    }

    /// Is it the name of a constraint, perhaps with the number of a component?
    fn is_constraint(&self, name: &str) -> bool {
        let unnumbered = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let mut names = self.constraints.iter().flatten();
        names.any(|n| n == name || n == unnumbered)
    }

    /// Does a generated name belong to something? There are as many multipliers as constraints and no more frame velocities
    /// than velocities; a momentum belongs to a frame velocity or to what `moves`.
    pub(crate) fn belongs(
        &self,
        name: &str,
        velocities: usize,
        moves: impl Fn(&str) -> bool,
    ) -> bool {
        let head = split(name).0;
        if self.declares(head) {
            return true;
        }
        let is = |symbol: Symbol| symbol.name() == head;
        if self.is_momentum(head) || self.is_reduced_momentum(head) {
            let owner = head[2..].trim_end_matches('_');
            let digits = |c: char| c.is_ascii_digit();
            // `p_x_1` is the momentum of the next derivative of x.
            let lower = owner.trim_end_matches(digits).strip_suffix('_');
            let mut owners = [Some(owner), lower].into_iter().flatten();
            return owners.any(|o| moves(o) || self.is_frame_velocity(o));
        }
        if self.is_frame_velocity(head) {
            return (1..=velocities).any(|a| is(self.frame_velocity(a)));
        }
        let mut constraints = 0..self.constraints.len();
        self.generated(head).is_none()
            || constraints.any(|s| is(self.multiplier(s)) || is(self.variational_multiplier(s)))
    }

    /// Is it the momentum of a reduced system?
    fn is_reduced_momentum(&self, name: &str) -> bool {
        self.generated(name) == Some("a reduced momentum")
    }

    /// Is it the multiplier of a variational problem?
    pub(crate) fn is_variational_multiplier(&self, name: &str) -> bool {
        self.generated(name) == Some("a vakonomic multiplier")
    }

    /// Is it a velocity in a frame of the constraints?
    pub(crate) fn is_frame_velocity(&self, name: &str) -> bool {
        self.generated(name) == Some("a frame velocity")
    }

    /// Is it a momentum or a costate?
    pub(crate) fn is_momentum(&self, name: &str) -> bool {
        self.generated(name) == Some("a momentum")
    }

    /// Generated names that give way to declared ones.
    pub fn moved(&self) -> Vec<Moved> {
        let none = Names::default();
        let mut moved: Vec<Moved> = self
            .declared
            .iter()
            .filter_map(|name| {
                let what = none.generated(name)?;
                let instead = self.free(name).name().to_owned();
                Some(Moved {
                    name: name.clone(),
                    instead,
                    what,
                })
            })
            .collect();
        moved.sort_by(|a, b| a.name.cmp(&b.name));
        moved
    }

    fn of_constraint(&self, kind: &str, s: usize) -> Symbol {
        match self.labels.get(s) {
            Some(label) => self.free(&format!("{kind}{label}")),
            None => self.free(&format!("{kind}{}", s + 1)),
        }
    }

    /// The name with as many underscores as it takes to be free.
    fn free(&self, name: &str) -> Symbol {
        let (head, index) = split(name);
        let mut head = head.to_owned();
        while self.declared.contains(&head) {
            head.push('_');
        }
        Symbol::variable(&format!("{head}{index}"))
    }
}

/// What tells the multipliers of constraints apart: the number of an unnamed one, the name of others, with numbers where
/// several components share it.
fn labels(constraints: &[Option<String>]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (s, constraint) in constraints.iter().enumerate() {
        let Some(name) = constraint else {
            all.push((s + 1).to_string());
            continue;
        };
        let same = |n: &&Option<String>| n.as_ref() == Some(name);
        let number = match constraints.iter().filter(same).count() {
            1 => String::new(),
            _ => constraints[..=s].iter().filter(same).count().to_string(),
        };
        let mut label = format!("_{name}{number}");
        // `a1` is a name, and the first component of `a`.
        while all.contains(&label) {
            label.push('_');
        }
        all.push(label);
    }
    all
}

/// A name and its index, such as `w` and `[1]`.
fn split(name: &str) -> (&str, &str) {
    name.split_at(name.find('[').unwrap_or(name.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(names: &[&str]) -> Names {
        Names::new(names.iter().map(|n| (*n).to_owned()), Vec::new())
    }

    #[test]
    fn generated_names() {
        for name in ["lambda1", "mu12", "y3", "p_x", "P_theta"] {
            assert!(Names::default().generated(name).is_some(), "{name}");
        }
        for name in [
            "lambda", "mu", "y", "p", "p_", "yx", "lambda_1", "y1a", "y1_",
        ] {
            assert!(Names::default().generated(name).is_none(), "{name}");
        }
    }

    #[test]
    fn generated_names_give_way() {
        let names = declared(&["y1", "y1_", "p_x", "lambda2"]);
        assert_eq!(names.frame_velocity(1).name(), "y1__");
        assert_eq!(names.momentum("x", 0).name(), "p_x_");
        assert_eq!(names.momentum("x", 1).name(), "p_x_1");
        assert_eq!(names.multiplier(1).name(), "lambda2_");
        assert_eq!(names.generated("y1__"), Some("a frame velocity"));
        assert_eq!(names.generated("y2_"), None);
        assert_eq!(names.moved().len(), 3);
    }

    #[test]
    fn multipliers_have_names_of_their_own() {
        let named = |n: &str| Some(n.to_owned());
        let names = Names::new([], vec![named("a1"), named("a"), named("a")]);
        let all: Vec<String> = (0..3)
            .map(|s| names.multiplier(s).name().to_owned())
            .collect();
        assert_eq!(all, ["lambda_a1", "lambda_a1_", "lambda_a2"]);
    }

    #[test]
    fn components_of_a_named_constraint_are_numbered() {
        let named = |n: &str| Some(n.to_owned());
        let names = Names::new([], vec![named("roll"), None, named("roll"), named("slip")]);
        let all: Vec<String> = (0..4)
            .map(|s| names.multiplier(s).name().to_owned())
            .collect();
        assert_eq!(
            all,
            ["lambda_roll1", "lambda2", "lambda_roll2", "lambda_slip"]
        );
        assert!(names.generated("mu_roll2").is_some());
        assert!(names.generated("mu_rock").is_none());
    }
}
