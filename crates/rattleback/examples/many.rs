//! A thousand sleighs with random starts, on all cores: where they end.
//! `cargo run --release -p rattleback --example many`.

use rattleback::Model;

fn main() -> Result<(), rattleback::Error> {
    let sleigh = Model::open("models/chaplygin_sleigh.mech")?;
    let ends = sleigh
        .ensemble()
        .sample("theta'~normal(0,1)")?
        .draws(1000, 7)
        .until(20.0)
        .run()?;
    let ahead = ends
        .column("speed")
        .map(|speeds| speeds.filter(|v| *v > 0.0).count());
    println!("{ahead:?} of 1000 slide with the centre of mass in front");
    Ok(())
}
