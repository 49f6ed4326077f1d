//! Derivation to equations that can be evaluated: `cargo bench --package rattleback-bench`.

use divan::{Bencher, black_box};
use rattleback_bench::Problem;

fn main() {
    divan::main();
}

fn derive(bencher: Bencher, problem: Problem) {
    bencher.bench(|| black_box(problem).evaluator());
}

#[divan::bench(args = [2, 4, 8, 16, 32])]
fn pendulum(bencher: Bencher, links: usize) {
    derive(bencher, Problem::Pendulum(links));
}

#[divan::bench(args = [1, 3, 6])]
fn trailers(bencher: Bencher, trailers: usize) {
    derive(bencher, Problem::Trailers(trailers));
}

#[divan::bench]
fn snakeboard(bencher: Bencher) {
    derive(bencher, Problem::Snakeboard);
}
