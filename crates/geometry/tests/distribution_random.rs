//! Distributions of random forms of random rank: what the computed bases must satisfy.

mod random;

use random::{Random, symbols};
use rattleback_geometry::{Distribution, Form, Frame};
use rattleback_symbolic::{Expr, Matrix, Symbol, fingerprint, prove_zero};

/// Random forms with zeros, some of them combinations of the others; and how many are not.
fn random_forms(random: &mut Random, q: &[Symbol]) -> (Matrix, usize) {
    let independent = 1 + random.below(q.len() - 1);
    let mut rows: Vec<Vec<Expr>> = (0..independent)
        .map(|i| {
            (0..q.len())
                .map(|j| match (i.cmp(&j), random.below(3)) {
                    // A unit triangle keeps the rows independent.
                    (std::cmp::Ordering::Equal, _) => Expr::one(),
                    (std::cmp::Ordering::Greater, _) | (_, 0) => Expr::zero(),
                    _ => random.function(q),
                })
                .collect()
        })
        .collect();
    for _ in 0..random.below(3) {
        let weights: Vec<Expr> = (0..independent).map(|_| random.function(q)).collect();
        let combination = (0..q.len())
            .map(|j| Expr::sum(weights.iter().zip(&rows).map(|(w, row)| w * &row[j])))
            .collect();
        rows.push(combination);
    }
    // A unimodular mix hides the triangle.
    let mix = random.change_of_frame(q, independent);
    let top = Matrix::from_rows(&rows[..independent]);
    let mixed = &mix * &top;
    for (i, row) in rows.iter_mut().take(independent).enumerate() {
        *row = mixed.row(i).to_vec();
    }
    (Matrix::from_rows(&rows), independent)
}

#[test]
fn bases_are_annihilated_and_complete() {
    let q = symbols(&["x", "y", "z", "w"]);
    let frame = Frame::coordinates(&q);
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let (forms, rank) = random_forms(&mut random, &q);
        let d = Distribution::annihilated_by(&frame, &forms, &[]).unwrap();
        assert_eq!(d.annihilator().rows(), rank, "seed {seed}");
        assert_eq!(d.rank(), q.len() - rank, "seed {seed}");
        assert_eq!(d.redundant().len(), forms.rows() - rank, "seed {seed}");
        assert!(
            d.redundant().iter().all(|r| r.verdict.is_proven()),
            "seed {seed}"
        );
        assert!(d.check_annihilates(&forms).is_proven(), "seed {seed}");
        // A complement of the right rank exists: the stacked matrix is regular.
        let whole = d.basis().transpose();
        let independent = rattleback_geometry::independent_rows(&whole, &[]).unwrap();
        assert_eq!(independent.kept.len(), d.rank(), "seed {seed}");
    }
}

/// Where no condition is reported, the basis is regular at every point where the forms are: tried
/// at points with many zeros.
#[test]
fn unconditional_bases_are_regular_at_special_points() {
    let q = symbols(&["x", "y", "z", "w"]);
    let frame = Frame::coordinates(&q);
    let mut tried = 0;
    for seed in 100..160 {
        let mut random = Random::new(seed);
        let (forms, _) = random_forms(&mut random, &q);
        let d = Distribution::annihilated_by(&frame, &forms, &[]).unwrap();
        if !d.conditions().is_empty() {
            continue;
        }
        for _ in 0..4 {
            let point: Vec<(Symbol, Expr)> = q
                .iter()
                .map(|s| {
                    let quarter = random.below(4) as i64;
                    (s.clone(), Expr::pi() * Expr::ratio(quarter, 2))
                })
                .collect();
            let rank = |m: &Matrix| {
                let at = m.map(|e| e.substitute(&point));
                let usable = fingerprint(at.entries()).is_some();
                usable.then(|| {
                    rattleback_geometry::independent_rows(&at, &[])
                        .unwrap()
                        .kept
                        .len()
                })
            };
            if rank(d.annihilator()) == Some(d.annihilator().rows()) {
                assert_eq!(
                    rank(&d.basis().transpose()),
                    Some(d.rank()),
                    "seed {seed} at {point:?}"
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 50, "only {tried} points were comparable");
}

/// T_a,bc = φ_a([Z_b, Z_c]) = -dφ_a(Z_b, Z_c) (NG-K5), also on a frame that is not holonomic.
#[test]
fn the_involutivity_tensor_is_minus_the_exterior_derivative() {
    let q = symbols(&["x", "y", "z", "w"]);
    for seed in 200..206 {
        let mut random = Random::new(seed);
        let change = random.change_of_frame(&q, 4);
        let fibre = symbols(&["a", "b", "c", "d"]);
        let frame = Frame::coordinates(&q)
            .changed(&change, &fibre, &[])
            .unwrap();
        let (forms, _) = random_forms(&mut random, &q);
        let d = Distribution::annihilated_by(&frame, &forms, &[]).unwrap();
        for (a, b, c, t) in d.involutivity_tensor() {
            let phi = Form::covector(d.annihilator().row(a));
            let derivative = phi
                .differential(&frame)
                .evaluate(&[d.section(b), d.section(c)]);
            assert!(prove_zero(&(t + derivative)).is_proven(), "seed {seed}");
        }
    }
}

/// HJ property 6: the growth vector does not depend on the basis of D nor on the frame.
#[test]
fn growth_does_not_depend_on_the_frame() {
    let q = symbols(&["x", "y", "z", "w"]);
    let frame = Frame::coordinates(&q);
    for seed in 300..308 {
        let mut random = Random::new(seed);
        let (forms, _) = random_forms(&mut random, &q);
        let d = Distribution::annihilated_by(&frame, &forms, &[]).unwrap();
        let change = random.change_of_frame(&q, 4);
        let fibre = symbols(&["a", "b", "c", "d"]);
        let moving = frame.changed(&change, &fibre, &[]).unwrap();
        let seen = Distribution::annihilated_by(&moving, &(&forms * &change), &[]).unwrap();
        let mixed = d.basis() * &random.change_of_frame(&q, d.rank());
        let sections: Vec<Vec<Expr>> = (0..d.rank()).map(|a| mixed.column(a)).collect();
        let respanned = Distribution::spanned_by(&frame, &sections, &[]).unwrap();
        let growth = d.growth().unwrap();
        assert_eq!(seen.growth().unwrap(), growth, "seed {seed}");
        assert_eq!(respanned.growth().unwrap(), growth, "seed {seed}");
        assert_eq!(
            d.is_involutive().is_proven(),
            growth.ranks.len() <= 1,
            "seed {seed}"
        );
        assert!(
            respanned.check_annihilates(d.annihilator()).is_proven(),
            "seed {seed}"
        );
    }
}
