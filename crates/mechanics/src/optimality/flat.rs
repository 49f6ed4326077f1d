//! Flat outputs: state and controls as functions of outputs and their derivatives, checked exactly (AC-C39).

use super::{Objective, Steering};
use crate::{Problem, System};
use rattleback_symbolic::{
    Expr, Matrix, Role, Symbol, derivations, generic_rank, normalize, prove_zero, simplify,
    substitute_all,
};

/// A control problem by its flat outputs: without constraints, of higher order.
#[derive(Clone, Debug)]
pub struct Flatness {
    /// The outputs, as coordinates.
    pub outputs: Vec<Symbol>,
    /// The outputs as functions of the state.
    pub of_state: Vec<Expr>,
    /// The outputs and their derivatives along the motion, by order, as functions of state and controls.
    pub jets: Vec<Vec<Expr>>,
    /// Positions and further states in the outputs and their derivatives.
    pub state: Vec<(Symbol, Expr)>,
    /// Velocities of the model that are no states of the problem, in the outputs and their derivatives.
    pub velocities: Vec<(Symbol, Expr)>,
    /// The controls in the outputs and their derivatives.
    pub controls: Vec<(Symbol, Expr)>,
    /// The cost in the outputs and their derivatives.
    pub lagrangian: Expr,
    /// The highest derivative in it.
    pub order: u32,
}

/// Why outputs are not used.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NotFlat {
    /// As many as controls are needed.
    #[error(
        "{outputs} outputs cannot be flat where there are {controls} controls: give one for each"
    )]
    Count {
        /// How many outputs.
        outputs: usize,
        /// How many controls.
        controls: usize,
    },
    /// State or controls are no functions of the outputs and their derivatives.
    #[error("the outputs are not flat: their derivatives do not determine {what}")]
    Undetermined {
        /// Which state or control.
        what: String,
    },
    /// Not decided.
    #[error("whether the outputs are flat is not decided: {why}")]
    Undecided {
        /// What stood in the way.
        why: String,
    },
    /// The functions exist, but were not written down.
    #[error("the outputs are flat, but {what} is not written as a function of them")]
    NotInverted {
        /// Which state or control.
        what: String,
    },
    /// There is no control problem to write in outputs.
    #[error("flat outputs are for problems with controls and a cost: {why}")]
    NoProblem {
        /// What is missing.
        why: String,
    },
}

impl Problem {
    /// The control problem by its declared flat outputs.
    pub fn flatness(&self) -> Result<Flatness, NotFlat> {
        let system = self.steered();
        let none = |why: &str| NotFlat::NoProblem { why: why.into() };
        let Some(Objective::Cost(_)) = system.objective() else {
            return Err(none("there is no cost"));
        };
        let steering = system.steering().map_err(|e| none(&e.to_string()))?;
        let rates = steering.explicit();
        let rates = rates.ok_or_else(|| none("the accelerations are not written out"))?;
        let outputs: Vec<Symbol> = self.flats.iter().map(|f| f.symbol.clone()).collect();
        let values: Vec<Expr> = self.flats.iter().map(|f| f.value.clone()).collect();
        let values = substitute_all(&values, &velocities(&system, &steering));
        Search {
            system: &system,
            steering: &steering,
            rates,
            outputs,
            values,
        }
        .run()
    }
}

/// The velocities of the model in the states of the problem.
fn velocities(system: &System, steering: &Steering) -> Vec<(Symbol, Expr)> {
    let fibre = system.frame().fibre().iter().cloned();
    let all = fibre.zip(steering.velocity.iter().cloned());
    all.filter(|(y, v)| v.as_symbol() != Some(y)).collect()
}

struct Search<'a> {
    system: &'a System,
    steering: &'a Steering,
    /// V, then W.
    rates: Vec<Expr>,
    outputs: Vec<Symbol>,
    values: Vec<Expr>,
}

impl Search<'_> {
    fn run(&self) -> Result<Flatness, NotFlat> {
        let controls = self.steering.controls.len();
        if self.values.len() != controls || controls == 0 {
            return Err(NotFlat::Count {
                outputs: self.values.len(),
                controls,
            });
        }
        if self.system.factors().iter().any(|f| f.group.is_some()) {
            return Err(NotFlat::NoProblem {
                why: "a group factor has no global outputs; write it in coordinates".into(),
            });
        }
        let states = self.states();
        // Each further derivative of all outputs: state and first controls must be among their functions.
        let most = states.len() as u32 + 1;
        let jets = self.jets(most);
        let wanted: Vec<Symbol> = states
            .iter()
            .chain(&self.steering.controls)
            .cloned()
            .collect();
        self.check_rank(&jets, &wanted, most)?;
        let found = self.invert(&jets, &wanted)?;
        let (state, inputs) = found.split_at(states.len());
        let hidden = velocities(self.system, self.steering).into_iter();
        let velocities = hidden.map(|(y, v)| (y, simplify(&v.substitute(&found))));
        let cost = self.steering.cost.substitute(&found);
        let lagrangian = simplify(&cost);
        let present = |k: &u32| {
            let jets: Vec<Symbol> = self.outputs.iter().map(|y| y.jet(*k)).collect();
            lagrangian.contains_any(&jets)
        };
        let order = (1..=most).rev().find(present).unwrap_or(1);
        Ok(Flatness {
            outputs: self.outputs.clone(),
            of_state: self.values.clone(),
            state: state.to_vec(),
            velocities: velocities.collect(),
            controls: inputs.to_vec(),
            jets,
            lagrangian,
            order,
        })
    }

    fn states(&self) -> Vec<Symbol> {
        let further = self.steering.states.iter().map(|(s, ..)| s.clone());
        self.steering
            .frame
            .base()
            .iter()
            .cloned()
            .chain(further)
            .collect()
    }

    /// h, h', …, h^(k) along the motion, controls going to their derivatives.
    fn jets(&self, most: u32) -> Vec<Vec<Expr>> {
        let frame = &self.steering.frame;
        let base = frame.anchored(&self.rates[..frame.rank()]);
        let rates: Vec<Expr> = base
            .into_iter()
            .chain(self.rates[frame.rank()..].iter().cloned())
            .collect();
        let states = self.states();
        let mut jets = vec![self.values.clone()];
        for _ in 0..most {
            let last = &jets[jets.len() - 1];
            jets.push(derivations(last, |s| {
                match (s.role(), states.iter().position(|x| x == s)) {
                    (Role::Time, _) => Expr::one(),
                    (Role::Constant, _) => Expr::zero(),
                    (_, Some(i)) => rates[i].clone(),
                    _ => s.derivative().into(),
                }
            }));
        }
        jets
    }

    /// Are the differentials of the wanted in the span of those of the jets? By ranks at generic points.
    fn check_rank(&self, jets: &[Vec<Expr>], wanted: &[Symbol], most: u32) -> Result<(), NotFlat> {
        let states = self.states();
        let inputs = (0..=most).flat_map(|k| self.steering.controls.iter().map(move |u| u.jet(k)));
        let all: Vec<Symbol> = states.into_iter().chain(inputs).collect();
        let rows: Vec<Vec<Expr>> = jets.iter().flatten().map(|h| h.gradient(&all)).collect();
        let undecided = |e: &dyn std::fmt::Display| NotFlat::Undecided { why: e.to_string() };
        let rank = generic_rank(&Matrix::from_rows(&rows)).map_err(|e| undecided(&e))?;
        for s in wanted {
            let unit: Vec<Expr> = all.iter().map(|x| i64::from(x == s).into()).collect();
            let with: Vec<Vec<Expr>> = rows.iter().cloned().chain([unit]).collect();
            if generic_rank(&Matrix::from_rows(&with)).map_err(|e| undecided(&e))? > rank {
                return Err(NotFlat::Undetermined {
                    what: format!("`{s}`"),
                });
            }
        }
        Ok(())
    }

    /// Solves h^(k) = y^(k) one unknown after the other, each from an equation in which it is linear.
    fn invert(
        &self,
        jets: &[Vec<Expr>],
        wanted: &[Symbol],
    ) -> Result<Vec<(Symbol, Expr)>, NotFlat> {
        let mut open: Vec<Expr> = Vec::new();
        for (level, k) in jets.iter().zip(0..) {
            for (y, h) in self.outputs.iter().zip(level) {
                open.push(h - Expr::from(y.jet(k)));
            }
        }
        let inputs = |k: u32| self.steering.controls.iter().map(move |u| u.jet(k));
        let all: Vec<Symbol> = self
            .states()
            .into_iter()
            .chain((0..jets.len() as u32).flat_map(inputs))
            .collect();
        let mut known: Vec<(Symbol, Expr)> = Vec::new();
        loop {
            let is_open = |s: &Symbol| known.iter().all(|(k, _)| k != s);
            let Some((place, symbol, value)) = open.iter().enumerate().find_map(|(i, e)| {
                let mut unknown = all.iter().filter(|s| is_open(s) && e.contains(s));
                let s = unknown.next()?;
                let slope = e.diff(s);
                let alone = unknown.next().is_none() && !slope.contains(s);
                if !alone || prove_zero(&slope).is_proven() {
                    return None;
                }
                let rest = e.substitute(&[(s.clone(), Expr::zero())]);
                Some((i, s.clone(), normalize(&(-(rest / slope)))))
            }) else {
                break;
            };
            open.remove(place);
            let pair = [(symbol.clone(), value.clone())];
            open = substitute_all(&open, &pair).iter().map(normalize).collect();
            known.push((symbol, value));
        }
        let value = |s: &Symbol| {
            let found = known.iter().find(|(k, _)| k == s);
            let missing = || NotFlat::NotInverted {
                what: format!("`{s}`"),
            };
            found.cloned().ok_or_else(missing)
        };
        wanted.iter().map(value).collect()
    }
}

impl Flatness {
    /// The unconstrained problem: the cost as a Lagrangian of the outputs.
    pub fn system(&self, name: &str) -> System {
        let mut system = System::on_coordinates(name, &self.outputs, self.lagrangian.clone());
        system.order = self.order;
        system.objective = Some(Objective::Action);
        system
    }
}
