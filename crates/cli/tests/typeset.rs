//! LaTeX in a real engine: it compiles, and no formula runs off the page.

use crate::common::{all_files, folder, rattleback, shipped};
use rattleback::Model;
use rattleback::report::document::Document;
use rattleback::sheet::Sheet;
use std::process::Command;

/// What may stick out: less than the width of a letter.
const TOLERANCE: f64 = 5.0;

/// Is there an engine? A test without one says so.
fn has_engine() -> bool {
    let found = Command::new("pdflatex").arg("--version").output().is_ok();
    if !found {
        eprintln!("SKIPPED: there is no pdflatex here; Debian has it in texlive-latex-base");
    }
    found
}

/// Compiles a page and gives what the engine complains about.
fn complaints(test: &str, page: &str) -> Vec<String> {
    let folder = folder(test);
    std::fs::write(folder.join("page.tex"), page).unwrap();
    let run = Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "page.tex"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let log =
        String::from_utf8_lossy(&std::fs::read(folder.join("page.log")).unwrap()).into_owned();
    let lines: Vec<&str> = log.lines().collect();
    let mut found = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let wide = line.strip_prefix("Overfull \\hbox (");
        let wide = wide.and_then(|l| l.split("pt").next()?.parse::<f64>().ok());
        if line.starts_with('!') || wide.is_some_and(|w| w > TOLERANCE) {
            found.push(lines[i..lines.len().min(i + 6)].join("\n"));
        }
    }
    if !run.status.success() && found.is_empty() {
        found.push("the engine failed".into());
    }
    found
}

/// The pages of many models as one document.
fn together(parts: Vec<(String, Document)>) -> String {
    Document {
        parts,
        ..Document::new("")
    }
    .latex_page()
}

#[test]
fn every_form_of_every_model_compiles_and_fits() {
    if !has_engine() {
        return;
    }
    let mut parts = Vec::new();
    for name in all_files() {
        let model = Model::open(shipped(&name)).unwrap();
        let forms = model.check().unwrap().summary.unwrap().forms;
        for form in forms {
            let derivation = model.derive(form).unwrap();
            // A short title: words with underscores cannot be broken.
            let page = Document {
                title: String::new(),
                ..derivation.sheet().document()
            };
            parts.push((format!("{name} {form}"), page));
        }
    }
    let found = complaints("forms", &together(parts));
    assert!(
        found.is_empty(),
        "{} complaints:\n{}",
        found.len(),
        found.join("\n\n")
    );
}

/// Group elements whose names have subscripts, two of them beside a rotor and constraints.
const GROUPS: &str = "system groups
param m = 2, Theta = 3, g = 9.81, eta = 1/2
assume m > 0, eta > 0, Theta > 0
group X_base : SE(3) velocity (Omega_x, Omega_y, Omega_z, V_x, V_y, V_z)
group Q : SU(2) velocity xi
coord beta_rotor : angle
kinetic m/2*(V_x^2 + V_y^2 + V_z^2) + (Omega_x^2 + 2*Omega_y^2 + 3*Omega_z^2)/2
  + Theta/2*(xi[1]^2 + xi[2]^2 + 2*xi[3]^2) + eta/2*(beta_rotor' + Omega_z)^2
potential m*g*X_base.p[3] + eta*cos(beta_rotor)
constraint V_y = 0
constraint skew: V_z = eta*Omega_x
control tau_1 on beta_rotor
start V_x = 1, Omega_z = 0.3
";

/// Words for names, and lists of them.
const WORDS: &str = "system words
param mass_cart = 1, length_rod = 2, alpha_max = 1, Gamma_0 = 2, omega_drive = 3
assume mass_cart > 0, length_rod > 0
coord theta_arm, lambda_x : angle
coord Psi, phi_2, rail
let stretched = length_rod + Psi^2
kinetic mass_cart/2*(stretched^2*theta_arm'^2 + lambda_x'^2 + Psi'^2 + phi_2'^2)
  + mass_cart/2*(rail' + stretched*cos(theta_arm)*theta_arm')^2
potential mass_cart*Gamma_0*stretched*cos(theta_arm - lambda_x) + alpha_max*Psi^4
force (Psi: cos(omega_drive*t))
control torque_motor on theta_arm
constraint no_slip_left: phi_2' = Psi*lambda_x'
constraint rail' = sin(theta_arm)*lambda_x'
symmetry along_rail = (rail: 1)
observe total_height = stretched*cos(theta_arm)
start theta_arm = 0.3, lambda_x' = 1, Psi = 1
";

/// Rods in a row.
fn chain(links: usize) -> String {
    let mut source = "system chain\nparam m = 1, l = 1, g = 9.81\nassume m > 0, l > 0\n".to_owned();
    let (mut kinetic, mut heights) = (Vec::new(), Vec::new());
    for i in 1..=links {
        let before = i - 1;
        source += &match before {
            0 => "coord x_1, y_1\nconstraint x_1^2 + y_1^2 = l^2\n".to_owned(),
            _ => format!(
                "coord x_{i}, y_{i}\nconstraint rod_{i}: (x_{i} - x_{before})^2 + (y_{i} - y_{before})^2 = l^2\n"
            ),
        };
        source += &format!("start x_{i} = {i}\n");
        kinetic.push(format!("x_{i}'^2 + y_{i}'^2"));
        heights.push(format!("y_{i}"));
    }
    let (kinetic, heights) = (kinetic.join(" + "), heights.join(" + "));
    source + &format!("kinetic m/2*({kinetic})\npotential m*g*({heights})\n")
}

#[test]
fn components_of_every_model_compile_and_fit() {
    if !has_engine() {
        return;
    }
    let part = |name: String| {
        let derivation = Model::open(shipped(&name)).unwrap().derive(None).unwrap();
        let full = Sheet {
            full: true,
            ..derivation.sheet()
        };
        let page = Document {
            title: String::new(),
            ..full.document()
        };
        (name, page)
    };
    let found = complaints(
        "components",
        &together(all_files().into_iter().map(part).collect()),
    );
    let told = found.join("\n\n");
    assert!(found.is_empty(), "{} complaints:\n{told}", found.len());
}

#[test]
fn models_of_other_kinds_compile_and_fit() {
    if !has_engine() {
        return;
    }
    let chain = chain(5);
    let mut parts = Vec::new();
    for source in [GROUPS, WORDS, &chain] {
        let model = Model::read(source).unwrap();
        let forms = model.check().unwrap().summary.unwrap().forms;
        for form in forms {
            // Some forms have no numbers at a start where all rods lie in a row.
            if let Ok(derivation) = model.derive(form) {
                parts.push((form.to_string(), derivation.sheet().document()));
            }
        }
        let request = model.analyze().effort(0.05).unwrap();
        let request = request.only(&["distribution", "symmetries", "momenta"]);
        parts.push((
            "analysis".into(),
            request.unwrap().run().unwrap().document(),
        ));
    }
    assert!(parts.len() > 20, "{} pages", parts.len());
    let found = complaints("kinds", &together(parts));
    let told = found.join("\n\n");
    assert!(found.is_empty(), "{} complaints:\n{told}", found.len());
}

#[test]
fn analyses_compile_and_fit() {
    if !has_engine() {
        return;
    }
    let mut parts = Vec::new();
    for name in all_files() {
        let model = Model::open(shipped(&name)).unwrap();
        // Less effort changes verdicts into undecided ones, not how they are written.
        let topics = [
            "regularity",
            "distribution",
            "symmetries",
            "momenta",
            "jacobi",
        ];
        let request = model.analyze().effort(0.05).and_then(|r| r.only(&topics));
        let Ok(request) = request else { continue };
        if let Ok(analysis) = request.run() {
            let page = Document {
                title: String::new(),
                ..analysis.document()
            };
            parts.push((name.clone(), page));
        }
    }
    let found = complaints("analyses", &together(parts));
    assert!(
        found.is_empty(),
        "{} complaints:\n{}",
        found.len(),
        found.join("\n\n")
    );
}

#[test]
fn pages_of_steering_compile_and_fit() {
    if !has_engine() {
        return;
    }
    let commands: [&[&str]; 6] = [
        &["linearize"],
        &["linearize", "--at", "equilibrium"],
        &["control", "--nodes", "10", "--route", "direct"],
        &[
            "control",
            "--nodes",
            "10",
            "--route",
            "direct",
            "--feedback",
        ],
        &["discrete", "--step", "0.01"],
        &["discrete", "--step", "0.01", "--steps", "2"],
    ];
    let models = [
        "cart_pole",
        "cart_pole_swing_up",
        "central_force",
        "cubic_splines",
        "heavy_top",
        "planar_quadrotor",
        "se2_vehicle",
        "two_link_manipulator",
        "underwater_vehicle",
        "vertical_coin",
    ];
    let (mut all, mut pages) = (String::new(), 0);
    for name in models {
        for command in commands {
            let model = shipped(name);
            let mut arguments = vec![command[0], &model, "--format", "latex"];
            arguments.extend(&command[1..]);
            // What a command refuses has no page.
            let run = rattleback(arguments);
            pages += usize::from(!run.out.is_empty());
            all += &run.out;
        }
    }
    assert!(pages > 30, "{pages} pages");
    let empty = Document::new("").latex_page();
    let page = empty.replace("\\end{document}", &format!("{all}\\end{{document}}"));
    let found = complaints("steering", &page);
    let told = found.join("\n\n");
    assert!(found.is_empty(), "{} complaints:\n{told}", found.len());
}

/// What is to be asked for is spelled as an option, and two hyphens stay two.
#[test]
fn options_are_typed() {
    let run = rattleback(["derive", &shipped("heavy_top"), "--format", "latex"]).exits(0);
    let page = run.out;
    assert!(
        page.contains("\\texttt{-{}-full} writes them out"),
        "{page}"
    );
}

#[test]
fn pages_of_steering_stand_alone() {
    let model = shipped("cart_pole");
    let latex = ["--format", "latex", "--standalone"];
    let page = rattleback([&["linearize", &model][..], &latex].concat())
        .exits(0)
        .out;
    assert!(page.starts_with("\\documentclass") && page.ends_with("\\end{document}\n"));
    // Names of columns are symbols.
    assert!(page.contains("$\\dot{\\theta}$"), "{page}");
    let page = rattleback(["linearize", &model, "--format", "mathml"]);
    assert!(
        page.exits(0)
            .out
            .contains("<h2>Eigenvalues with their modes</h2>")
    );
}

#[test]
fn an_engine_complains_about_what_is_wrong() {
    if !has_engine() {
        return;
    }
    let wide = format!(
        "\\documentclass{{article}}\\begin{{document}}$\\mbox{{{}}}$\\end{{document}}",
        "wide ".repeat(60)
    );
    assert_eq!(complaints("wide", &wide).len(), 1);
    let wrong = "\\documentclass{article}\\begin{document}$x_1_2$\\end{document}";
    assert!(!complaints("wrong", wrong).is_empty());
}
