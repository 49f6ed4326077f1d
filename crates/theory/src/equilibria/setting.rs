//! The equations of steady motions z(t) = exp(t ξ) z with ξ = Σ ω_k ξ_k, which are equilibria where ξ = 0.
//!
//! With L_ξ(z) = L(z, ξ(z)) and L invariant, d/dt ∂L/∂y − ∂L/∂z along the motion is −dL_ξ. So
//!
//! ```text
//! e_A[L_ξ] + F_A(z, ξ) + λ_s A^s_A = 0        A^s ξ + a^s = 0        g(z) = 0
//! ```

use super::solve::{Angle, Equations};
use crate::finding::search::Search;
use crate::{Gap, Named, Phrase};
use rattleback_lie::Group;
use rattleback_mechanics::{Factor, NamedSection, System};
use rattleback_symbolic::{
    Expr, Function, Kind, Map, Matrix, Symbol, determinant, normalize, postorder, substitute_all,
};

/// A symmetry with the symbol of its rate.
#[derive(Clone, Debug)]
pub(super) struct Mover {
    /// The symmetry.
    pub field: NamedSection,
    /// Its rate: the velocity of the coordinate that it moves alone, or a symbol of its own.
    pub rate: Symbol,
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
    /// The equations of steady motions along some symmetries, or of equilibria where there are none. None where they
    /// are no polynomials on circles and spheres: then the search leaves something out.
    pub fn of(
        system: &System,
        movers: &[Mover],
        start: &dyn Fn(&Symbol) -> Expr,
        search: &mut Search,
    ) -> Option<Self> {
        let frame = system.frame();
        let n = frame.rank();
        let component = |a: usize| {
            let terms = movers
                .iter()
                .map(|m| Expr::from(&m.rate) * &m.field.components[a]);
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
        let balance: Vec<Expr> = slopes.iter().zip(&force).map(|(s, f)| s + f).collect();
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
        equations.extend(constraints.holonomic().iter().cloned());
        let gauge = gauge(system, movers, start);
        let equations = substitute_all(&equations, &gauge);
        let velocity = substitute_all(&velocity, &gauge);
        let rates = movers.iter().map(|m| m.rate.clone());
        let equations = algebraic(system, equations, multipliers, rates.collect());
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

/// Coordinates and group elements that the symmetries reach from any other place: they may be put anywhere.
fn gauge(
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

/// The same with sines and cosines as unknowns on circles, and entries of groups on spheres.
fn algebraic(
    system: &System,
    equations: Vec<Expr>,
    multipliers: Vec<Symbol>,
    rates: Vec<Symbol>,
) -> Result<Equations, Phrase<Gap>> {
    let split = |e: &Expr| normalize(&split_angles(e));
    let mut equations: Vec<Expr> = equations.iter().map(split).collect();
    let mut angles: Vec<Angle> = Vec::new();
    let mut replaced: Vec<(Expr, Expr)> = Vec::new();
    let frame = system.frame();
    for z in frame.base() {
        let uses = |f: &Function| matches!(f, Function::Sin | Function::Cos);
        let occurs = equations.iter().any(|e| {
            let nodes = postorder(std::slice::from_ref(e), |_| true);
            nodes.iter().any(|node| match node.kind() {
                Kind::Function(f, x) => uses(f) && x[0].as_symbol() == Some(z),
                _ => false,
            })
        });
        if !occurs {
            continue;
        }
        let side = |name: &str| Symbol::variable(&format!("{name} of {z}"));
        let angle = Angle {
            coordinate: z.clone(),
            cosine: side("cosine"),
            sine: side("sine"),
        };
        let q = Expr::from(z);
        replaced.push((q.cos(), Expr::from(&angle.cosine)));
        replaced.push((q.sin(), Expr::from(&angle.sine)));
        angles.push(angle);
    }
    equations = equations.iter().map(|e| replace(e, &replaced)).collect();
    let occurs = |z: &Symbol| equations.iter().any(|e| e.contains(z));
    let mut relations = Vec::new();
    for factor in system.factors() {
        let Some(group) = factor.group else { continue };
        let entries = &frame.base()[factor.base.clone()];
        let used: Vec<usize> = (0..entries.len())
            .filter(|&i| occurs(&entries[i]))
            .collect();
        match sphere(group, &used) {
            Some(on) => relations.extend(on.map(|on: Vec<usize>| {
                Expr::sum(on.iter().map(|&i| Expr::from(&entries[i]).powi(2))) - 1
            })),
            None => return Err(Gap::GroupEntriesMixed.with("group", factor.name.clone())),
        }
    }
    if let Some(angle) = angles.iter().find(|a| occurs(&a.coordinate)) {
        let name = angle.coordinate.to_string();
        return Err(Gap::AngleBesideItsSine.with("angle", name));
    }
    let positions: Vec<Symbol> = frame
        .base()
        .iter()
        .filter(|z| occurs(z) || relations.iter().any(|r: &Expr| r.contains(z)))
        .cloned()
        .collect();
    let sides = angles
        .iter()
        .flat_map(|a| [a.sine.clone(), a.cosine.clone()]);
    let unknowns = multipliers
        .into_iter()
        .chain(rates)
        .chain(sides)
        .chain(positions);
    Ok(Equations {
        unknowns: unknowns.collect(),
        equations,
        angles,
        relations,
    })
}

/// Sines and cosines of sums by those of their terms.
fn split_angles(e: &Expr) -> Expr {
    let mut done: Map<Expr, Expr> = Map::default();
    for node in postorder(std::slice::from_ref(e), |_| true) {
        let rebuilt = node
            .kind()
            .rebuild(|c| done.get(c).unwrap_or(c).clone())
            .unwrap_or_else(|| node.clone());
        let value = match rebuilt.kind() {
            Kind::Function(f @ (Function::Sin | Function::Cos), x) => match x[0].kind() {
                Kind::Sum(c, terms) => {
                    let all = terms.iter().map(|(t, c)| Expr::from(c) * t);
                    let (mut cosine, mut sine) = (Expr::from(c).cos(), Expr::from(c).sin());
                    for a in all {
                        let (c, s) = (a.cos(), a.sin());
                        (cosine, sine) = (&cosine * &c - &sine * &s, &sine * &c + &cosine * &s);
                    }
                    if *f == Function::Sin { sine } else { cosine }
                }
                _ => rebuilt.clone(),
            },
            _ => rebuilt.clone(),
        };
        done.insert(node, value);
    }
    done.remove(e).unwrap_or_else(|| e.clone())
}

/// The entries whose squares add up to one, where those in use are a row or a column of a rotation;
/// an empty answer where none are in use, none where they are mixed.
fn sphere(group: Group, used: &[usize]) -> Option<Option<Vec<usize>>> {
    if used.is_empty() {
        return Some(None);
    }
    let lines: Vec<Vec<usize>> = match group {
        Group::R(_) => return Some(None),
        Group::SO3 => {
            let row = |i: usize| (0..3).map(|j| 3 * i + j).collect();
            let column = |j: usize| (0..3).map(|i| 3 * i + j).collect();
            (0..3).map(row).chain((0..3).map(column)).collect()
        }
        Group::SO2 => vec![vec![0, 1], vec![2, 3], vec![0, 2], vec![1, 3]],
        Group::SU2 | Group::SE2 | Group::SE3 => return None,
    };
    let within = |line: &&Vec<usize>| used.iter().all(|i| line.contains(i));
    lines.iter().find(within).map(|line| Some(line.clone()))
}

fn replace(e: &Expr, pairs: &[(Expr, Expr)]) -> Expr {
    let mut done: Map<Expr, Expr> = Map::default();
    for node in postorder(std::slice::from_ref(e), |_| true) {
        let known = pairs.iter().find(|(from, _)| *from == node);
        let value = match known {
            Some((_, to)) => to.clone(),
            None => node
                .kind()
                .rebuild(|c| done.get(c).unwrap_or(c).clone())
                .unwrap_or_else(|| node.clone()),
        };
        done.insert(node, value);
    }
    done.remove(e).unwrap_or_else(|| e.clone())
}
