//! Values from the command line.

mod common;

use common::model;
use rattleback_language::{Model, OverrideError, Overrides, Rejected, Source, TimeOption, Values};
use rattleback_symbolic::{Expr, Symbol};

fn subject() -> Model {
    model(
        "system s\nparam m = 1, J = 2*m\nparam I = diag(1, 2)\nassume m > 0, J < 10\ncoord x, theta\ngroup R : SO(3) velocity w\n\
         lagrangian m*x'^2 + J*theta'^2 + I[1,1]*norm2(w) + I[2,2] + R[1,1]\nstart x = m, theta' = 1\ntime 0 .. 10 step 0.01\ncontrol u on x\n",
    )
}

fn set(settings: &[&str]) -> Result<Model, OverrideError> {
    subject().with_overrides(&Overrides::parse(settings)?)
}

fn refusal(settings: &[&str]) -> String {
    set(settings).unwrap_err().render(false)
}

#[test]
fn parameters_and_what_follows_from_them() {
    let values = Values::of(&set(&["m=3/2"]).unwrap());
    assert_eq!(values.pairs()[1].1, Expr::from(3));
    let model = set(&["I[2,2]=7", "J = pi*m"]).unwrap();
    assert_eq!(model.parameters[3].value, Expr::from(7));
    let model = set(&["I=diag(5, 6)"]).unwrap();
    assert_eq!(model.parameters[2].value, Expr::from(5));
}

#[test]
fn start_values_and_horizon() {
    let model = set(&[
        "theta'=2*m",
        "x=0",
        "R=rotation([0,0,1], pi)",
        "w[2]=4",
        "mu1=0.1",
        "until=5",
        "step = 1/4",
    ])
    .unwrap();
    let value = |symbol: Symbol| model.start.get(&symbol).unwrap().value.clone();
    assert_eq!(
        value(Symbol::variable("theta").derivative()).to_string(),
        "2*m"
    );
    assert_eq!(value(Symbol::variable("x")), Expr::zero());
    assert_eq!(value(Symbol::variable("R[1,1]")), Expr::from(-1));
    assert_eq!(value(Symbol::variable("w[2]")), Expr::from(4));
    assert_eq!(model.start.multipliers.len(), 1);
    let time = model.time.unwrap();
    assert_eq!(
        (time.to, time.step),
        (Expr::from(5), Some(Expr::ratio(1, 4)))
    );
    assert_eq!(
        model
            .start
            .positions
            .iter()
            .filter(|a| a.symbol == Symbol::variable("x"))
            .count(),
        1
    );
}

#[test]
fn greek_names() {
    assert!(set(&["θ'=1"]).is_ok());
}

#[test]
fn mistakes_are_shown_in_the_setting() {
    let text = refusal(&["mm=1"]);
    assert!(
        text.contains("setting:1:1") && text.contains("did you mean `m`?"),
        "{text}"
    );
    assert!(refusal(&["m=2x"]).contains("implicit multiplication"));
    assert!(refusal(&["m"]).contains("NAME=VALUE"));
    assert!(refusal(&["m="]).contains("expected an expression"));
    assert!(refusal(&["m=x"]).contains("cannot contain `x`"));
    assert!(refusal(&["u=x"]).contains("cannot contain `x`"));
    assert!(refusal(&["I=diag(1, 2, 3)"]).contains("3x3 matrix"));
    assert!(refusal(&["I=[[1, 1], [1, 1]]"]).contains("stays 0"));
    assert!(refusal(&["I[3,3]=1"]).contains("no such entry"));
    let later = refusal(&["m=J"]);
    assert!(
        later.contains("not declared above") && !later.contains("move"),
        "{later}"
    );
    let word = refusal(&["lagrangian=1"]);
    assert!(
        word.contains("cannot be set") && !word.contains("indented"),
        "{word}"
    );
    assert!(refusal(&["m=2*time"]).contains("`time` is a word of the statements"));
    assert!(refusal(&["m=1/0"]).contains("identically zero"));
    assert!(refusal(&["m=1", "y=1"]).contains("the model has no `y`"));
    assert!(refusal(&["x''=1"]).contains("equations of motion"));
}

#[test]
fn broken_assumptions_name_the_setting() {
    let text = refusal(&["x=1", "m=-1"]);
    assert!(text.contains("m=-1") && text.contains("m > 0"), "{text}");
    assert!(refusal(&["m=6"]).contains("J < 10"));
    assert!(refusal(&["until=-1"]).contains("must end after it begins"));
    assert!(refusal(&["step=0"]).contains("must be positive"));
}

#[test]
fn options_are_told_under_their_own_names() {
    let refused = |settings: &[&str], option: TimeOption, value: &str| {
        let model = subject();
        let mut overrides = Overrides::parse(settings).unwrap();
        let tried = overrides.option(option, value);
        let refused = tried.and_then(|()| model.with_overrides(&overrides).map(|_| ()));
        let error = refused.expect_err(value);
        let [
            Rejected {
                source,
                diagnostics,
            },
        ] = &error.rejected[..]
        else {
            panic!("{error}")
        };
        assert_eq!(source.text(), value);
        assert!(
            diagnostics[0]
                .help
                .as_ref()
                .unwrap()
                .contains(source.name())
        );
        (source.name().to_owned(), diagnostics[0].code)
    };
    let until = |value: &str| refused(&["until=5"], TimeOption::Until, value);
    assert_eq!(until("-1"), ("until".to_owned(), "time"));
    assert_eq!(until("abc"), ("until".to_owned(), "unknown-name"));
    assert_eq!(until("2*"), ("until".to_owned(), "syntax"));
    let step = refused(&[], TimeOption::Step, "0");
    assert_eq!(step, ("step".to_owned(), "time"));
    let mut overrides = Overrides::default();
    overrides.option(TimeOption::Until, "2*pi").unwrap();
    let model = subject().with_overrides(&overrides).unwrap();
    assert_eq!(model.time.unwrap().to.to_string(), "2*pi");
}

#[test]
fn codes_fit_what_is_wrong() {
    let code = |setting: &str| set(&["x=1", setting, "theta=2"]).unwrap_err().rejected[0].clone();
    for (setting, expected) in [
        ("step=0", "time"),
        ("until=-5", "time"),
        ("theta''=2", "target"),
        ("m=-1", "assumption"),
        ("m=1e-400", "range"),
    ] {
        let rejected = code(setting);
        assert_eq!(rejected.diagnostics[0].code, expected, "{setting}");
        assert_eq!(rejected.source.text(), setting);
    }
    assert!(refusal(&["m=1e-400"]).contains("underflows"));
    assert!(set(&["m=1e-300"]).is_ok());
}

#[test]
fn expressions_in_the_names_of_the_model() {
    let model = subject();
    let read = |text: &str| model.expression(&Source::new("formula", text));
    assert_eq!(
        read("lambda1 + p_x").unwrap().entries()[0]
            .free_symbols()
            .len(),
        2
    );
    assert_eq!(
        read(&model.lagrangian.to_string()).unwrap().entries()[0],
        model.lagrangian
    );
    assert_eq!(read("unknown").unwrap_err()[0].code, "unknown-name");
}
