//! From a model to a problem: frame, Lagrangian, forces, controls and all that is asked of them.

use super::constrain::{Remark, constrain, constrain_variations};
use super::ends;
use super::periodicity::circles;
use super::{
    Abbreviation, Assumption, Bound, Control, Horizon, Observable, Origin, Parameter, Problem,
    State, Stated, StatedConstraint,
};
use crate::error::MechanicsError;
use crate::formulation::Form;
use crate::system::{Factor, NamedSection, System};
use rattleback_geometry::{Frame, LieGroup, Trivialization};
use rattleback_language::{self as language, FibreItem, Model, Values};
use rattleback_symbolic::{Expr, Symbol, free_symbols, substitute_all};

impl Problem {
    /// The problem that a model poses. Constraints nonlinear in the velocities are refused.
    pub fn from_model(model: &Model) -> Result<Self, MechanicsError> {
        Self::lowered(model, constrain)
    }

    /// The problem that a model poses for a formulation, or for the one that fits it. Variational ones take
    /// constraints that are nonlinear in the velocities, and accelerations where the Lagrangian has them; others
    /// refuse them.
    pub fn for_form(model: &Model, form: Option<Form>) -> Result<Self, MechanicsError> {
        match Self::is_variational(model, form) {
            true => Self::lowered(model, constrain_variations),
            false => Self::from_model(model).map_err(|e| e.asked_for(form)),
        }
    }

    /// Is a formulation of this model a variational problem, whose constraints may contain accelerations?
    pub fn is_variational(model: &Model, form: Option<Form>) -> bool {
        match form {
            Some(Form::Optimality) => is_stationary(model),
            Some(form) => matches!(form, Form::Vakonomic | Form::HigherOrder),
            None => model.order > 1,
        }
    }

    fn lowered(
        model: &Model,
        constrain: impl Fn(&mut System, &[StatedConstraint]) -> Result<Vec<Remark>, MechanicsError>,
    ) -> Result<Self, MechanicsError> {
        let values = Values::of(model);
        let mut system = system(model, &values)?;
        let controls = controls(model, &system.frame)?;
        let constraints = constraints(model)?;
        let (circles, mut remarks) = circles(model, &system.frame);
        system.circles = circles;
        remarks.extend(constrain(&mut system, &constraints)?);
        Ok(Self {
            title: model.title.clone(),
            doc: model.doc.clone(),
            parameters: parameters(model),
            values,
            assumptions: assumptions(model),
            abbreviations: abbreviations(model),
            constraints,
            controls,
            observables: observables(model),
            start: start(&model.start),
            clock: model.clock,
            inputs: ends::inputs(model),
            auxiliary: ends::auxiliary(model),
            free: model.free.iter().map(|f| f.symbol.clone()).collect(),
            goals: ends::goals(model),
            vias: ends::vias(model),
            guesses: ends::guesses(model),
            flats: ends::flats(model),
            costs: model.costs.iter().map(|c| c.expr.clone()).collect(),
            terminals: model.terminals.iter().map(|c| c.expr.clone()).collect(),
            bounds: bounds(model),
            horizon: horizon(model),
            remarks,
            docs: docs(model),
            system,
        })
    }
}

/// Is the problem with ends that of the model's own action?
fn is_stationary(model: &Model) -> bool {
    model.controls.is_empty() && model.costs.is_empty() && model.terminals.is_empty()
}

/// The system without its constraints, pushed by external forces.
fn system(model: &Model, values: &Values) -> Result<System, MechanicsError> {
    let (frame, factors) = configuration(model);
    let order = model.order.max(1);
    let mut system = System::on_frame(&model.name, frame, factors, model.lagrangian.clone(), order);
    system.names = model.names();
    system.lagrangian_origin = Some(Origin::Lagrangian);
    defined("the Lagrangian", &model.lagrangian, Origin::Lagrangian)?;
    system.force = external_force(model, &system.frame)?;
    system.auxiliary = auxiliary(model);
    system.clock = model.clock;
    system.symmetries = sections(&model.symmetries, &system.frame);
    system.one_forms = one_forms(model, &system.frame);
    system.user_frame = sections(&model.frame, &system.frame);
    system.frame_origins = (0..model.frame.len()).map(Origin::Frame).collect();
    system.fibre = fibre(model, &system.factors);
    system.near = start_point(model, values, &system);
    Ok(system)
}

/// Elements with their numbers, each made into something with its origin.
fn numbered<T, U>(all: &[T], make: impl Fn(usize, &T) -> U) -> Vec<U> {
    all.iter().enumerate().map(|(i, x)| make(i, x)).collect()
}

fn parameters(model: &Model) -> Vec<Parameter> {
    numbered(&model.parameters, |i, p| Parameter {
        symbol: p.symbol.clone(),
        value: p.value.clone(),
        origin: Origin::Parameter(i),
    })
}

/// What the model assumes, and where its functions are defined.
fn assumptions(model: &Model) -> Vec<Assumption> {
    let lowered = |a: &language::Assumption, origin: Origin| Assumption {
        lhs: a.lhs.clone(),
        relation: a.relation,
        rhs: a.rhs.clone(),
        text: a.text.clone(),
        unless_whole: a.unless_whole.clone(),
        origin,
    };
    let stated = numbered(&model.assumptions, |i, a| lowered(a, Origin::Assumption(i)));
    let defined = numbered(&model.domain, |i, a| lowered(a, Origin::Domain(i)));
    [stated, defined].concat()
}

fn abbreviations(model: &Model) -> Vec<Abbreviation> {
    let all = model.abbreviations.iter();
    all.map(|a| Abbreviation {
        name: a.name.clone(),
        value: a.value.clone(),
    })
    .collect()
}

/// The constraints with the rates of auxiliary states put in.
fn constraints(model: &Model) -> Result<Vec<StatedConstraint>, MechanicsError> {
    let rates = model.rates();
    let controls: Vec<Symbol> = model.controls.iter().map(|c| c.symbol.clone()).collect();
    let lowered = |(i, c): (usize, &language::Constraint)| {
        let origin = Origin::Constraint(i);
        let mut states = model.states.iter().map(|s| &s.symbol);
        let is_open = |z: &&Symbol| {
            let is_held = c.expr.contains(z) || c.expr.contains(&z.derivative());
            let mut rate = rates.iter().filter(|(dz, _)| *dz == z.derivative());
            is_held && rate.any(|(_, rate)| rate.contains_any(&controls))
        };
        match states.find(is_open) {
            Some(state) => Err(MechanicsError::ConstrainedControl {
                state: state.to_string(),
                origin,
            }),
            None => Ok(StatedConstraint {
                expr: c.expr.substitute(&rates),
                kind: c.kind,
                statement: c.statement,
                origin,
            }),
        }
    };
    model.constraints.iter().enumerate().map(lowered).collect()
}

/// The auxiliary states with their rates, or with their values at the next node.
fn auxiliary(model: &Model) -> Vec<(Symbol, Expr)> {
    let rates = model.rates();
    let states = model.states.iter();
    states
        .map(|s| {
            let rate = rates.iter().find(|(dz, _)| *dz == s.symbol.derivative());
            let update = rate.map_or_else(|| s.update.expression().clone(), |(_, r)| r.clone());
            (s.symbol.clone(), update)
        })
        .collect()
}

fn observables(model: &Model) -> Vec<Observable> {
    let rates = model.rates();
    numbered(&model.observables, |i, o| Observable {
        name: o.name.clone(),
        entries: substitute_all(o.value.entries(), &rates),
        origin: Origin::Observable(i),
    })
}

fn bounds(model: &Model) -> Vec<Bound> {
    numbered(&model.bounds, |i, b| Bound {
        expr: b.expr.clone(),
        lower: b.lower.clone(),
        upper: b.upper.clone(),
        origin: Origin::Bound(i),
    })
}

fn horizon(model: &Model) -> Option<Horizon> {
    model.time.as_ref().map(|h| Horizon {
        from: h.from.clone(),
        to: h.to.clone(),
        step: h.step.clone(),
        origin: Origin::Horizon,
    })
}

/// The initial state; an origin counts through all that is stated.
fn start(stated: &language::State) -> State {
    let all = stated.iter().enumerate().map(|(i, a)| Stated {
        symbol: a.symbol.clone(),
        value: a.value.clone(),
        given: a.given,
        origin: Origin::Start(i),
    });
    let is_multiplier = |s: &Stated| stated.multipliers.iter().any(|m| m.symbol == s.symbol);
    let is_momentum = |s: &Stated| stated.momenta.iter().any(|m| m.symbol == s.symbol);
    let (multipliers, rest): (Vec<Stated>, Vec<Stated>) = all.partition(is_multiplier);
    let (momenta, values) = rest.into_iter().partition(is_momentum);
    State {
        values,
        multipliers,
        momenta,
    }
}

/// What the comments of the model say about parameters, controls and positions.
fn docs(model: &Model) -> Vec<(Symbol, String)> {
    let parameters = model.parameters.iter();
    let parameters = parameters.map(|p| (&p.symbol, p.doc.as_deref()));
    let controls = model.controls.iter();
    let controls = controls.map(|c| (&c.symbol, c.form.doc.as_deref()));
    let factors = model.configuration.iter();
    let positions = factors.flat_map(|f| f.positions().iter().map(|z| (z, f.doc())));
    let all = parameters.chain(controls).chain(positions);
    all.filter_map(|(s, doc)| Some((s.clone(), doc?.to_owned())))
        .collect()
}

/// Positions and parameters at the start of the model, as exact constants.
fn start_point(model: &Model, values: &Values, system: &System) -> Vec<(Symbol, Expr)> {
    let mut point = values.pairs().to_vec();
    for factor in &system.factors {
        let neutral = factor
            .group
            .map_or_else(|| vec![Expr::zero()], |g| g.identity());
        for (z, neutral) in system.frame.base()[factor.base.clone()].iter().zip(neutral) {
            let stated = model.start.get(z).map(|a| values.at(&a.value));
            point.push((z.clone(), stated.unwrap_or(neutral)));
        }
    }
    for state in &model.states {
        let stated = model.start.get(&state.symbol).map(|a| values.at(&a.value));
        point.push((state.symbol.clone(), stated.unwrap_or_else(Expr::zero)));
    }
    point
}

pub(super) fn defined(what: &str, e: &Expr, origin: Origin) -> Result<(), MechanicsError> {
    if e.is_undefined() {
        return Err(MechanicsError::Undefined {
            what: what.into(),
            origin: Some(origin),
        });
    }
    Ok(())
}

fn configuration(model: &Model) -> (Frame, Vec<Factor>) {
    let (mut frames, mut factors) = (Vec::new(), Vec::new());
    let (mut base, mut fibre) = (0, 0);
    for factor in &model.configuration {
        let (frame, kind, trivialization) = match factor {
            language::Factor::Coordinate { symbol, .. } => {
                let frame = Frame::coordinates(std::slice::from_ref(symbol));
                (frame, None, Trivialization::Body)
            }
            language::Factor::Group {
                kind,
                entries,
                velocities,
                trivialization,
                ..
            } => {
                let frame = kind.frame(entries, velocities, *trivialization);
                (frame, Some(*kind), *trivialization)
            }
        };
        let (b, f) = (frame.base().len(), frame.rank());
        factors.push(Factor {
            name: factor.name().into(),
            group: kind,
            trivialization,
            base: base..base + b,
            fibre: fibre..fibre + f,
            unit: unit(factor).map(str::to_owned),
        });
        (base, fibre) = (base + b, fibre + f);
        frames.push(frame);
    }
    (Frame::direct_sum(&frames), factors)
}

/// The unit in the comment at a coordinate.
fn unit(factor: &language::Factor) -> Option<&str> {
    let doc = factor.doc().filter(|_| factor.is_coordinate());
    doc.and_then(language::unit_in_comment)
}

/// Components by velocity symbol, as a dense vector on the frame.
fn dense(components: &[(Symbol, Expr)], frame: &Frame) -> Vec<Expr> {
    let mut all = vec![Expr::zero(); frame.rank()];
    for (velocity, value) in components {
        if let Some(a) = frame.fibre().iter().position(|y| y == velocity) {
            all[a] += value.clone();
        }
    }
    all
}

fn sections(fields: &[language::VectorField], frame: &Frame) -> Vec<NamedSection> {
    fields
        .iter()
        .map(|f| NamedSection {
            name: f.name.clone(),
            components: dense(&f.components, frame),
        })
        .collect()
}

/// The declared one-forms; one without a name goes by its number.
fn one_forms(model: &Model, frame: &Frame) -> Vec<NamedSection> {
    let numbered = model.oneforms.iter().enumerate();
    numbered
        .map(|(i, f)| NamedSection {
            name: f
                .name
                .clone()
                .unwrap_or_else(|| format!("oneform {}", i + 1)),
            components: dense(&f.components, frame),
        })
        .collect()
}

/// The components of a one-form in the frame, rates of auxiliary states put in, each with a value somewhere.
fn push(
    form: &language::OneForm,
    frame: &Frame,
    order: u32,
    rates: &[(Symbol, Expr)],
    origin: Origin,
) -> Result<Vec<Expr>, MechanicsError> {
    let mut components = dense(&form.components, frame);
    if !rates.is_empty() {
        components = substitute_all(&components, rates);
    }
    for component in &components {
        defined("this force", component, origin)?;
    }
    match undetermined(&components, frame, order) {
        Some(symbol) => Err(MechanicsError::AcceleratedForce {
            origin,
            symbol: symbol.to_string(),
        }),
        None => Ok(components),
    }
}

/// A derivative y^(2k − 1) or higher, which only the equations of motion of order k tell.
fn undetermined(components: &[Expr], frame: &Frame, order: u32) -> Option<Symbol> {
    let told = |s: &Symbol| {
        let mut velocities = frame.fibre().iter();
        velocities.any(|y| s.order() > y.order() + 2 * order - 2 && *s == y.jet(s.order()))
    };
    free_symbols(components).into_iter().find(told)
}

/// The sum of the external forces; controls are no part of it.
fn external_force(model: &Model, frame: &Frame) -> Result<Vec<Expr>, MechanicsError> {
    let mut total = vec![Expr::zero(); frame.rank()];
    let rates = model.rates();
    for (i, form) in model.forces.iter().enumerate() {
        let components = push(form, frame, model.order.max(1), &rates, Origin::Force(i))?;
        total
            .iter_mut()
            .zip(components)
            .for_each(|(sum, f)| *sum += f);
    }
    Ok(total)
}

/// The controls with their one-forms on the frame.
fn controls(model: &Model, frame: &Frame) -> Result<Vec<Control>, MechanicsError> {
    let rates = model.rates();
    let lowered = |(i, c): (usize, &language::Control)| {
        let origin = Origin::Control(i);
        Ok(Control {
            symbol: c.symbol.clone(),
            form: push(&c.form, frame, model.order.max(1), &rates, origin)?,
            origin,
        })
    };
    model.controls.iter().enumerate().map(lowered).collect()
}

fn fibre(model: &Model, factors: &[Factor]) -> Vec<usize> {
    model
        .fibre
        .iter()
        .filter_map(|item| {
            let name = match item {
                FibreItem::Coordinate(s) => s.name(),
                FibreItem::Group(name) => name,
            };
            factors.iter().position(|f| f.name == name)
        })
        .collect()
}
