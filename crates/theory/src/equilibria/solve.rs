//! Polynomial equations with circles and spheres, solved by splitting into factors: every branch that ends is exact,
//! and the search says whether all of them did.

use crate::exact::outermost;
use crate::exact::tidy;
use crate::finding::search::Search;
use crate::roots::square_root;
use crate::steady::Relation;
use crate::{Gap, Named};
use rattleback_symbolic::{
    Expr, Kind, Sign, Symbol, normalize, prove_all_zero, prove_zero, substitute_all,
};
use std::cell::RefCell;

/// Branches explored before the search gives up.
const MOST_NODES: usize = 400;
/// Equations longer than this are not split.
const LONGEST: usize = 800;
/// Equations longer than this are not quoted.
const QUOTED: usize = 60;

/// An angle by its cosine and sine.
#[derive(Clone, Debug)]
pub(super) struct Angle {
    /// The coordinate.
    pub coordinate: Symbol,
    /// Its cosine.
    pub cosine: Symbol,
    /// Its sine.
    pub sine: Symbol,
}

impl Angle {
    /// With symbols of its own for both.
    pub fn of(z: &Symbol) -> Self {
        let side = |name: &str| Symbol::variable(&format!("{name} of {z}"));
        Self {
            coordinate: z.clone(),
            cosine: side("cosine"),
            sine: side("sine"),
        }
    }

    /// What stands for its cosine and sine.
    pub fn sides(&self) -> [(Expr, Expr); 2] {
        let q = Expr::from(&self.coordinate);
        let [cosine, sine] = [&self.cosine, &self.sine].map(Expr::from);
        [(q.cos(), cosine), (q.sin(), sine)]
    }
}

/// What is to be solved.
pub(super) struct Equations {
    /// What vanishes: rational in the unknowns.
    pub equations: Vec<Expr>,
    /// What is looked for, those first that are to be given by the others.
    pub unknowns: Vec<Symbol>,
    /// Angles among them.
    pub angles: Vec<Angle>,
    /// Relations that hold besides, such as that of a sphere; they are used once one of their symbols is known.
    pub relations: Vec<Expr>,
    /// The rates among the unknowns; none for equilibria.
    pub rates: Vec<Symbol>,
    /// What vanishes where two symmetries move a state alike.
    pub alike: Vec<Vec<Expr>>,
    /// What vanishes at the start.
    pub start: Vec<Expr>,
    /// The reactions among the unknowns.
    pub multipliers: Vec<Symbol>,
    /// Functions of the parameters that were taken not to vanish.
    pub assumed: RefCell<Vec<Expr>>,
}

/// A branch that came to its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Solution {
    /// Unknowns by the others.
    pub solved: Vec<(Symbol, Expr)>,
    /// Angles by their values.
    pub angles: Vec<(Symbol, Expr)>,
    /// Where it is real.
    pub conditions: Vec<Relation>,
    /// What must not vanish.
    pub nonzero: Vec<Expr>,
}

impl Solution {
    /// Is this unknown zero?
    fn rests(&self, unknown: &Symbol) -> bool {
        self.solved.iter().any(|(s, e)| s == unknown && e.is_zero())
    }

    /// Is something known by reactions that are not known themselves?
    pub(super) fn names_any(&self, reactions: &[Symbol]) -> bool {
        let solved = self.solved.iter().chain(&self.angles);
        let mut known = solved.filter(|(s, _)| !reactions.contains(s));
        known.any(|(_, e)| e.contains_any(reactions))
    }
}

#[derive(Clone, Debug, Default)]
struct Node {
    found: Solution,
    queue: Vec<Expr>,
    /// Circles that have been used.
    closed: Vec<Symbol>,
    /// Relations that have been used.
    used: Vec<usize>,
}

/// A way to make an equation hold.
enum Branch {
    Solve(Symbol, Expr, Vec<Relation>),
    Vanish(Vec<Expr>, Vec<Expr>),
}

enum Step {
    Dead,
    Closed,
    Split(Vec<Node>),
}

impl Equations {
    /// All branches; what is not solved is left out of the search, and looked for where it suggests itself.
    pub fn solve(&self, search: &mut Search) -> Vec<Solution> {
        let anywhere = Node {
            queue: self.equations.clone(),
            ..Node::default()
        };
        let mut all = self.explore(anywhere, search);
        if search.has_gap() {
            let mut beside = Search::of(search.what(), search.effort().part(4));
            let moves = |s: &Solution| self.rates.iter().any(|r| !s.rests(r));
            let alike = match all.iter().any(moves) {
                true => &[][..],
                false => &self.alike[..],
            };
            for place in alike.iter().chain([&self.start]) {
                let there = Node {
                    queue: [&self.equations[..], place, &self.relations].concat(),
                    used: (0..self.relations.len()).collect(),
                    ..Node::default()
                };
                all.extend(self.explore(there, &mut beside));
            }
        }
        self.maximal(all)
    }

    /// The branches from a node on.
    fn explore(&self, first: Node, search: &mut Search) -> Vec<Solution> {
        let mut stack = vec![first];
        let mut all = Vec::new();
        let mut nodes = 0;
        while let Some(mut node) = stack.pop() {
            nodes += 1;
            if nodes > MOST_NODES {
                search.leave_out(Gap::MostBranches.with("branches", MOST_NODES));
                break;
            }
            if !search.goes_on() {
                break;
            }
            match self.step(&mut node, search) {
                Step::Dead => {}
                Step::Closed => all.extend(self.ended(node)),
                Step::Split(children) => stack.extend(children.into_iter().rev()),
            }
        }
        all
    }

    fn step(&self, node: &mut Node, search: &mut Search) -> Step {
        let mut open: Vec<Expr> = Vec::new();
        for e in substitute_all(&node.queue, &node.found.solved) {
            let e = normalize(&e);
            if e.is_undefined() {
                return Step::Dead;
            }
            if !e.is_zero() && !prove_zero(&e).is_proven() {
                open.push(e);
            }
        }
        let solved = &node.found.solved;
        let vanished = |f: &Expr| {
            let here = f.substitute(solved);
            here.is_undefined() || prove_zero(&here).is_proven()
        };
        if node.found.nonzero.iter().any(vanished) {
            return Step::Dead;
        }
        let Some(at) = (0..open.len()).min_by_key(|&i| open[i].node_count()) else {
            return self.close(node);
        };
        let equation = open.swap_remove(at);
        node.queue = open;
        if equation.node_count() > LONGEST {
            let terms = equation.node_count();
            search.leave_out(Gap::LongEquationNotSolved.with("terms", terms));
            return Step::Dead;
        }
        let mut children = Vec::new();
        for factor in factors(&tidy(&equation)) {
            let known = node.found.nonzero.contains(&factor);
            if known || factor.is_nonvanishing() {
                continue;
            }
            if self.is_constant(&factor) {
                // Generic parameters: special values are cases of their own.
                match prove_zero(&factor).is_refuted() {
                    true => self.assume(&factor),
                    false => search.leave_out(Gap::EquationNotSolved.with("equation", &factor)),
                }
                continue;
            }
            match self.branches(node, &factor) {
                Some(found) => children.extend(found.into_iter().map(|b| node.with(b))),
                None => search.leave_out(match factor.node_count() {
                    terms if terms > QUOTED => Gap::LongEquationNotSolved.with("terms", terms),
                    _ => Gap::EquationNotSolved.with("equation", &factor),
                }),
            }
        }
        match children.is_empty() {
            true => Step::Dead,
            false => Step::Split(children),
        }
    }

    /// All equations hold: what is left are circles and spheres.
    fn close(&self, node: &mut Node) -> Step {
        let of = |node: &Node, s: &Symbol| {
            let found = node.found.solved.iter().find(|(w, _)| w == s);
            found.map(|(_, e)| e.clone())
        };
        for angle in &self.angles {
            if node.closed.contains(&angle.coordinate) {
                continue;
            }
            let (c, s) = (of(node, &angle.cosine), of(node, &angle.sine));
            let free = |e: &Expr| !e.contains(&angle.cosine) && !e.contains(&angle.sine);
            match (c, s) {
                (None, None) => continue,
                (Some(c), None) if free(&c) => {
                    self.assume(&tidy(&(1 - c.powi(2))));
                    let within = self.within_unit(&c);
                    return Step::Split(node.by_cosine(angle, &c, &within));
                }
                (None, Some(s)) if free(&s) => {
                    self.assume(&tidy(&(1 - s.powi(2))));
                    let within = self.within_unit(&s);
                    return Step::Split(node.by_sine(angle, &s, &within));
                }
                (c, s) => {
                    let (c, s) = (or_itself(c, &angle.cosine), or_itself(s, &angle.sine));
                    let mut next = node.clone();
                    next.closed.push(angle.coordinate.clone());
                    next.queue.push(c.powi(2) + s.powi(2) - 1);
                    let value = Expr::atan2(&Expr::from(&angle.sine), &Expr::from(&angle.cosine));
                    next.found.angles.push((angle.coordinate.clone(), value));
                    return Step::Split(vec![next]);
                }
            }
        }
        for (i, relation) in self.relations.iter().enumerate() {
            let touched = || node.found.solved.iter().any(|(w, _)| relation.contains(w));
            if !node.used.contains(&i) && touched() {
                let mut next = node.clone();
                next.used.push(i);
                next.queue.push(relation.clone());
                return Step::Split(vec![next]);
            }
        }
        Step::Closed
    }

    /// The branch with its values put into each other; nothing where a condition never holds.
    fn ended(&self, node: Node) -> Option<Solution> {
        let mut found = node.found;
        let solved = found.solved.clone();
        for (_, e) in &mut found.angles {
            *e = tidy(&straightened(&e.substitute(&solved)));
        }
        let mut conditions = Vec::new();
        for r in &found.conditions {
            let r = r.substitute(&solved);
            match r.holds() {
                Some(true) => {}
                Some(false) => return None,
                None if conditions.contains(&r) => {}
                None => conditions.push(r),
            }
        }
        found.conditions = conditions;
        let here = substitute_all(&found.nonzero, &solved);
        found.nonzero = here.into_iter().filter(|e| !e.is_nonvanishing()).collect();
        let refuted = substitute_all(&self.equations, &solved);
        (!refuted.iter().any(Expr::is_undefined)).then_some(found)
    }

    fn is_constant(&self, e: &Expr) -> bool {
        !e.contains_any(&self.unknowns)
    }

    /// Takes a function of the parameters not to vanish.
    fn assume(&self, e: &Expr) {
        let mut assumed = self.assumed.borrow_mut();
        if self.is_constant(e) && !e.is_nonvanishing() && !assumed.contains(e) {
            assumed.push(e.clone());
        }
    }

    /// Is a coefficient different from zero for generic parameters, whatever the unknowns?
    fn is_generic(&self, node: &Node, e: &Expr) -> bool {
        let each = |f: &Expr| {
            f.is_nonvanishing()
                || node.found.nonzero.contains(f)
                || (self.is_constant(f) && prove_zero(f).is_refuted())
        };
        let all = factors(&tidy(e));
        let generic = all.iter().all(each);
        if generic {
            all.iter().for_each(|f| self.assume(f));
        }
        generic
    }

    /// The ways in which a factor vanishes; none if they are not found.
    fn branches(&self, node: &Node, g: &Expr) -> Option<Vec<Branch>> {
        let present: Vec<&Symbol> = self.unknowns.iter().filter(|u| g.contains(u)).collect();
        if let Some(zeros) = self.definite(g, &present) {
            return Some(zeros);
        }
        if let Some(split) = present.iter().find_map(|u| self.common_power(g, u)) {
            return Some(split);
        }
        let parts = |u: &Symbol, degree: usize| {
            let parts = g.coefficients(u).ok()?;
            (parts.len() == degree + 1).then_some(parts)
        };
        // Linear with a coefficient that does not vanish, then roots of such quadratics.
        for &u in &present {
            if let Some(p) = parts(u, 1)
                && self.is_generic(node, &p[1])
            {
                let value = -(&p[0] / &p[1]);
                return Some(vec![Branch::Solve(u.clone(), value, Vec::new())]);
            }
        }
        for &u in &present {
            if let Some(p) = parts(u, 2)
                && self.is_generic(node, &p[2])
            {
                return Some(self.roots(u, &p));
            }
        }
        // A coefficient that may vanish: where it does not, and where it does.
        for degree in [1, 2] {
            for &u in &present {
                if let Some(p) = parts(u, degree) {
                    let lead = tidy(&p[degree]);
                    let regular = Branch::Vanish(vec![g.clone()], factors(&lead));
                    let rest = p[..degree].iter().enumerate();
                    let rest = rest.map(|(k, c)| c * Expr::from(u).powi(k as i64));
                    let singular = Branch::Vanish(vec![lead, Expr::sum(rest)], Vec::new());
                    return Some(vec![regular, singular]);
                }
            }
        }
        None
    }

    /// Both roots of a u² + b u + c, real where b² − 4 a c is positive.
    fn roots(&self, u: &Symbol, parts: &[Expr]) -> Vec<Branch> {
        let [c, b, a] = [&parts[0], &parts[1], &parts[2]];
        let (radicand, shift, below) = match b.is_zero() {
            true => (tidy(&-(c / a)), Expr::zero(), Expr::one()),
            false => (tidy(&(b.powi(2) - 4 * a * c)), -b, 2 * a),
        };
        if radicand.is_zero() || prove_zero(&radicand).is_proven() {
            return vec![Branch::Solve(u.clone(), shift / below, Vec::new())];
        }
        self.assume(&radicand);
        let condition = self.edged(Relation::positive(&radicand), &radicand);
        let conditions = match condition.holds() {
            Some(true) => Vec::new(),
            Some(false) => return Vec::new(),
            None => vec![condition],
        };
        let root = square_root(&radicand);
        let value = |sign: i64| (sign * &root + &shift) / &below;
        let branch = |sign: i64| Branch::Solve(u.clone(), value(sign), conditions.clone());
        vec![branch(1), branch(-1)]
    }

    /// Where a root depends on unknowns, its two branches meet in states of their own: the edge belongs to them. Where it
    /// depends on parameters alone, the edge is a special value.
    fn edged(&self, condition: Relation, depends: &Expr) -> Relation {
        match self.is_constant(depends) {
            true => condition,
            false => condition.with_edge(),
        }
    }

    /// −1 < k < 1.
    fn within_unit(&self, k: &Expr) -> Vec<Relation> {
        let both = Relation::within_unit(k).into_iter();
        both.map(|r| self.edged(r, k)).collect()
    }

    /// A power of an unknown that divides an equation: it vanishes, or what is left.
    fn common_power(&self, g: &Expr, u: &Symbol) -> Option<Vec<Branch>> {
        let parts = g.coefficients(u).ok()?;
        let power = parts.iter().position(|c| !c.is_zero())?;
        if power == 0 {
            return None;
        }
        let rest = parts[power..].iter().enumerate();
        let rest = Expr::sum(rest.map(|(k, c)| c * Expr::from(u).powi(k as i64)));
        let zero = Branch::Solve(u.clone(), Expr::zero(), Vec::new());
        Some(vec![zero, Branch::Vanish(vec![rest], Vec::new())])
    }

    /// A sum of squares of unknowns with coefficients of one sign vanishes where all of them do.
    fn definite(&self, g: &Expr, present: &[&Symbol]) -> Option<Vec<Branch>> {
        let mut rest = g.clone();
        let mut first = None;
        for u in present {
            let p = rest.coefficients(u).ok()?;
            let [constant, slope, curvature] = p.as_slice() else {
                return None;
            };
            let sign = tidy(curvature).sign();
            let plain = slope.is_zero() && self.is_constant(curvature);
            let same = *first.get_or_insert(sign) == sign;
            if !plain || !same || !matches!(sign, Sign::Positive | Sign::Negative) {
                return None;
            }
            rest = constant.clone();
        }
        let rest = tidy(&rest);
        if rest.is_zero() {
            let zeros = present.iter().map(|u| Expr::from(*u)).collect();
            return Some(vec![Branch::Vanish(zeros, Vec::new())]);
        }
        (Some(rest.sign()) == first).then(Vec::new)
    }

    /// Drops branches inside others.
    fn maximal(&self, all: Vec<Solution>) -> Vec<Solution> {
        let inside = |a: &Solution, b: &Solution| {
            let gaps: Vec<Expr> = b.solved.iter().map(|(s, e)| Expr::from(s) - e).collect();
            let gaps = substitute_all(&gaps, &a.solved);
            let mut conditions = b.conditions.iter().map(|r| r.substitute(&a.solved));
            let nonzero = substitute_all(&b.nonzero, &a.solved);
            b.solved.len() <= a.solved.len()
                && conditions.all(|r| r.follows_from(&a.conditions))
                && (nonzero.iter()).all(|e| e.is_nonvanishing() || a.nonzero.contains(e))
                && !gaps.iter().any(Expr::is_undefined)
                && prove_all_zero(&gaps).is_proven()
        };
        outermost(all, inside)
    }
}

impl Node {
    fn with(&self, branch: Branch) -> Node {
        let mut node = self.clone();
        match branch {
            Branch::Solve(u, value, conditions) => {
                node.solve(u, tidy(&value));
                node.found.conditions.extend(conditions);
            }
            Branch::Vanish(zero, nonzero) => {
                node.queue.extend(zero);
                node.found.nonzero.extend(nonzero);
            }
        }
        node
    }

    fn solve(&mut self, u: Symbol, value: Expr) {
        let pair = [(u.clone(), value.clone())];
        for (_, e) in &mut self.found.solved {
            *e = tidy(&e.substitute(&pair));
        }
        self.found.solved.push((u, value));
    }

    /// cos q = k: q = ± acos k.
    fn by_cosine(&self, angle: &Angle, k: &Expr, within: &[Relation]) -> Vec<Node> {
        let value = |sign: i64| match k.as_number() {
            Some(_) if k.is_one() => Expr::zero(),
            Some(_) if (k + 1).is_zero() => Expr::pi(),
            Some(_) if k.is_zero() => sign * Expr::pi() / 2,
            _ => sign * k.acos(),
        };
        self.on_circle(angle, (&angle.sine, k), within, value)
    }

    /// sin q = k: q = asin k, or π − asin k.
    fn by_sine(&self, angle: &Angle, k: &Expr, within: &[Relation]) -> Vec<Node> {
        let value = |sign: i64| {
            let first = match k.as_number() {
                Some(_) if k.is_one() => Expr::pi() / 2,
                Some(_) if (k + 1).is_zero() => -Expr::pi() / 2,
                Some(_) if k.is_zero() => Expr::zero(),
                _ => k.asin(),
            };
            match sign > 0 {
                true => first,
                false => Expr::pi() - first,
            }
        };
        self.on_circle(angle, (&angle.cosine, k), within, value)
    }

    /// The other of cosine and sine is ±√(1 − k²).
    fn on_circle(
        &self,
        angle: &Angle,
        (other, k): (&Symbol, &Expr),
        within: &[Relation],
        value: impl Fn(i64) -> Expr,
    ) -> Vec<Node> {
        let height = tidy(&(1 - k.powi(2)));
        let flat = height.is_zero() || prove_zero(&height).is_proven();
        let mut all = Vec::new();
        for sign in [1, -1] {
            let mut next = self.clone();
            next.closed.push(angle.coordinate.clone());
            let side = match flat {
                true => Expr::zero(),
                false => sign * square_root(&height),
            };
            next.solve(other.clone(), side);
            if !flat {
                next.found.conditions.extend_from_slice(within);
            }
            next.found
                .angles
                .push((angle.coordinate.clone(), value(sign)));
            all.push(next);
            if flat {
                break;
            }
        }
        all
    }
}

fn or_itself(e: Option<Expr>, s: &Symbol) -> Expr {
    e.unwrap_or_else(|| Expr::from(s))
}

/// atan2 of sides that are simple numbers.
fn straightened(e: &Expr) -> Expr {
    let Kind::Function(rattleback_symbolic::Function::Atan2, x) = e.kind() else {
        return e.clone();
    };
    let number = |e: &Expr| e.as_number().map(|r| r.to_f64());
    match (number(&x[0]), number(&x[1])) {
        (Some(0.0), Some(1.0)) => Expr::zero(),
        (Some(0.0), Some(-1.0)) => Expr::pi(),
        (Some(1.0), Some(0.0)) => Expr::pi() / 2,
        (Some(-1.0), Some(0.0)) => -Expr::pi() / 2,
        _ => e.clone(),
    }
}

/// The factors of a product in its numerator.
fn factors(e: &Expr) -> Vec<Expr> {
    let (_, core) = e.split_coefficient();
    match core.kind() {
        Kind::Product(items) => items
            .iter()
            .filter(|(_, r)| !r.is_negative())
            .map(|(b, _)| b.clone())
            .collect(),
        _ => vec![core],
    }
}
