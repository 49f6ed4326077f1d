//! Opens a model, prints its equations, follows its motion and reads a column:
//! `cargo run -p rattleback --example pendulum -- models/spherical_pendulum.mech x`.

use rattleback::Model;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (path, column) = (
        arguments.next().ok_or("which model?")?,
        arguments.next().ok_or("which column?")?,
    );
    let model = Model::open(path)?;
    println!("{}", model.derive(None)?.sheet().text(true));
    let motion = model.simulate().until(3.0).run()?;
    let values = motion.column(&column).ok_or("there is no such column")?;
    println!("{column}(3) = {:?}", values.last());
    Ok(())
}
