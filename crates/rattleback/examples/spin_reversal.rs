//! The stone that spins one way only: how often its spin changes sign, for spins both ways.
//! `cargo run --release -p rattleback --example spin_reversal`.

use rattleback::Model;

fn main() -> Result<(), rattleback::Error> {
    let stone = Model::open("models/rattleback.mech")?;
    for spin in [5.0, -5.0] {
        let thrown = stone.set(&format!("w = [0.01, 0.01, {spin}]"))?;
        let motion = thrown.simulate().run()?;
        let signs = motion["w[3]"].windows(2);
        let reversals = signs.filter(|pair| pair[0] * pair[1] < 0.0).count();
        println!("spin {spin:+}: {reversals} reversals");
    }
    Ok(())
}
