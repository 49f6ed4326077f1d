//! The equations of steady motions z(t) = exp(t ξ) z with ξ = Σ ω_k ξ_k, which are equilibria where ξ = 0.
//!
//! With L_ξ(z) = L(z, ξ(z)) and α = ∂L/∂y at y = ξ(z), d/dt ∂L/∂y − ∂L/∂z along the motion is £_ξ α − dL_ξ. So
//!
//! ```text
//! (e_A[L_ξ] − £_ξ α)_A + F_A(z, ξ) + λ_s A^s_A = 0        A^s ξ + a^s = 0        g(z) = 0
//! ```
//!
//! £_ξ α vanishes where L is invariant; it does not where L changes by a total derivative, as that of a charge in a
//! magnetic field does.

use super::solve::{Angle, Equations};
use crate::finding::search::Search;
use crate::steady::{lines, rotation_entries};
use crate::{Gap, Named, Phrase};
use rattleback_lie::Group;
use rattleback_mechanics::{Factor, NamedSection, System};
use rattleback_symbolic::{
    Expr, Function, Kind, Map, Matrix, Symbol, determinant, dot, normalize, postorder, replace_all,
    rewrite, substitute_all,
};
use std::cell::RefCell;

/// A symmetry with the symbol of its rate.
#[derive(Clone, Debug)]
pub(super) struct Mover {
    /// The symmetry.
    pub field: NamedSection,
    /// Does it leave the Lagrangian itself alone, not only the equations?
    pub strict: bool,
    /// Its rate by this: the velocity of the coordinate that it moves alone, or a symbol of its own.
    pub rate: Symbol,
    /// The rate of the field for a unit of that.
    pub scale: Expr,
}

impl Mover {
    /// How fast the field is followed.
    pub fn speed(&self) -> Expr {
        &self.scale * Expr::from(&self.rate)
    }
}

/// Where the start is.
pub(super) struct Starts<'a> {
    /// Where coordinates are put that symmetries move anywhere.
    pub gauge: &'a dyn Fn(&Symbol) -> Expr,
    /// Where states are looked for that the equations do not give.
    pub tried: &'a dyn Fn(&Symbol) -> Expr,
}

/// The equations with what their unknowns are.
pub(super) struct Setting {
    /// What is to be solved.
    pub equations: Equations,
    /// The velocity ξ.
    pub velocity: Vec<Expr>,
    /// Positions that the symmetries move, at the start's values.
    pub gauge: Vec<(Symbol, Expr)>,
}

impl Setting {
    /// The equations of steady motions along some symmetries, or of equilibria where there are none, with `values` in
    /// the place of parameters. None where they are no polynomials on circles and spheres: then the search leaves
    /// something out.
    pub fn of(
        system: &System,
        movers: &[Mover],
        starts: &Starts<'_>,
        values: &[(Symbol, Expr)],
        search: &mut Search,
    ) -> Option<Self> {
        let frame = system.frame();
        let n = frame.rank();
        let component = |a: usize| {
            let terms = movers.iter().map(|m| m.speed() * &m.field.components[a]);
            Expr::sum(terms)
        };
        let velocity: Vec<Expr> = (0..n).map(component).collect();
        let on: Vec<(Symbol, Expr)> = frame
            .fibre()
            .iter()
            .cloned()
            .zip(velocity.clone())
            .collect();
        let at = |e: &Expr| e.substitute(&on);
        let still = at(system.lagrangian());
        let force: Vec<Expr> = system.force().iter().map(at).collect();
        let slopes: Vec<Expr> = (0..n)
            .map(|a| {
                frame
                    .act_basis(a, std::slice::from_ref(&still))
                    .swap_remove(0)
            })
            .collect();
        let carried = match movers.iter().all(|m| m.strict) {
            true => vec![Expr::zero(); n],
            false => carried_momentum(system, &velocity, &on),
        };
        let balance: Vec<Expr> = (0..n)
            .map(|a| &slopes[a] - &carried[a] + &force[a])
            .collect();
        let constraints = system.constraints();
        let multipliers: Vec<Symbol> = (0..constraints.len())
            .map(|s| Symbol::variable(&format!("multiplier {s}")))
            .collect();
        let forms = constraints.forms();
        let pushed = |a: usize| {
            let terms = multipliers.iter().enumerate();
            Expr::sum(terms.map(|(s, l)| Expr::from(l) * &forms[(s, a)]))
        };
        let mut equations: Vec<Expr> = (0..n).map(|a| &balance[a] + pushed(a)).collect();
        let kept = forms.apply(&velocity);
        equations.extend(kept.iter().zip(constraints.offsets()).map(|(r, a)| r + a));
        equations.extend(constraints.positions().cloned());
        let gauge = gauge(system, movers, starts.gauge);
        let put = [&gauge[..], values].concat();
        let equations = substitute_all(&equations, &put);
        let velocity = substitute_all(&velocity, &put);
        let equations = without_idle(equations, &multipliers);
        let rates = movers.iter().map(|m| m.rate.clone());
        let posed = Posed {
            equations,
            multipliers,
            rates: rates.collect(),
            alike: moved_alike(movers, &put),
        };
        let equations = posed.algebraic(system, starts.tried);
        match equations {
            Ok(equations) => Some(Self {
                equations,
                velocity,
                gauge,
            }),
            Err(gap) => {
                search.leave_out(gap);
                None
            }
        }
    }
}

/// The equations without reactions that one of them says are zero: what these press on need not be known.
fn without_idle(mut equations: Vec<Expr>, multipliers: &[Symbol]) -> Vec<Expr> {
    loop {
        let idle = multipliers.iter().find(|l| {
            let alone = |e: &Expr| {
                let (coefficient, core) = e.split_coefficient();
                core.as_symbol() == Some(l) && !coefficient.is_zero()
            };
            equations.iter().any(alone)
        });
        let Some(idle) = idle else {
            return equations;
        };
        let gone = [(idle.clone(), Expr::zero())];
        equations = substitute_all(&equations, &gone);
    }
}

/// £_ξ α with α_A = ∂L/∂y^A at y = ξ(z): ξ[α_A] − α([ξ, e_A]).
fn carried_momentum(system: &System, velocity: &[Expr], on: &[(Symbol, Expr)]) -> Vec<Expr> {
    let frame = system.frame();
    let alpha = substitute_all(&system.momenta(), on);
    let along = frame.act(velocity, &alpha);
    let turned = |a: usize| dot(&alpha, &frame.bracket(velocity, &frame.basis(a)));
    along
        .iter()
        .enumerate()
        .map(|(a, e)| e - turned(a))
        .collect()
}

/// Coordinates and group elements that the symmetries reach from any other place: they may be put anywhere.
pub(super) fn gauge(
    system: &System,
    movers: &[Mover],
    start: &dyn Fn(&Symbol) -> Expr,
) -> Vec<(Symbol, Expr)> {
    let mut fixed: Vec<(Symbol, Expr)> = Vec::new();
    let mut done: Vec<usize> = Vec::new();
    let mut left: Vec<&Mover> = movers.iter().collect();
    loop {
        let before = done.len();
        for (k, factor) in system.factors().iter().enumerate() {
            let settled = |a: &usize| {
                let mut all = done.iter().map(|&d| &system.factors()[d]);
                all.any(|f| f.fibre.contains(a))
            };
            // So many fields that move this factor, and no other that is not yet fixed, fix it.
            let own = |m: &&&Mover| {
                let mut moved = m.field.components.iter().enumerate();
                moved.all(|(a, c)| c.is_zero() || factor.fibre.contains(&a) || settled(&a))
            };
            let alone: Vec<&Mover> = left.iter().filter(own).copied().collect();
            let spans =
                alone.len() == factor.fibre.len() && is_constant_unit(system, factor, &alone);
            if done.contains(&k) || !spans {
                continue;
            }
            let base = &system.frame().base()[factor.base.clone()];
            fixed.extend(base.iter().map(|z| (z.clone(), start(z))));
            left.retain(|m| !alone.iter().any(|a| a.rate == m.rate));
            done.push(k);
        }
        if done.len() == before {
            return fixed;
        }
    }
}

/// Do fields move a factor in all its directions: one with constant component, or the rows of a rotation?
fn is_constant_unit(system: &System, factor: &Factor, fields: &[&Mover]) -> bool {
    let within = |m: &Mover| m.field.components[factor.fibre.clone()].to_vec();
    match (factor.group, fields) {
        (None, [one]) => within(one)[0].as_number().is_some_and(|c| !c.is_zero()),
        (Some(_), all) => {
            let rows: Vec<Vec<Expr>> = all.iter().map(|m| within(m)).collect();
            let n = rows.len();
            let matrix = Matrix::new(n, n, |i, j| rows[i][j].clone());
            // Everywhere on the group: a number after its free parameters are put in.
            determinant(&matrix).is_ok_and(|d| {
                let d = crate::exact::tidy(&d.substitute(system.parametrization()));
                d.as_number().is_some_and(|c| !c.is_zero())
            })
        }
        _ => false,
    }
}

/// Where two symmetries move a state alike: there an upright top sleeps, and the equations are often shorter.
fn moved_alike(movers: &[Mover], put: &[(Symbol, Expr)]) -> Vec<Vec<Expr>> {
    let at = |m: &Mover| substitute_all(&m.field.components, put);
    let fields: Vec<Vec<Expr>> = movers.iter().map(at).collect();
    let minors = |f: &[Expr], g: &[Expr]| -> Vec<Expr> {
        let pairs = (0..f.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let all = pairs.map(|(a, b)| crate::exact::tidy(&(&f[a] * &g[b] - &f[b] * &g[a])));
        all.filter(|e| !e.is_zero()).collect()
    };
    let mut all = Vec::new();
    for (k, f) in fields.iter().enumerate() {
        all.extend(fields[..k].iter().map(|g| minors(f, g)));
    }
    // Where a number is among them, there is no such state.
    all.retain(|place| place.iter().all(|e| e.as_number().is_none()));
    all
}

/// Equations before sines and cosines become unknowns.
struct Posed {
    equations: Vec<Expr>,
    multipliers: Vec<Symbol>,
    rates: Vec<Symbol>,
    alike: Vec<Vec<Expr>>,
}

impl Posed {
    /// The same with sines and cosines as unknowns on circles, and entries of groups on spheres.
    fn algebraic(
        self,
        system: &System,
        tried: &dyn Fn(&Symbol) -> Expr,
    ) -> Result<Equations, Phrase<Gap>> {
        let Posed {
            equations,
            multipliers,
            rates,
            alike,
        } = self;
        let split = |e: &Expr| normalize(&split_angles(e));
        let equations: Vec<Expr> = equations.iter().map(split).collect();
        let angles = turning(system, &equations);
        let sides: Vec<(Expr, Expr)> = angles.iter().flat_map(Angle::sides).collect();
        let equations: Vec<Expr> = equations.iter().map(|e| replace(e, &sides)).collect();
        let occurs = |z: &Symbol| equations.iter().any(|e| e.contains(z));
        if let Some(angle) = angles.iter().find(|a| occurs(&a.coordinate)) {
            let name = angle.coordinate.to_string();
            return Err(Gap::AngleBesideItsSine.with("angle", name));
        }
        let relations = on_groups(system, &occurs);
        let tied = |z: &Symbol| relations.iter().any(|r: &Expr| r.contains(z));
        let base = system.frame().base().iter();
        let positions: Vec<Symbol> = base.filter(|z| occurs(z) || tied(z)).cloned().collect();
        let here = positions.iter().map(|z| Expr::from(z) - tried(z));
        let places = angles.iter().map(|a| &a.coordinate);
        let at: Vec<(Symbol, Expr)> = places.map(|z| (z.clone(), tried(z))).collect();
        let turned = sides.iter().map(|(q, side)| side - q.substitute(&at));
        let replaced = |e: &Expr| replace(&split(e), &sides);
        let alike = alike.iter();
        let unknowns = multipliers
            .iter()
            .chain(&rates)
            .chain(angles.iter().flat_map(|a| [&a.sine, &a.cosine]))
            .chain(&positions);
        Ok(Equations {
            unknowns: unknowns.cloned().collect(),
            alike: alike
                .map(|place| place.iter().map(replaced).collect())
                .collect(),
            start: here.chain(turned).collect(),
            multipliers,
            equations,
            angles,
            relations,
            rates,
            assumed: RefCell::default(),
        })
    }
}

/// The coordinates whose sines and cosines occur.
fn turning(system: &System, equations: &[Expr]) -> Vec<Angle> {
    let nodes = postorder(equations, |_| true);
    let turns = |z: &&Symbol| {
        nodes.iter().any(|node| match node.kind() {
            Kind::Function(Function::Sin | Function::Cos, x) => x[0].as_symbol() == Some(z),
            _ => false,
        })
    };
    let base = system.frame().base().iter();
    base.filter(turns).map(Angle::of).collect()
}

/// What the entries of groups that occur satisfy.
fn on_groups(system: &System, occurs: &dyn Fn(&Symbol) -> bool) -> Vec<Expr> {
    let mut relations = Vec::new();
    for factor in system.factors() {
        let Some(group) = factor.group else { continue };
        let entries = &system.frame().base()[factor.base.clone()];
        let used = (0..entries.len()).filter(|&i| occurs(&entries[i]));
        relations.extend(related(group, entries, &used.collect::<Vec<_>>()));
    }
    relations
}

/// Sines and cosines of sums by those of their terms.
fn split_angles(e: &Expr) -> Expr {
    rewrite(e, |node| match node.kind() {
        Kind::Function(f @ (Function::Sin | Function::Cos), x) => split_sum(*f, &x[0]),
        _ => None,
    })
}

/// The sine or cosine of a sum; `None` if it is none.
fn split_sum(f: Function, x: &Expr) -> Option<Expr> {
    let Kind::Sum(c, terms) = x.kind() else {
        return None;
    };
    let (mut cosine, mut sine) = (Expr::from(c).cos(), Expr::from(c).sin());
    for a in terms.iter().map(|(t, c)| Expr::from(c) * t) {
        let (c, s) = (a.cos(), a.sin());
        (cosine, sine) = (&cosine * &c - &sine * &s, &sine * &c + &cosine * &s);
    }
    Some(if f == Function::Sin { sine } else { cosine })
}

/// What entries of a group in use satisfy: that of the sphere where they are on one line of a rotation, else all
/// relations of the group.
fn related(group: Group, entries: &[Symbol], used: &[usize]) -> Vec<Expr> {
    let unit = |on: &Vec<usize>| Expr::sum(on.iter().map(|&i| Expr::from(&entries[i]).powi(2))) - 1;
    let turning = rotation_entries(group);
    let used: Vec<usize> = used
        .iter()
        .copied()
        .filter(|i| turning.contains(i))
        .collect();
    if used.is_empty() {
        return Vec::new();
    }
    let within = |line: &&Vec<usize>| used.iter().all(|i| line.contains(i));
    let all = lines(group);
    if let Some(line) = all.iter().find(within) {
        return vec![unit(line)];
    }
    // Any unit row and any unit column with the same corner are those of a rotation of space.
    let pair = all.iter().enumerate().find_map(|(i, row)| {
        let crossing = all[i + 1..].iter().find(|column| {
            let shared = row.iter().filter(|e| column.contains(e)).count();
            let covered = |i: &usize| row.contains(i) || column.contains(i);
            row.len() == 3 && shared == 1 && used.iter().all(covered)
        });
        crossing.map(|column| vec![unit(row), unit(column)])
    });
    match pair {
        Some(pair) => pair,
        None => {
            let entries: Vec<Expr> = entries.iter().map(Expr::from).collect();
            let mut all = group.relations(&entries);
            all.extend(group.orientation(&entries));
            all
        }
    }
}

/// Replaces subexpressions, the first of several values for one.
fn replace(e: &Expr, pairs: &[(Expr, Expr)]) -> Expr {
    let table: Map<Expr, Expr> = pairs.iter().rev().cloned().collect();
    replace_all(std::slice::from_ref(e), &table).swap_remove(0)
}
