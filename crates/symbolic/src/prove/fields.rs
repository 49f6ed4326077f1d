//! What holds at random points of random prime fields, on every branch of every root.

use super::field::{Element, Field, TORSION};
use super::program::Program;
use super::random::Random;
use super::size;
use super::trial::{Miss, Trial};
use super::verdict::{Reason, ZeroProof};

/// What prime fields say of a condition.
pub(super) enum FieldTest {
    /// It holds on all branches.
    Zero(ZeroProof),
    /// It fails at some point of some field, which proves nothing of the real function.
    Nonzero,
    /// They do not say.
    Unknown(Reason),
}

/// Bits of error probability that a proof must stay below.
const CERTAINTY: f64 = 100.0;
/// Points drawn in one field before its poles and missing roots are taken for a property.
pub(super) const DRAWS: usize = 600;

/// Do all outputs vanish identically?
pub(super) fn vanishes(program: &Program) -> FieldTest {
    test(program, 1, &|_: &Field, outputs: &[Element]| {
        outputs.iter().all(|x| x.is_zero())
    })
}

/// Do all minors of more than `rank` rows of the matrix of outputs vanish identically?
pub(super) fn rank_is_at_most(program: &Program, columns: usize, rank: usize) -> FieldTest {
    test(program, rank + 1, &|field: &Field, outputs: &[Element]| {
        rank_of(field, outputs, columns) <= rank
    })
}

/// The rank of a matrix given row by row.
fn rank_of(field: &Field, entries: &[Element], columns: usize) -> usize {
    let mut rows: Vec<Vec<Element>> = entries.chunks(columns).map(<[_]>::to_vec).collect();
    let mut rank = 0;
    for j in 0..columns {
        let Some(i) = (rank..rows.len()).find(|&i| !rows[i][j].is_zero()) else {
            continue;
        };
        rows.swap(rank, i);
        let (done, below) = rows.split_at_mut(rank + 1);
        let pivot = &done[rank];
        // The pivot is not zero.
        let inverse = field.invert(pivot[j]).unwrap_or(field.one);
        for row in below {
            let factor = field.mul(row[j], inverse);
            for (x, p) in row.iter_mut().zip(pivot).skip(j) {
                *x = field.sub(*x, field.mul(factor, *p));
            }
        }
        rank += 1;
    }
    rank
}

/// Does a condition that minors of so many rows decide hold at random points on every branch?
fn test(
    program: &Program,
    minor: usize,
    condition: &impl Fn(&Field, &[Element]) -> bool,
) -> FieldTest {
    let mut random = Random::new(program.seed);
    // One point settles most refutations; bounds are only worth their cost after a zero.
    let branches = match holds_somewhere(program, &mut random, condition) {
        Ok((true, branches)) => branches,
        Ok((false, _)) => return FieldTest::Nonzero,
        Err(why) => return FieldTest::Unknown(why),
    };
    let bounds = size::bounds(program, minor);
    let bits = certainty(&bounds, branches, program.turns);
    if bits < 5.0 {
        return FieldTest::Unknown(Reason::Degree(bounds.degree.log2() as u64));
    }
    let points = (CERTAINTY / bits).ceil() as usize;
    for _ in 1..points {
        match holds_somewhere(program, &mut random, condition) {
            Ok((true, _)) => {}
            Ok((false, _)) => return FieldTest::Nonzero,
            Err(why) => return FieldTest::Unknown(why),
        }
    }
    FieldTest::Zero(ZeroProof::Fields {
        points,
        branches,
        degree: bounds.degree,
        bits: CERTAINTY as u32,
    })
}

/// Bits of certainty that one zero gives: degree/p for the point and the share of primes that divide
/// the coefficients, times the share of points that have all roots.
fn certainty(bounds: &size::Bounds, branches: u64, turns: u64) -> f64 {
    // At least 2^47 primes between 2^60 and 2^61 are ≡ -1 mod 480; a finer division leaves fewer.
    let point = bounds.degree / 2f64.powi(60);
    let share = turns as f64 / TORSION as f64;
    let prime = (bounds.height / 60.0 + 1.0) * share / 2f64.powi(47);
    -((point + prime) * branches as f64 * branches as f64).log2()
}

/// Does the condition hold at a random point of a random field? With the number of branches.
fn holds_somewhere(
    program: &Program,
    random: &mut Random,
    condition: &impl Fn(&Field, &[Element]) -> bool,
) -> Result<(bool, u64), Reason> {
    let mut trial = Trial::new(program, Random::new(random.next()))
        .ok_or_else(|| no_image("no prime field contains its constants"))?;
    let mut last = Miss::Pole;
    for _ in 0..DRAWS {
        trial.draw();
        match trial.holds(condition) {
            Ok(answer) => return Ok(answer),
            Err(Miss::Branches) => {
                return Err(no_image(
                    "it has more independent square roots than can be tried",
                ));
            }
            Err(miss) => last = miss,
        }
    }
    Err(match last {
        Miss::Pole => Reason::NowhereDefined,
        _ => no_image("no point was found where all its roots exist"),
    })
}

fn no_image(why: &str) -> Reason {
    Reason::NoImage(why.into())
}
