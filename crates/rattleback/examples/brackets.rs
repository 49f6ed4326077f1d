//! Dirac's brackets of positions and velocities on the constraint submanifold:
//! `cargo run -p rattleback --example brackets -- models/knife_edge.mech`.

use rattleback::Model;
use rattleback::mechanics::phase::DiracBracket;
use rattleback::symbolic::{Expr, simplify};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which model?")?;
    let problem = Model::open(path)?.problem()?;
    let system = &problem.system;
    let dirac = DiracBracket::of(system)?;
    let (q, v) = (system.frame().base(), system.frame().fibre());
    let z: Vec<Expr> = q.iter().chain(v).map(Expr::from).collect();
    for (i, f) in z.iter().enumerate() {
        for g in &z[i + 1..] {
            let value = simplify(&dirac.bracket(f, g));
            if !value.is_zero() {
                println!("{{{f}, {g}}} = {value}");
            }
        }
    }
    Ok(())
}
