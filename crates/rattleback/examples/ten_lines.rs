//! A rolling disk in ten lines: equations, motion, and what is true of it.
//! `cargo run --release -p rattleback --example ten_lines`.

use rattleback::Model;

fn main() -> Result<(), rattleback::Error> {
    let disk = Model::read(
        "system disk\nparam m = 1, R = 1/2, J = 1/8, I = 1/4\ncoord x, y\ncoord phi, theta : angle\n\
         kinetic m/2*(x'^2 + y'^2) + I/2*theta'^2 + J/2*phi'^2\n\
         constraint x' = R*cos(phi)*theta', y' = R*sin(phi)*theta'\n\
         start phi' = 1, theta' = 4\ntime 0 .. 10 step 0.1\n",
    )?;
    println!("{}", disk.derive(None)?.sheet().text(true));
    println!(
        "{}",
        disk.analyze().only(&["distribution"])?.run()?.text(true)
    );
    println!("x(10) = {:?}", disk.simulate().run()?["x"].last());
    Ok(())
}
