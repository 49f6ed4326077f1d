//! The formatter: spacing, comments, idempotence, unchanged meaning.

mod common;

use common::BASE;
use rattleback_language::{Source, format, parse};
use rattleback_testing::models;

#[track_caller]
fn formats(from: &str, to: &str) {
    assert_eq!(format(from).unwrap(), to);
    assert_eq!(format(to).unwrap(), to);
}

#[test]
fn spacing() {
    formats("param  m=1,J =2 * 3\n", "param m = 1, J = 2*3\n");
    formats("let v=- x+ -2 *y^-1-  3", "let v = -x + -2*y^-1 - 3\n");
    formats("coord theta:angle", "coord theta : angle\n");
    formats(
        "group R:SO(3) velocity(p,q , r)",
        "group R : SO(3) velocity(p, q, r)\n",
    );
    formats("force(x :-c * x ',y:1)", "force (x: -c*x', y: 1)\n");
    formats(
        "control u on(x:cos (theta))",
        "control u on(x: cos(theta))\n",
    );
    formats("bound -1<=u<=1", "bound -1 <= u <= 1\n");
    formats("time 0..10 step 0.01", "time 0 .. 10 step 0.01\n");
    formats("let a = R[ 1 , 2 ]*[1,2 ]", "let a = R[1,2]*[1, 2]\n");
    formats(
        "draw disk radius R at [x,y,R] spin -theta",
        "draw disk radius R at [x, y, R] spin -theta\n",
    );
    formats("potential -m*g*x", "potential -m*g*x\n");
    formats("assume m ≥ 0, r≠0", "assume m >= 0, r != 0\n");
    formats("let a = m·x − y″", "let a = m*x - y''\n");
    formats("system a   \"A  title\"", "system a \"A  title\"\n");
}

#[test]
fn newer_statements() {
    formats("input u=-k*x", "input u = -k*x\n");
    formats("rate z'=-z , w'=1", "rate z' = -z, w' = 1\n");
    formats("map next (x)=x+1", "map next(x) = x + 1\n");
    formats(
        "start b~-1.5,w=[0,free,free (0.2)]",
        "start b ~ -1.5, w = [0, free, free(0.2)]\n",
    );
    formats(
        "goal theta=start (theta)+2*pi",
        "goal theta = start(theta) + 2*pi\n",
    );
    formats("via 0.5 :x=1,y>=2", "via 0.5: x = 1, y >= 2\n");
    formats("via (a+b)/2: x = 1", "via (a + b)/2: x = 1\n");
    formats("via -1 : x = 1", "via -1: x = 1\n");
    formats("let a=T .R*T.p [1]", "let a = T.R*T.p [1]\n");
    formats("let a = T.R[1 , 2]-T.p[1]", "let a = T.R[1,2] - T.p[1]\n");
    formats("periodic  x,x ',R", "periodic x, x', R\n");
    formats("free T=2,k = 1 # both", "free T = 2, k = 1  # both\n");
    formats("guess u=1", "guess u = 1\n");
    formats("flat y=x", "flat y = x\n");
    formats("state  z,w", "state z, w\n");
    formats("control u,v on x", "control u, v on x\n");
}

#[test]
fn comments_and_lines_stay() {
    formats(
        "\u{FEFF}\r\n\r\n# head  \r\nsystem a\r\n\r\n\r\n\r\n#about x\r\n  # more\r\ncoord x   # place\r\n# end",
        "# head\nsystem a\n\n#about x\n# more\ncoord x  # place\n# end\n",
    );
    formats(
        "let a = [1, # one\n\n# between\n2]\nlet b =\n\tx +\n  y # last\n",
        "let a = [1,  # one\n    # between\n    2]\nlet b =\n    x +\n    y  # last\n",
    );
    formats("", "");
    formats("\n\n# only\n\n\n# comments\n", "# only\n\n# comments\n");
}

#[test]
fn comments_behind_consecutive_lines_are_aligned() {
    formats(
        "param m = 1 # mass\nparam θθ = 10   # angle\n\nparam k = 3 # alone\ncoord x\ncoord yy # above\nlet a = (x + # one\n yy) # two\n",
        "param m = 1    # mass\nparam θθ = 10  # angle\n\nparam k = 3  # alone\ncoord x\ncoord yy      # above\nlet a = (x +  # one\n    yy)       # two\n",
    );
}

#[test]
fn shipped_models_are_formatted() {
    for name in models::names() {
        let text = models::text(&name);
        assert_eq!(format(&text).unwrap(), text, "{name}");
    }
}

#[test]
fn greek_letters_stay_as_written() {
    formats("coord θ,φ:angle", "coord θ, φ : angle\n");
}

#[test]
fn errors_of_syntax_are_given_back() {
    let errors = format("let a = (1\n").unwrap_err();
    assert_eq!(errors[0].code, "bracket");
    // Unknown names are none of its business.
    assert!(format("let a = unknown\n").is_ok());
}

#[test]
fn the_meaning_is_unchanged() {
    let text = format!("{BASE}let a=[x,\n   y][1]*2-  -3 # why\nobserve o = a\nstart x=1,x'=-2\n");
    let read = |text: &str| {
        let model = parse(&Source::new("a", text)).model.unwrap();
        (
            model.observables[0].value.clone(),
            model.abbreviations[0].doc.clone(),
            model.start.iter().count(),
        )
    };
    assert_eq!(read(&text), read(&format(&text).unwrap()));
}
