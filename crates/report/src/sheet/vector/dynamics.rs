//! J ω̇ = J ω × ω + …: the equations of motion of a rotation in space.

use super::ansatz::{Candidate, combination};
use super::atoms::Atoms;
use super::{Names, Turning, VectorForm, velocity};
use crate::document::Vector;
use crate::language::{Model, Value};
use crate::mechanics::{Equations, Stage};
use crate::symbolic::{Expr, Kind, Matrix, Role, Symbol, dot, free_symbols, prove_all_zero};

/// The linear system that determines the accelerations, and what is made of it.
pub struct Dynamics<'a> {
    pub model: &'a Model,
    pub stated: &'a Equations,
    pub names: &'a mut Names,
    pub form: &'a mut VectorForm,
}

/// `matrix · unknowns = rhs`.
struct Linear<'a> {
    unknowns: &'a [Symbol],
    matrix: &'a Matrix,
    rhs: &'a [Expr],
}

impl Linear<'_> {
    /// The right side of a part, with what unknowns outside the parts add.
    fn driven(&self, blocks: &[Block], b: usize) -> Vec<Expr> {
        let inside: Vec<usize> = blocks.iter().flat_map(|b| b.rows.clone()).collect();
        let row = |&i: &usize| {
            let others = (0..self.unknowns.len()).filter(|j| !inside.contains(j));
            let moved = others.map(|j| &self.matrix[(i, j)] * Expr::from(&self.unknowns[j]));
            &self.rhs[i] - Expr::sum(moved)
        };
        blocks[b].rows.iter().map(row).collect()
    }
}

/// J ω with its parts.
struct Momentum {
    name: Vector,
    value: Vec<Expr>,
    of: Vector,
    velocity: Vec<Expr>,
    inertia: Matrix,
}

impl Momentum {
    /// The velocity, and the momentum where it has another direction.
    fn candidates(&self) -> Vec<Candidate> {
        let own = Candidate {
            vector: self.of.clone(),
            value: self.velocity.clone(),
        };
        let momentum = Candidate {
            vector: self.name.clone(),
            value: self.value.clone(),
        };
        match is_multiple_of_identity(&self.inertia) {
            true => vec![own],
            false => vec![own, momentum],
        }
    }
}

/// Three components of a velocity with their rows of the system.
struct Block {
    symbols: Vec<Symbol>,
    velocity: Vector,
    rate: Vector,
    rows: Vec<usize>,
}

impl Dynamics<'_> {
    /// Writes the equations of one factor; false where they have to stay in components.
    pub fn of(&mut self, turning: &Turning) -> bool {
        self.written(turning).is_some()
    }

    fn written(&mut self, turning: &Turning) -> Option<()> {
        let stated = self.stated;
        let has = |stage: &&Stage| {
            stage
                .unknowns()
                .contains(&turning.velocities[0].derivative())
        };
        let Some(Stage::Linear {
            unknowns,
            matrix,
            rhs,
        }) = stated.stages.iter().find(has)
        else {
            return None;
        };
        let system = Linear {
            unknowns,
            matrix,
            rhs,
        };
        let blocks = self.blocks(turning, unknowns)?;
        let momenta = self.inertias(&system, &blocks)?;
        let atoms = Atoms {
            model: self.model,
            turning,
            leading: momenta.iter().flat_map(Momentum::candidates).collect(),
            reactions: self.reactions(),
            scalars: self.scalars(unknowns),
        };
        let parameters = self.model.parameters.iter();
        let parameters: Vec<Symbol> = parameters.map(|p| p.symbol.clone()).collect();
        let mut equations = Vec::new();
        for (b, momentum) in momenta.iter().enumerate() {
            let left = self.left(matrix, &blocks, b, &momentum.inertia)?;
            let target = system.driven(&blocks, b);
            let candidates = atoms.in_body(&target, self.names);
            let terms = combination(&target, &candidates, &parameters)?;
            equations.push((left, signed(terms)));
        }
        self.form.equations.extend(equations);
        self.constraints(&atoms, &parameters);
        self.energy(&momenta);
        self.momenta(&blocks, &momenta);
        Some(())
    }

    /// J and J ω of each part, where J is constant.
    fn inertias(&mut self, system: &Linear, blocks: &[Block]) -> Option<Vec<Momentum>> {
        let one = |block: &Block| {
            let inertia = self.inertia(system.matrix, block, block)?;
            let velocity: Vec<Expr> = block.symbols.iter().map(Expr::from).collect();
            Some(Momentum {
                name: self.momentum(&inertia, &block.velocity),
                value: inertia.apply(&velocity),
                of: block.velocity.clone(),
                velocity,
                inertia,
            })
        };
        blocks.iter().map(one).collect()
    }

    /// p = J ω, where the momenta of the formulation are proven to be that.
    fn momenta(&mut self, blocks: &[Block], momenta: &[Momentum]) {
        for (block, momentum) in blocks.iter().zip(momenta) {
            let Vector::Name(velocity) = &block.velocity else {
                continue;
            };
            let names = block.symbols.iter().map(|s| format!("p_{}", s.name()));
            let names: Vec<String> = names.collect();
            let gaps: Option<Vec<Expr>> = names
                .iter()
                .zip(&momentum.value)
                .map(|(name, value)| {
                    let own = self.stated.momenta.iter().find(|q| q.name == *name)?;
                    Some(&own.value - value)
                })
                .collect();
            if gaps.is_some_and(|gaps| prove_all_zero(&gaps).is_proven()) {
                let left = Vector::Name(Symbol::variable(&format!("p_{}", velocity.name())));
                self.form.momenta.push((left, momentum.name.clone()));
                self.form.momenta_of.extend(names);
            }
        }
    }

    fn blocks(&mut self, turning: &Turning, unknowns: &[Symbol]) -> Option<Vec<Block>> {
        let parts = turning.velocities.chunks(3).enumerate();
        parts
            .map(|(k, symbols)| {
                let rows: Option<Vec<usize>> = symbols
                    .iter()
                    .map(|s| unknowns.iter().position(|u| *u == s.derivative()))
                    .collect();
                let value: Vec<Expr> = symbols.iter().map(Expr::from).collect();
                let velocity = velocity(turning, 3 * k, &value, self.names);
                let rate = match &velocity {
                    Vector::Name(s) => Vector::Name(s.derivative()),
                    _ => Vector::Column(symbols.iter().map(|s| s.derivative().into()).collect()),
                };
                Some(Block {
                    symbols: symbols.to_vec(),
                    velocity,
                    rate,
                    rows: rows?,
                })
            })
            .collect()
    }

    /// The block of the mass matrix, where only parameters occur in it.
    fn inertia(&self, matrix: &Matrix, of: &Block, by: &Block) -> Option<Matrix> {
        let block = Matrix::new(3, 3, |i, j| matrix[(of.rows[i], by.rows[j])].clone());
        let constant = |s: &Symbol| s.role() == Role::Constant;
        free_symbols(block.entries())
            .iter()
            .all(constant)
            .then_some(block)
    }

    /// J ω, or a number times ω.
    fn momentum(&mut self, inertia: &Matrix, velocity: &Vector) -> Vector {
        if is_multiple_of_identity(inertia) {
            return velocity.clone().scaled(inertia[(0, 0)].clone());
        }
        self.matrix_name(inertia).times(velocity.clone())
    }

    /// The model's name for a matrix, else a new one.
    fn matrix_name(&mut self, matrix: &Matrix) -> Vector {
        let own = self.model.abbreviations.iter().find(|d| match &d.value {
            Value::Matrix(m) => m == matrix,
            _ => false,
        });
        let table = Vector::Table(matrix.clone());
        if let Some(own) = own {
            self.names.free(&own.name);
            return self.names.define(&own.name, &table);
        }
        let free = ["J", "M", "Inertia", "Mass"];
        let named = free.into_iter().find_map(|name| {
            let vector = self.names.define(name, &table);
            (vector != table).then_some(vector)
        });
        named.unwrap_or(table)
    }

    /// J ω̇ with what the other velocities of the factor add.
    fn left(
        &mut self,
        matrix: &Matrix,
        blocks: &[Block],
        b: usize,
        inertia: &Matrix,
    ) -> Option<Vector> {
        let mut terms = vec![(false, self.momentum(inertia, &blocks[b].rate))];
        for (k, other) in blocks.iter().enumerate() {
            let coupling = self.inertia(matrix, &blocks[b], other)?;
            if k != b && coupling.entries().iter().any(|e| !e.is_zero()) {
                terms.push((false, Vector::Table(coupling).times(other.rate.clone())));
            }
        }
        match terms.len() {
            1 => terms.pop().map(|(_, v)| v),
            _ => Some(Vector::Sum(terms)),
        }
    }

    /// The multipliers as vectors: those of a statement with components, or all of them.
    fn reactions(&mut self) -> Vec<Candidate> {
        let all = &self.stated.multipliers;
        let mut value: Vec<Expr> = all.iter().map(|q| q.value.clone()).collect();
        if !matches!(value.len(), 2 | 3) {
            return Vec::new();
        }
        value.resize(3, Expr::zero());
        let column = Vector::Column(value.clone());
        let vector = self.names.define("lambda", &column);
        vec![Candidate { vector, value }]
    }

    /// What may stand in front of a vector.
    fn scalars(&self, unknowns: &[Symbol]) -> Vec<Symbol> {
        let multipliers = self.stated.multipliers.iter();
        let multipliers = multipliers.filter_map(|q| q.value.as_symbol().cloned());
        let controls = self.model.controls.iter().map(|c| c.symbol.clone());
        let groups: Vec<Symbol> = Turning::all(self.model)
            .into_iter()
            .flat_map(|t| t.velocities)
            .collect();
        let rates = unknowns.iter().filter(|s| s.order() > 1).cloned();
        let speeds = self
            .model
            .velocities()
            .into_iter()
            .filter(|s| !groups.contains(s));
        multipliers
            .chain(controls)
            .chain(rates)
            .chain(speeds)
            .collect()
    }

    /// Constraints with three components.
    fn constraints(&mut self, atoms: &Atoms, parameters: &[Symbol]) {
        let all = &self.model.constraints;
        if all.len() != self.stated.residuals.len() {
            return;
        }
        let statements = all.last().map_or(0, |c| c.statement + 1);
        for statement in 0..statements {
            let places: Vec<usize> = (0..all.len())
                .filter(|&i| all[i].statement == statement)
                .collect();
            let value: Vec<Expr> = places.iter().map(|&i| all[i].expr.clone()).collect();
            let shown = places.iter().map(|&i| &self.stated.residuals[i]);
            let gaps: Vec<Expr> = shown.zip(&value).map(|(r, v)| r - v).collect();
            if places.len() != 3 || !prove_all_zero(&gaps).is_proven() {
                continue;
            }
            let at_rest: Vec<(Symbol, Expr)> = atoms
                .turning
                .velocities
                .iter()
                .map(|s| (s.clone(), Expr::zero()))
                .collect();
            let other: Vec<Expr> = value.iter().map(|e| e.substitute(&at_rest)).collect();
            let target: Vec<Expr> = value.iter().zip(&other).map(|(v, o)| v - o).collect();
            let candidates = atoms.in_space(&target, self.names);
            let Some(terms) = combination(&target, &candidates, parameters) else {
                continue;
            };
            let mut sum = signed(terms);
            if let (Vector::Sum(all), true) = (&mut sum, other.iter().any(|e| !e.is_zero())) {
                all.insert(0, (false, Vector::Column(other)));
            }
            let zero = Vector::Scalar(Expr::zero());
            self.form.constraints.push((sum, zero));
            self.form.replaced.extend(places);
        }
    }

    /// ½ ω·J ω and what is left of the energy without it.
    fn energy(&mut self, momenta: &[Momentum]) {
        let energy = &self.stated.energy;
        let velocities = momenta.iter().flat_map(|m| &m.velocity);
        let velocities = velocities.filter_map(|v| v.as_symbol().cloned());
        let at_rest: Vec<(Symbol, Expr)> = velocities.map(|s| (s, Expr::zero())).collect();
        let rest = energy.substitute(&at_rest);
        let mut terms = Vec::new();
        let mut sum = rest.clone();
        for m in momenta {
            sum += dot(&m.velocity, &m.value) / 2;
            let product = m.of.clone().dot(m.name.clone());
            terms.push((false, product.scaled(Expr::from(1) / 2)));
        }
        let (number, core) = rest.split_coefficient();
        let plain = !matches!(core.kind(), Kind::Sum(..));
        match number.is_negative() && plain {
            true => terms.push((true, Vector::Scalar(-&rest))),
            false if !rest.is_zero() => terms.push((false, Vector::Scalar(rest))),
            false => {}
        }
        if prove_all_zero(&[energy - &sum]).is_proven() && self.form.energy.is_none() {
            self.form.energy = Some(Vector::Sum(terms));
        }
    }
}

/// Terms along the axes as one column, where there are several: a [1, 0, 0] + b [0, 1, 0] is [a, b, 0].
fn gathered(terms: Vec<(Expr, Vector)>) -> Vec<(Expr, Vector)> {
    let mut columns: Vec<(Option<Vector>, Vec<Expr>, usize)> = Vec::new();
    let mut out = Vec::new();
    let mut lone = Vec::new();
    for (c, v) in terms {
        let Some((axis, factor, behind)) = along_axis(&v) else {
            out.push((c, v));
            continue;
        };
        let place = columns.iter().position(|(b, ..)| *b == behind);
        let place = place.unwrap_or_else(|| {
            columns.push((behind, vec![Expr::zero(); 3], 0));
            columns.len() - 1
        });
        columns[place].1[axis] += c.clone() * factor;
        columns[place].2 += 1;
        lone.push((place, c, v));
    }
    for (place, (behind, components, count)) in columns.into_iter().enumerate() {
        if count == 1 {
            let own = lone.iter().filter(|(p, ..)| *p == place);
            out.extend(own.map(|(_, c, v)| (c.clone(), v.clone())));
            continue;
        }
        let column = Vector::Column(components);
        let vector = match behind {
            Some(b) => column.cross(b),
            None => column,
        };
        out.push((Expr::one(), vector));
    }
    out
}

/// The axis, the factor and what stands behind the cross: u [0, 1, 0] × w.
fn along_axis(v: &Vector) -> Option<(usize, Expr, Option<Vector>)> {
    match v {
        Vector::Column(c) => {
            let axis = c.iter().position(Expr::is_one)?;
            let only = c.iter().filter(|e| !e.is_zero()).count() == 1;
            only.then_some((axis, Expr::one(), None))
        }
        Vector::Scaled(s, v) => {
            let (axis, factor, behind) = along_axis(v)?;
            Some((axis, s * factor, behind))
        }
        Vector::Cross(a, b) => match along_axis(a)? {
            (axis, factor, None) if along_axis(b).is_none() => {
                Some((axis, factor, Some((**b).clone())))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Terms with their signs in front.
fn signed(terms: Vec<(Expr, Vector)>) -> Vector {
    let terms = gathered(terms);
    let signed = terms.into_iter().map(|(c, v)| {
        let (number, _) = c.split_coefficient();
        match (number.is_negative(), turned(&v)) {
            (true, Some(turned)) => (false, turned.scaled(-c)),
            (true, None) => (true, v.scaled(-c)),
            (false, _) => (false, v.scaled(c)),
        }
    });
    let mut all: Vec<(bool, Vector)> = signed.collect();
    // What is added leads.
    if let Some(first) = all.iter().position(|(negative, _)| !negative) {
        all[..=first].rotate_right(1);
    }
    Vector::Sum(all)
}

/// The negative of a cross product is the product the other way round.
fn turned(v: &Vector) -> Option<Vector> {
    match v {
        Vector::Cross(a, b) => Some(Vector::Cross(b.clone(), a.clone())),
        Vector::Times(m, v) => Some((**m).clone().times(turned(v)?)),
        _ => None,
    }
}

fn is_multiple_of_identity(m: &Matrix) -> bool {
    let places = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
    let mut places = places;
    places.all(|(i, j)| match i == j {
        true => m[(i, i)] == m[(0, 0)],
        false => m[(i, j)].is_zero(),
    })
}
