//! J ω̇ = J ω × ω + …: the equations of motion of a rotation in space.

use super::ansatz::{Candidate, combination};
use super::atoms::Atoms;
use super::momentum::{
    Block, Inertia, Momentum, Quadratic, coupled, is_constant, is_multiple_of_identity, of_inertia,
    part, shared_energy,
};
use super::terms::{applied, signed};
use super::{Names, Turning, VectorForm, velocity};
use crate::document::Vector;
use crate::mechanics::{Equations, Problem, Slot, SlotRole, Stage, Value};
use crate::symbolic::{Expr, Matrix, Symbol, dot, inverse, prove_all_zero};

/// The linear system that determines the accelerations, and what is made of it.
pub struct Dynamics<'a> {
    pub problem: &'a Problem,
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

/// What was found of a factor.
pub(super) struct Found<'a> {
    pub(super) atoms: Atoms<'a>,
    pub(super) energy: Vec<Quadratic>,
}

impl<'a> Dynamics<'a> {
    /// Writes the equations of the factors that turn space; false where some have to stay in components.
    pub fn of(&mut self, turnings: &[&'a Turning]) -> bool {
        let found: Vec<Option<Found>> = turnings.iter().map(|t| self.written(t)).collect();
        let all_found = found.iter().all(Option::is_some);
        let found: Vec<Found> = found.into_iter().flatten().collect();
        self.constraints(&found);
        self.energy(&found);
        all_found
    }

    fn written(&mut self, turning: &'a Turning) -> Option<Found<'a>> {
        match self.momenta_of(turning) {
            Some(p) => self.in_momenta(turning, &p),
            None => self.in_velocities(turning),
        }
    }

    /// The linear system that determines a symbol.
    fn system(&self, of: &Symbol) -> Option<Linear<'a>> {
        let stages = self.stated.stages.iter();
        let has = |stage: &&Stage| stage.unknowns().contains(of);
        match stages.into_iter().find(has)? {
            Stage::Linear {
                unknowns,
                matrix,
                rhs,
            } => Some(Linear {
                unknowns,
                matrix,
                rhs,
            }),
            Stage::Implicit { .. } => None,
        }
    }

    /// J ω̇ = J ω × ω + ….
    fn in_velocities(&mut self, turning: &'a Turning) -> Option<Found<'a>> {
        let system = self.system(&turning.velocities[0].derivative())?;
        let blocks = self.blocks(turning, system.unknowns, Symbol::derivative)?;
        let momenta = self.inertias(turning, &system, &blocks)?;
        let mut leading: Vec<Candidate> = momenta.iter().flat_map(Momentum::candidates).collect();
        leading.extend(coupled(system.matrix, &blocks, &momenta));
        let atoms = self.atoms(turning, leading, system.unknowns);
        let mut equations = Vec::new();
        for (b, momentum) in momenta.iter().enumerate() {
            let rate = |block: &Block| block.unknown.clone();
            let left = self.left(system.matrix, &blocks, b, &momentum.inertia, rate)?;
            let target = system.driven(&blocks, b);
            equations.push((left, self.combined(&atoms, &target)?));
        }
        self.form.equations.extend(equations);
        self.momenta(system.matrix, &blocks, &momenta);
        let own = momenta.iter().map(Momentum::energy);
        let energy = own
            .chain(shared_energy(system.matrix, &blocks, &momenta))
            .collect();
        Some(Found { atoms, energy })
    }

    /// The momenta of a factor, where they are the state.
    fn momenta_of(&self, turning: &Turning) -> Option<Vec<Symbol>> {
        let own = |s: &&Slot| s.role == SlotRole::Momentum && s.factor == Some(turning.factor);
        let own = self.stated.state.slots().iter().filter(own);
        let own: Vec<Symbol> = own.map(|s| s.symbol.clone()).collect();
        (own.len() == turning.velocities.len()).then_some(own)
    }

    /// ṗ = p × ω + … and J ω = p.
    fn in_momenta(&mut self, turning: &'a Turning, p: &[Symbol]) -> Option<Found<'a>> {
        let system = self.system(&turning.velocities[0])?;
        let blocks = self.blocks(turning, system.unknowns, Symbol::clone)?;
        let velocities = self.inertias(turning, &system, &blocks)?;
        let (mut leading, mut energy, mut equations) = (Vec::new(), Vec::new(), Vec::new());
        let mut rates = Vec::new();
        let rows: Vec<usize> = blocks.iter().flat_map(|b| b.rows.clone()).collect();
        let whole = Matrix::new(rows.len(), rows.len(), |i, j| {
            system.matrix[(rows[i], rows[j])].clone()
        });
        let p_values: Vec<Expr> = p.iter().map(Expr::from).collect();
        let solved = inverse(&whole).ok()?.solution.apply(&p_values);
        for (b, (block, velocity)) in blocks.iter().zip(&velocities).enumerate() {
            let own = &p_values[3 * b..3 * b + 3];
            if system.driven(&blocks, b) != own {
                return None;
            }
            let name = self.momentum_name(block, &p[3 * b..3 * b + 3]);
            let own_velocity = |block: &Block| block.velocity.clone();
            let left = self.left(system.matrix, &blocks, b, &velocity.inertia, own_velocity)?;
            equations.push((left, name.clone()));
            leading.push(Candidate {
                vector: velocity.of.clone(),
                value: velocity.velocity.clone(),
            });
            leading.push(Candidate {
                vector: name.clone(),
                value: own.to_vec(),
            });
            let half = Expr::from(1) / 2;
            energy.push(Quadratic {
                of: own.to_vec(),
                vector: name.clone().dot(velocity.of.clone()).scaled(half.clone()),
                value: dot(own, &solved[3 * b..3 * b + 3]) * half,
            });
            let rate: Option<Vec<Expr>> = p[3 * b..3 * b + 3]
                .iter()
                .map(|s| self.stated.rate(s).cloned())
                .collect();
            rates.push((name, rate?));
        }
        let atoms = self.atoms(turning, leading, system.unknowns);
        for (name, rate) in rates {
            let left = match &name {
                Vector::Name(s) => Vector::Name(s.derivative()),
                _ => return None,
            };
            let right = self.combined(&atoms, &rate)?;
            equations.push((left, right));
        }
        self.form.equations.extend(equations);
        self.form.rates.extend(p.iter().cloned());
        Some(Found { atoms, energy })
    }

    /// What the momentum of a velocity is called: p_w for w, defined where it is not what its components are called.
    fn momentum_name(&mut self, block: &Block, p: &[Symbol]) -> Vector {
        let column = Vector::Column(p.iter().map(Expr::from).collect());
        let Vector::Name(velocity) = &block.velocity else {
            return column;
        };
        let name = format!("p_{}", velocity.name());
        let components = (1..).map(|i| format!("{name}[{i}]"));
        match p.iter().zip(components).all(|(s, n)| s.name() == n) {
            true => Vector::Name(Symbol::variable(&name)),
            false => self.names.define(&name, &column),
        }
    }

    /// What the equations of a factor are made of.
    fn atoms(
        &mut self,
        turning: &'a Turning,
        leading: Vec<Candidate>,
        unknowns: &[Symbol],
    ) -> Atoms<'a> {
        Atoms {
            problem: self.problem,
            turning,
            leading,
            reactions: self.reactions(),
            scalars: self.scalars(unknowns),
        }
    }

    fn combined(&mut self, atoms: &Atoms, target: &[Expr]) -> Option<Vector> {
        let candidates = atoms.in_own(target, self.names);
        let terms = combination(target, &candidates, &self.parameters())?;
        let terms = terms.into_iter().map(|term| atoms.without_division(term));
        Some(signed(terms.collect()))
    }

    pub(super) fn parameters(&self) -> Vec<Symbol> {
        let all = self.problem.parameters.iter();
        all.map(|p| p.symbol.clone()).collect()
    }

    /// J and J ω of each part, where J is constant.
    fn inertias(
        &mut self,
        turning: &Turning,
        system: &Linear,
        blocks: &[Block],
    ) -> Option<Vec<Momentum>> {
        let one = |block: &Block| {
            let inertia = self.inertia(turning, system.matrix, block)?;
            let velocity: Vec<Expr> = block.symbols.iter().map(Expr::from).collect();
            Some(Momentum {
                name: of_inertia(&inertia, &block.velocity),
                value: inertia.value.apply(&velocity),
                of: block.velocity.clone(),
                velocity,
                inertia,
            })
        };
        blocks.iter().map(one).collect()
    }

    /// p = J ω with what the other velocities of the factor add, where the momenta of the formulation are proven to be that.
    fn momenta(&mut self, matrix: &Matrix, blocks: &[Block], momenta: &[Momentum]) {
        for (b, (block, momentum)) in blocks.iter().zip(momenta).enumerate() {
            let Vector::Name(velocity) = &block.velocity else {
                continue;
            };
            let names = block.symbols.iter().map(|s| format!("p_{}", s.name()));
            let names: Vec<String> = names.collect();
            let gap = |(i, name): (usize, &String)| {
                let own = self.stated.momenta.iter().find(|q| q.name == *name)?;
                let parts = blocks.iter().zip(momenta).map(|(other, m)| {
                    let row = part(matrix, block, other).row(i).to_vec();
                    dot(&row, &m.velocity)
                });
                Some(&own.value - Expr::sum(parts))
            };
            let gaps: Option<Vec<Expr>> = names.iter().enumerate().map(gap).collect();
            let own_velocity = |block: &Block| block.velocity.clone();
            let whole = self.left(matrix, blocks, b, &momentum.inertia, own_velocity);
            let is_proven = gaps.is_some_and(|gaps| prove_all_zero(&gaps).is_proven());
            if let Some(whole) = whole.filter(|_| is_proven) {
                let left = Vector::Name(Symbol::variable(&format!("p_{}", velocity.name())));
                self.form.momenta.push((left, whole));
                self.form.momenta_of.extend(names);
            }
        }
    }

    /// The velocities of a factor in threes; `row` gives the unknown whose row is that of a velocity.
    fn blocks(
        &mut self,
        turning: &Turning,
        unknowns: &[Symbol],
        row: impl Fn(&Symbol) -> Symbol,
    ) -> Option<Vec<Block>> {
        let parts = turning.velocities.chunks(3).enumerate();
        parts
            .map(|(k, symbols)| {
                let rows: Option<Vec<usize>> = symbols
                    .iter()
                    .map(|s| unknowns.iter().position(|u| *u == row(s)))
                    .collect();
                let value: Vec<Expr> = symbols.iter().map(Expr::from).collect();
                let velocity = velocity(turning, 3 * k, &value, self.names);
                let unknown = match &velocity {
                    Vector::Name(s) => Vector::Name(row(s)),
                    _ => Vector::Column(symbols.iter().map(|s| row(s).into()).collect()),
                };
                Some(Block {
                    symbols: symbols.to_vec(),
                    velocity,
                    unknown,
                    rows: rows?,
                })
            })
            .collect()
    }

    /// The block of the mass matrix that belongs to a velocity, where it is constant, or R J Rᵀ with a constant J.
    fn inertia(&mut self, turning: &Turning, matrix: &Matrix, of: &Block) -> Option<Inertia> {
        let value = part(matrix, of, of);
        if is_constant(&value) {
            let name = match is_multiple_of_identity(&value) {
                true => Vector::Scalar(value[(0, 0)].clone()),
                false => self.matrix_name(&value),
            };
            return Some(Inertia { name, value });
        }
        if turning.body {
            return None;
        }
        let at_identity = turning.entries.iter().zip(turning.kind.identity::<Expr>());
        let at_identity: Vec<(Symbol, Expr)> = at_identity.map(|(s, e)| (s.clone(), e)).collect();
        let own = value.map(|e| e.substitute(&at_identity));
        let r = &turning.rotation;
        let turned = &(r * &own) * &r.transpose();
        let gaps = value.entries().iter().zip(turned.entries());
        let gaps: Vec<Expr> = gaps.map(|(a, b)| a - b).collect();
        if !is_constant(&own) || !prove_all_zero(&gaps).is_proven() {
            return None;
        }
        let rotation = turning.rotation_in(self.names);
        let back = rotation.clone().transposed();
        let meaning = rotation.times(self.matrix_name(&own)).times(back);
        let name = self.names.define_as(&["J_s", "M_s"], &meaning);
        Some(Inertia { name, value })
    }

    /// The model's name for a matrix, else a new one.
    fn matrix_name(&mut self, matrix: &Matrix) -> Vector {
        let own = self.problem.abbreviations.iter().find(|d| match &d.value {
            Value::Matrix(m) => m == matrix,
            _ => false,
        });
        let table = Vector::Table(matrix.clone());
        if let Some(own) = own {
            self.names.free(&own.name);
            return self.names.define(&own.name, &table);
        }
        self.names.define_as(&["J", "M", "Inertia", "Mass"], &table)
    }

    /// J ω, or J ω̇, with what the other velocities of the factor add.
    fn left(
        &mut self,
        matrix: &Matrix,
        blocks: &[Block],
        b: usize,
        inertia: &Inertia,
        of: impl Fn(&Block) -> Vector,
    ) -> Option<Vector> {
        let mut terms = vec![(false, of_inertia(inertia, &of(&blocks[b])))];
        for (k, other) in blocks.iter().enumerate() {
            let coupling = part(matrix, &blocks[b], other);
            if k == b || coupling.entries().iter().all(Expr::is_zero) {
                continue;
            }
            if !is_constant(&coupling) {
                return None;
            }
            terms.push((false, applied(&coupling, &of(other))));
        }
        match terms.len() {
            1 => terms.pop().map(|(_, v)| v),
            _ => Some(Vector::Sum(terms)),
        }
    }

    /// The multipliers as vectors: those of each statement with three components, or all two or three of them.
    fn reactions(&mut self) -> Vec<Candidate> {
        let all: Vec<Expr> = self
            .stated
            .multipliers
            .iter()
            .map(|q| q.value.clone())
            .collect();
        let constraints = &self.problem.constraints;
        let statements = match all.len() == constraints.len() {
            true => constraints.last().map_or(0, |c| c.statement + 1),
            false => 0,
        };
        let of = |statement: usize| -> Vec<Expr> {
            let own = constraints.iter().zip(&all);
            let own = own.filter(|(c, _)| c.statement == statement);
            own.map(|(_, e)| e.clone()).collect()
        };
        let mut groups: Vec<Vec<Expr>> = (0..statements).map(of).collect();
        groups.retain(|g| g.len() == 3);
        if groups.is_empty() && matches!(all.len(), 2 | 3) {
            groups.push(all);
        }
        let names: &[&str] = match groups.len() {
            1 => &["lambda"],
            _ => &[
                "lambda_a", "lambda_b", "lambda_c", "lambda_d", "lambda_e", "lambda_f",
            ],
        };
        let one = |mut value: Vec<Expr>| {
            value.resize(3, Expr::zero());
            let column = Vector::Column(value.clone());
            let vector = self.names.define_as(names, &column);
            Candidate { vector, value }
        };
        groups.into_iter().map(one).collect()
    }

    /// What may stand in front of a vector.
    fn scalars(&self, unknowns: &[Symbol]) -> Vec<Symbol> {
        let multipliers = self.stated.multipliers.iter();
        let multipliers = multipliers.filter_map(|q| q.value.as_symbol().cloned());
        let controls = self.problem.controls.iter().map(|c| c.symbol.clone());
        let groups: Vec<Symbol> = Turning::all(&self.problem.system)
            .into_iter()
            .flat_map(|t| t.velocities)
            .collect();
        let rates = unknowns.iter().filter(|s| s.order() > 1).cloned();
        let speeds = self
            .problem
            .system
            .frame()
            .fibre()
            .iter()
            .filter(|s| !groups.contains(s))
            .cloned();
        multipliers
            .chain(controls)
            .chain(rates)
            .chain(speeds)
            .collect()
    }
}
