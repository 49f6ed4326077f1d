//! The smallest involutive distribution around a distribution, at generic points.

use rattleback_geometry::{Distribution, DistributionError, Section, independent_rows};
use rattleback_symbolic::{Expr, Matrix};

/// Sections of D and iterated brackets that span the bracket closure.
pub(super) fn closure(d: &Distribution) -> Result<Vec<Section>, DistributionError> {
    let generators: Vec<Section> = (0..d.rank()).map(|a| d.section(a)).collect();
    let mut all = generators.clone();
    let mut fresh = generators.clone();
    while !fresh.is_empty() && all.len() < d.frame().rank() {
        let mut candidates = all.clone();
        for z in &generators {
            for w in &fresh {
                let bracket = d.frame().bracket(z, w);
                if bracket.iter().any(|e| !e.is_zero()) {
                    candidates.push(bracket);
                }
            }
        }
        let rows = Matrix::new(candidates.len(), d.frame().rank(), |i, j| -> Expr {
            candidates[i][j].clone()
        });
        let kept = independent_rows(&rows, d.parametrization())?.kept;
        fresh = kept
            .iter()
            .filter(|&&i| i >= all.len())
            .map(|&i| candidates[i].clone())
            .collect();
        all.extend(fresh.iter().cloned());
    }
    Ok(all)
}
