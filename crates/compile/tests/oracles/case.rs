//! A system at its start state, with everything that reference values are functions of.

use rattleback_compile::{Evaluation, Evaluator, Staged, StartState};
use rattleback_language::{Assignment, FibreItem, Given, Model, Source, Span, parse};
use rattleback_mechanics::phase::NormalForm;
use rattleback_mechanics::{Equations, Form, Problem, Stage, System};
use rattleback_symbolic::{Expr, Symbol, Tape};

/// A model derived, and numbers for its symbols.
pub struct Case {
    pub model: Model,
    pub system: System,
    pub start: StartState,
    symbols: Vec<Symbol>,
    values: Vec<f64>,
}

fn read(text: &str) -> Model {
    let outcome = parse(&Source::new("oracle.mech", text));
    let complaints: Vec<String> = outcome
        .diagnostics
        .iter()
        .map(|d| d.message.clone())
        .collect();
    outcome
        .model
        .unwrap_or_else(|| panic!("{complaints:?} in\n{text}"))
}

/// A constant expression of the model language.
pub fn constant(text: &str) -> Expr {
    let model = read(&format!(
        "system c\nparam value_ = {text}\ncoord x\nlagrangian value_*x'^2\n"
    ));
    model.parameters[0].value.clone()
}

impl Case {
    /// The model with some values changed; `functions` are read in its names.
    pub fn new(text: &str, set: &[(String, String)]) -> Self {
        let mut model = read(text);
        for (name, value) in set {
            change(&mut model, name, constant(value));
        }
        let problem = Problem::from_model(&model).unwrap_or_else(|e| panic!("{e}"));
        let system = problem.open();
        let start =
            StartState::of(&problem, &system).unwrap_or_else(|e| panic!("{}: {e}", system.name()));
        let mut case = Self {
            symbols: Vec::new(),
            values: Vec::new(),
            model,
            system,
            start,
        };
        case.collect();
        case
    }

    /// A function written in the model's names; the word `energy` stands for the energy.
    pub fn function(&self, text: &str, source: &str) -> Expr {
        let (energy, rest) = match text.strip_prefix("energy + ") {
            Some(rest) => (self.system.energy(), rest),
            None => (Expr::zero(), text),
        };
        let model = read(&format!("{source}\nobserve function_ = {rest}\n"));
        let value = model
            .observables
            .last()
            .and_then(|o| o.value.as_scalar().cloned());
        energy + value.expect("a scalar function")
    }

    pub fn know(&mut self, symbol: Symbol, value: f64) {
        match self.symbols.iter().position(|s| *s == symbol) {
            Some(i) => self.values[i] = value,
            None => {
                self.symbols.push(symbol);
                self.values.push(value);
            }
        }
    }

    fn collect(&mut self) {
        self.know(Symbol::time(), self.start.time);
        for i in 0..self.start.constants.len() {
            self.know(
                self.start.constants[i].clone(),
                self.start.constant_values[i],
            );
        }
        let frame = self.system.frame().clone();
        let order = self.system.order();
        let jets = (0..2 * order - 1)
            .flat_map(|k| frame.fibre().iter().map(move |y| y.jet(y.order() + k)));
        for s in frame.base().iter().cloned().chain(jets) {
            if let Some(value) = self.start.get(&s) {
                self.know(s, value);
            }
        }
        if order == 1 {
            self.collect_frame();
        }
    }

    /// Frame velocities, frame momenta P and momenta p.
    fn collect_frame(&mut self) {
        let frame = self.system.frame().clone();
        let momenta = self.values_of(&self.system.momenta());
        for (p, value) in self.system.momentum_symbols().into_iter().zip(momenta) {
            self.know(p, value);
        }
        let Ok(sections) = self.system.sections().cloned() else {
            return;
        };
        let stage = Stage::on_subframe(&sections, &frame.velocity());
        let v: Vec<Expr> = sections.velocities.iter().map(Expr::from).collect();
        let found = Staged::new(&self.symbols, &[stage], &v)
            .unwrap()
            .evaluate(&self.values)
            .unwrap();
        for (s, value) in sections.velocities.iter().zip(found) {
            self.know(s.clone(), value);
        }
        let paired = sections.basis.transpose().apply(&self.system.momenta());
        let momenta = self.values_of(&paired);
        for (s, value) in sections.velocities.iter().zip(momenta) {
            self.know(Symbol::variable(&format!("P_{}", s.name())), value);
        }
    }

    /// Values of expressions.
    pub fn values_of(&self, e: &[Expr]) -> Vec<f64> {
        Tape::new(&self.symbols, e)
            .unwrap_or_else(|m| panic!("{}: {m}", self.system.name()))
            .evaluate(&self.values)
    }

    /// The value of one expression.
    pub fn value_of(&self, e: &Expr) -> f64 {
        self.values_of(std::slice::from_ref(e))[0]
    }

    /// The value of a symbol.
    pub fn known(&self, s: &Symbol) -> f64 {
        self.value_of(&Expr::from(s))
    }

    /// Equations in a form.
    pub fn equations(&self, form: Form) -> Equations {
        self.system
            .equations(form)
            .unwrap_or_else(|e| panic!("{}: {form}: {e}", self.system.name()))
    }

    /// The equations at the start.
    pub fn evaluate(&self, form: Form) -> (Equations, Evaluation) {
        let equations = self.equations(form);
        let state = self.start.state_of(&equations).unwrap();
        let evaluator = Evaluator::new(&equations, &self.start.constants).unwrap();
        let at = evaluator
            .at(self.start.time, &state, &self.start.constant_values)
            .unwrap();
        (equations, at)
    }

    /// The form whose state is made of positions, velocities and jets.
    pub fn motion_form(&self) -> Form {
        Form::default_for(&self.system)
    }

    /// The rate of a named state component in a form.
    pub fn rate(&self, form: Form, name: &str) -> f64 {
        let (equations, at) = self.evaluate(form);
        let i = equations
            .state
            .iter()
            .position(|s| s.derivative().to_string() == name || s.to_string() == name);
        at.rates[i.unwrap_or_else(|| panic!("no rate {name}"))]
    }

    /// Accelerations and multipliers join the known values.
    pub fn with_motion(mut self) -> Self {
        let (equations, at) = self.evaluate(self.motion_form());
        let rates: Vec<(Symbol, f64)> = equations
            .state
            .iter()
            .map(Symbol::derivative)
            .zip(at.rates.iter().copied())
            .collect();
        let multipliers: Vec<(Symbol, f64)> = equations
            .multipliers
            .iter()
            .map(|q| Symbol::variable(&q.name))
            .zip(at.multipliers.iter().copied())
            .collect();
        for (s, value) in rates.into_iter().chain(multipliers) {
            self.know(s, value);
        }
        self
    }

    /// The index of the velocity with this name (x', x, w[1]).
    pub fn velocity(&self, name: &str) -> usize {
        let bare = name.trim_end_matches('\'');
        let found = self
            .system
            .frame()
            .fibre()
            .iter()
            .position(|y| y.name() == bare);
        found.unwrap_or_else(|| panic!("no velocity {name} in {}", self.system.name()))
    }

    /// The base coordinate with this name.
    pub fn position(&self, name: &str) -> Expr {
        let found = self.system.frame().base().iter().find(|z| z.name() == name);
        found
            .unwrap_or_else(|| panic!("no coordinate {name}"))
            .into()
    }

    /// The index of the base coordinate with this name.
    pub fn position_index(&self, name: &str) -> usize {
        self.system
            .frame()
            .base()
            .iter()
            .position(|z| z.name() == name)
            .unwrap_or_else(|| panic!("no coordinate {name}"))
    }

    /// The Ehresmann connection of the declared fibre.
    pub fn connection(&self) -> NormalForm {
        let fibre: Vec<usize> = self
            .model
            .fibre
            .iter()
            .flat_map(|item| {
                let name = match item {
                    FibreItem::Coordinate(s) => s.name(),
                    FibreItem::Group(name) => name,
                };
                let factor = self.system.factors().iter().find(|f| f.name == name);
                factor.expect("a factor").fibre.clone()
            })
            .collect();
        if fibre.is_empty() {
            return NormalForm::of(&self.system).unwrap();
        }
        NormalForm::with_fibre(&self.system, &fibre).unwrap()
    }
}

/// Gives a parameter or a start value another value.
fn change(model: &mut Model, name: &str, value: Expr) {
    if let Some(p) = model
        .parameters
        .iter_mut()
        .find(|p| p.symbol.name() == name)
    {
        p.value = value;
        return;
    }
    let is = |s: &Symbol| s.to_string() == name;
    let positions = model.positions();
    let velocities = model.velocities();
    let (list, symbol) = match (
        positions.into_iter().find(is),
        velocities.into_iter().find(is),
    ) {
        (Some(s), _) => (&mut model.start.positions, s),
        (_, Some(s)) => (&mut model.start.velocities, s),
        _ => panic!("nothing is called {name}"),
    };
    list.retain(|a| a.symbol != symbol);
    list.push(Assignment {
        given: Given::Stated,
        symbol,
        value,
        span: Span::default(),
        setting: None,
    });
}
