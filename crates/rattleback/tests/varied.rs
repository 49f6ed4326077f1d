//! What an ensemble varies, read from words.

use rattleback::ensemble::Distribution;
use rattleback::language::{Model, Source};
use rattleback::request::{axis, sample};

fn model() -> Model {
    let text = "system s\nparam m = 2\ncoord q\nkinetic m*q'^2/2\n";
    let parsed = rattleback::language::parse(&Source::new("s.mech", text));
    parsed.model.unwrap()
}

#[test]
fn ranges_include_both_ends() {
    let all = |text: &str| -> Vec<f64> {
        let values = axis(&model(), text).unwrap().values;
        (0..values.count()).map(|k| values.value(k)).collect()
    };
    assert_eq!(axis(&model(), "m = 0.5:2:4").unwrap().name, "m");
    assert_eq!(all("m = 0.5:2:4"), [0.5, 1.0, 1.5, 2.0]);
    assert_eq!(all("theta'=1,2,5"), [1.0, 2.0, 5.0]);
    assert_eq!(all("m=3:4:1"), [3.0]);
    assert_eq!(all("m=0:2*m:1e1/5"), [0.0, 4.0]);
    assert_eq!(all("m=1/4,pi"), [0.25, std::f64::consts::PI]);
    for wrong in [
        "m",
        "m=",
        "m=1:2",
        "m=1:2:0",
        "m=1:2:1.5",
        "m=1:2:1e12",
        "m=1:q:2",
        "m=a:2:3",
        "m=1:inf:3",
        "m=1:2:3:4",
    ] {
        let text = axis(&model(), wrong).unwrap_err().to_string();
        assert!(text.contains("FROM:TO:COUNT"), "{text}");
    }
}

#[test]
fn distributions_are_read() {
    let read = sample(&model(), "theta' ~ normal(0, 0.5)").unwrap();
    assert_eq!(read.name, "theta'");
    assert_eq!(read.distribution, Distribution::Normal(0.0, 0.5));
    for wrong in [
        "m",
        "m~normal(1)",
        "m~normal(0,-1)",
        "m~uniform(2,1)",
        "m~gauss(0,1)",
    ] {
        assert!(sample(&model(), wrong).is_err(), "{wrong}");
    }
}
