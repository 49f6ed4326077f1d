//! Reads model files and prints what is wrong with them: `cargo run --example check -- FILE…`.

use rattleback_language::{load, parse};

fn main() {
    for path in std::env::args().skip(1) {
        let source = match load(&path) {
            Ok(source) => source,
            Err(error) => {
                println!("{error}");
                continue;
            }
        };
        let outcome = parse(&source);
        for diagnostic in &outcome.diagnostics {
            print!("{}", diagnostic.render(&source, false));
        }
        if let Some(model) = &outcome.model {
            let (n, k) = (model.velocities().len(), model.constraints.len());
            println!(
                "{path}: {} with {n} velocities and {k} constraints, order {}",
                model.name, model.order
            );
        }
    }
}
