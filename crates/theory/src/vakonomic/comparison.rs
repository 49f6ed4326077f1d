//! The two motions side by side: what a multiplier must satisfy along a nonholonomic motion.

use super::EquivalenceError;
use crate::exact::{tidy, tidy_all};
use rattleback_geometry::Frame;
use rattleback_mechanics::engine::{MassForm, euler_lagrange};
use rattleback_mechanics::{Chaplygin, System};
use rattleback_symbolic::{
    Budget, Expr, Matrix, Role, Symbol, determinant_within, dot, free_symbols, inverse,
    prove_all_zero, solve, substitute_all,
};

/// The nonholonomic motion on D and the conditions on a multiplier μ along it.
///
/// With λ the reaction, A^s(W_t) = δ^s_t for a complement W of D, and E the Euler-Lagrange operator,
/// the motion solves E(L) = F + μ'_s A^s + μ_s E(φ^s) exactly if (VE-C07, C08)
///
/// ```text
/// M μ = 0,  M_as = E(φ^s)(Z_a)        μ' = λ − N μ,  N_ts = E(φ^s)(W_t)
/// ```
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Positions z.
    pub positions: Vec<Symbol>,
    /// Velocities v of the frame of D.
    pub velocities: Vec<Symbol>,
    /// z' and then v' along the nonholonomic motion, in (z, v).
    pub rates: Vec<Expr>,
    /// The ambient velocity V(z, v).
    pub velocity: Vec<Expr>,
    /// The multipliers μ_s by name.
    pub multipliers: Vec<Symbol>,
    /// λ_t in (z, v).
    pub reactions: Vec<Expr>,
    /// M: one row per velocity of D, one column per constraint.
    pub turning: Matrix,
    /// N.
    pub transport: Matrix,
    /// ⟨p, W_t⟩ on D: the momentum along the complement.
    pub momenta: Vec<Expr>,
    /// The velocities that span the complement; none where it is not spanned by some.
    pub across: Vec<Symbol>,
    /// What must not vanish for the complement to be one.
    pub conditions: Vec<Expr>,
    /// Functions at whose zeros the system itself is degenerate: the metric of D, the rank of the
    /// constraints, the frame of D.
    pub regular: Vec<Expr>,
    /// Positions by free parameters, for proofs.
    pub on: Vec<(Symbol, Expr)>,
    /// The parameters at their values in the model, where there is one.
    pub parameters: Vec<(Symbol, f64)>,
}

impl Comparison {
    /// For first-order systems with constraints linear or affine in the velocities.
    pub fn of(system: &System) -> Result<Self, EquivalenceError> {
        if system.order() > 1 {
            return Err(EquivalenceError::HigherOrder);
        }
        let (frame, sections) = (system.frame(), system.sections()?);
        let velocity = sections.velocity();
        let MassForm { mass, bias } = system.restricted()?.equations();
        let minus: Vec<Expr> = bias.iter().map(|b| -b).collect();
        let accelerations = solve(&mass, &Matrix::column_vector(&minus))?.solution;
        let accelerations = tidy_all(&accelerations.column(0));
        let unbalanced = unbalanced(system, &velocity, &accelerations)?;
        let turned = constraint_forces(system, &velocity);
        let pair = |s: usize, x: &[Expr]| tidy(&dot(&turned[s], x));
        let m = system.constraints().len();
        let p = sections.restrict(frame, &system.momenta());
        let mut regular = [system.rank_drop(), system.frame_conditions()].concat();
        regular.extend(determinant_within(&mass, Budget::SMALL).map(|d| tidy(&d)));
        regular.retain(|f| !f.is_nonvanishing());
        let rates = [tidy_all(&frame.anchored(&velocity)), accelerations].concat();
        let turning = Matrix::new(sections.rank(), m, |a, s| {
            pair(s, &sections.basis.column(a))
        });
        let across = |covector: &[Expr], complement: &Complement| -> Vec<Expr> {
            let fields = complement.fields.iter();
            fields.map(|w| tidy(&dot(covector, w))).collect()
        };
        let with = |complement: Complement| Self {
            regular: regular.clone(),
            positions: frame.base().to_vec(),
            velocities: sections.velocities.clone(),
            rates: rates.clone(),
            multipliers: system.variational_multipliers(),
            turning: turning.clone(),
            transport: Matrix::new(m, m, |t, s| pair(s, &complement.fields[t])),
            momenta: across(&p, &complement),
            reactions: across(&unbalanced, &complement),
            velocity: velocity.clone(),
            across: complement.across,
            conditions: complement.conditions,
            on: system.parametrization().to_vec(),
            parameters: parameters(system),
        };
        let mut all = Complement::all(system)?.into_iter().map(with);
        let first = all.next().ok_or(EquivalenceError::Unconstrained)?;
        // Of those that are as good the one whose momentum is a multiplier, whatever the names.
        let mut all: Vec<Self> = all.collect();
        let gyro_free = |c: &Self| {
            let defects = c.freed(&c.defects(&c.momenta));
            prove_all_zero(&defects).is_proven()
        };
        let better = match all.is_empty() || gyro_free(&first) {
            true => None,
            false => all.iter().position(gyro_free),
        };
        Ok(better.map_or(first, |k| all.swap_remove(k)))
    }

    /// Do the motion or the conditions on μ depend on time?
    pub(super) fn is_time_dependent(&self) -> bool {
        free_symbols(&self.conditions_and_rates())
            .iter()
            .any(|s| s.role() == Role::Time)
    }

    /// Is everything the same after a full turn of a position?
    pub(super) fn is_periodic(&self, q: &Symbol) -> bool {
        let turn = [(q.clone(), Expr::from(q) + 2 * Expr::pi())];
        let all = self.conditions_and_rates();
        let gaps = all.iter().map(|e| e.substitute(&turn) - e);
        prove_all_zero(&gaps.collect::<Vec<_>>()).is_proven()
    }

    fn conditions_and_rates(&self) -> Vec<Expr> {
        [
            self.rates.as_slice(),
            self.turning.entries(),
            self.transport.entries(),
            &self.reactions,
        ]
        .concat()
    }

    /// The derivative of functions of (t, z, v, μ) along the motion, with μ' = λ − N μ.
    pub fn along(&self, f: &[Expr]) -> Vec<Expr> {
        let mu: Vec<Expr> = self.multipliers.iter().map(Expr::from).collect();
        let state: Vec<&Symbol> = self.positions.iter().chain(&self.velocities).collect();
        rattleback_symbolic::derivations(f, |x| {
            if x.role() == Role::Time {
                return Expr::one();
            }
            if let Some(i) = state.iter().position(|s| *s == x) {
                return self.rates[i].clone();
            }
            match self.multipliers.iter().position(|s| s == x) {
                Some(t) => &self.reactions[t] - dot(self.transport.row(t), &mu),
                None => Expr::zero(),
            }
        })
    }

    /// M μ: what must vanish (VE-C08).
    pub fn residual(&self) -> Vec<Expr> {
        let mu: Vec<Expr> = self.multipliers.iter().map(Expr::from).collect();
        self.turning.apply(&mu)
    }

    /// What must vanish for the functions μ(z, v) to be multipliers of every nonholonomic motion:
    /// M μ and X(μ) + N μ − λ.
    pub fn defects(&self, mu: &[Expr]) -> Vec<Expr> {
        let mut all = self.turning.apply(mu);
        let rates = self.along(mu);
        let turned = self.transport.apply(mu);
        for t in 0..mu.len() {
            all.push(&rates[t] + &turned[t] - &self.reactions[t]);
        }
        all
    }

    /// The velocities of D in the ambient velocities, on D: the formulas that a reader wants to see.
    /// A velocity of D that is an ambient one goes by its name; the others are found from what is left.
    pub fn ambient(&self, fibre: &[Symbol]) -> Vec<(Symbol, Expr)> {
        let mut known: Vec<(Symbol, Expr)> = Vec::new();
        let mut rows: Vec<usize> = (0..fibre.len()).collect();
        for v in &self.velocities {
            let own = rows.iter().position(|&i| self.velocity[i] == Expr::from(v));
            if let Some(place) = own {
                known.push((v.clone(), Expr::from(&fibre[rows.remove(place)])));
            }
        }
        let open: Vec<Symbol> = self
            .velocities
            .iter()
            .filter(|v| known.iter().all(|(w, _)| w != *v))
            .cloned()
            .collect();
        if open.is_empty() {
            return known;
        }
        // Bᵀ B v = Bᵀ (y − what is known), on the rows that are left.
        let here = |i: usize| self.velocity[i].substitute(&known);
        let rest: Vec<(Symbol, Expr)> = open.iter().map(|v| (v.clone(), Expr::zero())).collect();
        let b = Matrix::new(rows.len(), open.len(), |i, a| here(rows[i]).diff(&open[a]));
        let shifted: Vec<Expr> = rows
            .iter()
            .map(|&i| Expr::from(&fibre[i]) - here(i).substitute(&rest))
            .collect();
        let transpose = b.transpose();
        let gram = (&transpose * &b).map(tidy);
        if let Ok(found) = solve(&gram, &Matrix::column_vector(&transpose.apply(&shifted))) {
            let values = tidy_all(&found.solution.column(0));
            known.extend(open.into_iter().zip(values));
        }
        known
    }

    /// The same comparison where some symbols have values: special parameters, or a set of states that
    /// the motion carries along. `on` parametrises what is left of redundant positions.
    pub(super) fn within(&self, values: &[(Symbol, Expr)], on: &[(Symbol, Expr)]) -> Self {
        let all = |f: &[Expr]| tidy_all(&substitute_all(f, values));
        let matrix = |m: &Matrix| {
            let entries = all(m.entries());
            let columns = m.cols();
            Matrix::new(m.rows(), columns, |i, j| entries[i * columns + j].clone())
        };
        Self {
            rates: all(&self.rates),
            velocity: all(&self.velocity),
            reactions: all(&self.reactions),
            turning: matrix(&self.turning),
            transport: matrix(&self.transport),
            momenta: all(&self.momenta),
            on: on.to_vec(),
            ..self.clone()
        }
    }

    /// The expressions as functions of free parameters.
    pub(crate) fn freed(&self, f: &[Expr]) -> Vec<Expr> {
        substitute_all(f, &self.on)
    }
}

fn parameters(system: &System) -> Vec<(Symbol, f64)> {
    let constant = |(s, e): &(Symbol, Expr)| {
        (s.role() == Role::Constant).then(|| Some((s.clone(), e.evaluate(&[]).ok()?)))?
    };
    system.start_point().iter().filter_map(constant).collect()
}

/// W_t with A^s(W_t) = δ^s_t.
struct Complement {
    fields: Vec<Vec<Expr>>,
    /// The velocities that span it.
    across: Vec<Symbol>,
    conditions: Vec<Expr>,
}

/// Blocks of the constraint matrix that are tried.
const MOST_BLOCKS: usize = 120;
/// Of which so many are written out where they are as good.
const MOST_WRITTEN: usize = 8;
/// A complement with longer formulas gives way to one that is not regular everywhere.
const LONG: usize = 300;

impl Complement {
    /// The fibre of a Chaplygin structure; else the shortest of the blocks of velocities that are regular everywhere;
    /// else Aᵀ(AAᵀ)⁻¹ if it is short; else the block with the shortest determinant. All that are as good, by names: the
    /// order of statements decides nothing.
    fn all(system: &System) -> Result<Vec<Self>, EquivalenceError> {
        let a = system.constraints().forms();
        let fibre = fibre(system);
        if let Some(found) = fibre.and_then(|columns| Self::in_block(system, &columns).ok())
            && found.conditions.is_empty()
        {
            return Ok(vec![found]);
        }
        let blocks = blocks(system);
        let (regular, others): (Vec<_>, Vec<_>) =
            blocks.into_iter().partition(|block| block.is_regular);
        if !regular.is_empty() {
            let written = shortest(regular).take(MOST_WRITTEN);
            let written: Result<Vec<Self>, _> = written
                .map(|block| Self::in_block(system, &block.columns))
                .collect();
            let mut written = written?;
            let least = written.iter().map(Self::size).min();
            written.retain(|c| Some(c.size()) == least);
            return Ok(written);
        }
        let found = match (Self::least_squares(a), shortest(others).next()) {
            (Ok(found), None) => found,
            (Ok(found), Some(_)) if found.size() <= LONG => found,
            (_, Some(block)) => Self::in_block(system, &block.columns)?,
            (failed, None) => failed?,
        };
        Ok(vec![found])
    }

    /// Aᵀ(AAᵀ)⁻¹.
    fn least_squares(a: &Matrix) -> Result<Self, EquivalenceError> {
        let m = a.rows();
        let transpose = a.transpose();
        let gram = (a * &transpose).map(tidy);
        let found = inverse(&gram)?;
        let w = (&transpose * &found.solution).map(tidy);
        Ok(Self {
            fields: (0..m).map(|t| w.column(t)).collect(),
            across: Vec::new(),
            conditions: found.conditions,
        })
    }

    fn size(&self) -> usize {
        self.fields.iter().flatten().map(Expr::node_count).sum()
    }

    fn in_block(system: &System, columns: &[usize]) -> Result<Self, EquivalenceError> {
        let a = system.constraints().forms();
        let across = columns.iter().map(|&i| system.frame().fibre()[i].clone());
        let rows: Vec<usize> = (0..a.rows()).collect();
        let found = inverse(&a.select(&rows, columns))?;
        let fields = rows.iter().map(|&t| {
            let mut w = vec![Expr::zero(); a.cols()];
            for (k, &column) in columns.iter().enumerate() {
                w[column] = found.solution[(k, t)].clone();
            }
            w
        });
        Ok(Self {
            fields: fields.collect(),
            across: across.collect(),
            conditions: found.conditions,
        })
    }
}

/// A square block of the constraint matrix whose determinant is not zero.
struct Block {
    columns: Vec<usize>,
    /// Has its determinant no zeros?
    is_regular: bool,
    /// The length of its determinant.
    length: usize,
}

/// The blocks, by the names of their velocities.
fn blocks(system: &System) -> Vec<Block> {
    let a = system.constraints().forms();
    let rows: Vec<usize> = (0..a.rows()).collect();
    let mut by_name: Vec<usize> = (0..a.cols()).collect();
    by_name.sort_by_key(|&i| system.frame().fibre()[i].to_string());
    let chosen = combinations(a.cols(), a.rows(), MOST_BLOCKS).into_iter();
    let block = |chosen: Vec<usize>| {
        let mut columns: Vec<usize> = chosen.into_iter().map(|k| by_name[k]).collect();
        columns.sort_unstable();
        let determinant = determinant_within(&a.select(&rows, &columns), Budget::SMALL).ok()?;
        let determinant = tidy(&determinant);
        (!determinant.is_zero()).then(|| Block {
            is_regular: determinant.is_nonvanishing(),
            length: determinant.node_count(),
            columns,
        })
    };
    chosen.filter_map(block).collect()
}

/// Those with the shortest determinant.
fn shortest(blocks: Vec<Block>) -> impl Iterator<Item = Block> {
    let least = blocks.iter().map(|block| block.length).min();
    blocks
        .into_iter()
        .filter(move |block| Some(block.length) == least)
}

/// The velocities of the fibre of a Chaplygin structure.
pub(crate) fn fibre(system: &System) -> Option<Vec<usize>> {
    let chaplygin = Chaplygin::on_coordinates(system)?;
    let base = &chaplygin.sections.velocities;
    let vertical =
        (0..system.frame().rank()).filter(|&i| !base.contains(&system.frame().fibre()[i]));
    Some(vertical.collect())
}

/// Index sets of size `m` below `n`, at most `most` of them.
fn combinations(n: usize, m: usize, most: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let mut stack: Vec<Vec<usize>> = vec![Vec::new()];
    while let Some(chosen) = stack.pop() {
        if found.len() == most {
            break;
        }
        if chosen.len() == m {
            found.push(chosen);
            continue;
        }
        let first = chosen.last().map_or(0, |i| i + 1);
        for next in (first..n).rev() {
            stack.push([chosen.as_slice(), &[next]].concat());
        }
    }
    found
}

/// E(L) − F on D along the motion: the reaction covector λ_s A^s.
fn unbalanced(
    system: &System,
    velocity: &[Expr],
    accelerations: &[Expr],
) -> Result<Vec<Expr>, EquivalenceError> {
    let (frame, sections) = (system.frame(), system.sections()?);
    let MassForm { mass, bias } =
        euler_lagrange(frame, system.lagrangian(), 1, system.force(), &[]);
    let known: Vec<(Symbol, Expr)> = sections
        .velocities
        .iter()
        .map(Symbol::derivative)
        .zip(accelerations.iter().cloned())
        .collect();
    let acceleration = frame.rates_along(velocity, velocity, |_| false);
    let acceleration = substitute_all(&acceleration, &known);
    let sides = sections.restrict(frame, &[mass.entries(), &bias].concat());
    let n = frame.rank();
    Ok((0..n)
        .map(|a| dot(&sides[a * n..(a + 1) * n], &acceleration) + &sides[n * n + a])
        .collect())
}

/// E_A(φ^s) on D for every s: dα^s(V, e_A) + ∂α^s_A/∂t − e_A[a^s], φ^s = α^s(y) + a^s.
fn constraint_forces(system: &System, velocity: &[Expr]) -> Vec<Vec<Expr>> {
    let (frame, constraints): (&Frame, _) = (system.frame(), system.constraints());
    (0..constraints.len())
        .map(|s| {
            let alpha = constraints.forms().row(s);
            let moved = frame.rates_along(velocity, alpha, |_| true);
            let bracket = frame.gyroscopic(velocity, alpha);
            let offset = frame.differential(&constraints.offsets()[s]);
            (0..frame.rank())
                .map(|a| {
                    let slope = dot(&frame.act_basis(a, alpha), velocity);
                    &moved[a] + &bracket[a] - slope - &offset[a]
                })
                .collect()
        })
        .collect()
}
