//! A cart from rest to rest at the least effort: the cost of u^2/2 over one unit of time is 6.
//! `cargo run --release -p rattleback --example steer`.

use rattleback::Model;

fn main() -> Result<(), rattleback::Error> {
    let cart = Model::read(
        "system cart\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\n\
         start x = 0\ngoal x = 1, x' = 0\ntime 0 .. 1\n",
    )?;
    let found = cart.control().run(&())?;
    println!("cost {:?}", found.solution.cost);
    Ok(())
}
