//! The domain of functions that cancel in what they are part of.

use rattleback_language::{Source, parse};
use rattleback_symbolic::{Expr, Sign};

fn sign_of_x(text: &str) -> Sign {
    let outcome = parse(&Source::new("test.mech", text));
    let model = outcome
        .model
        .unwrap_or_else(|| panic!("{:?}", outcome.diagnostics));
    Expr::from(&model.positions()[0]).sign()
}

#[test]
fn what_cancels_still_asks_for_its_domain() {
    let head = "system s\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n";
    for (statement, sign) in [
        ("potential sqrt(x)^2", Sign::NonNegative),
        ("potential exp(log(x))", Sign::Positive),
        ("potential x^(1/2)*x^(3/2)", Sign::NonNegative),
        ("constraint y' = sqrt(x)^4*x'", Sign::NonNegative),
        ("potential x^2", Sign::Unknown),
        // What is recorded along a motion does not confine it.
        ("observe root = sqrt(x)^2", Sign::Unknown),
    ] {
        let found = sign_of_x(&format!("{head}{statement}\nstart x = 1\n"));
        assert_eq!(found, sign, "{statement}");
    }
}
