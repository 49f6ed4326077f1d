//! The system on an accessible set: a level of the integrals of its constraints (NG-A2).

use crate::exact::tidy;
use rattleback_geometry::independent_rows;
use rattleback_mechanics::{Constraints, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, free_symbols, substitute_all};

/// A system restricted to f_1 = c_1, f_2 = c_2, …, with one coordinate less per integral.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The system on the level.
    pub system: System,
    /// The coordinates that are gone, by the others and the levels.
    pub eliminated: Vec<(Symbol, Expr)>,
    /// The levels c.
    pub levels: Vec<Symbol>,
}

impl Leaf {
    /// The restriction of a system on coordinates, where each integral can be solved for a coordinate in which
    /// it is linear with a constant slope. `None` where that is not so.
    pub fn of(system: &System, integrals: &[Expr]) -> Option<Self> {
        if system.has_groups() || integrals.is_empty() {
            return None;
        }
        let q = system.frame().base();
        let mut eliminated: Vec<(Symbol, Expr)> = Vec::new();
        let mut levels = Vec::new();
        for (k, f) in integrals.iter().enumerate() {
            let f = f.substitute(&eliminated);
            let (s, slope) = q.iter().find_map(|s| {
                let slope = f.diff(s);
                (!slope.is_zero() && slope.is_constant()).then_some((s, slope))
            })?;
            let level = Symbol::constant(&format!("level{}", k + 1));
            let rest = f.substitute(&[(s.clone(), Expr::zero())]);
            let value = tidy(&((Expr::from(&level) - rest) / slope));
            for (_, e) in &mut eliminated {
                *e = tidy(&e.substitute(&[(s.clone(), value.clone())]));
            }
            eliminated.push((s.clone(), value));
            levels.push(level);
        }
        let kept: Vec<Symbol> = q
            .iter()
            .filter(|s| eliminated.iter().all(|(e, _)| e != *s))
            .cloned()
            .collect();
        // Velocities first: they contain the positions that go.
        let velocities: Vec<(Symbol, Expr)> = eliminated
            .iter()
            .map(|(s, e)| (s.derivative(), e.total_derivative()))
            .collect();
        let on_leaf = |all: &[Expr]| substitute_all(&substitute_all(all, &velocities), &eliminated);
        let lagrangian = on_leaf(std::slice::from_ref(system.lagrangian())).swap_remove(0);
        let residuals = on_leaf(&system.constraints().residuals(system.frame()));
        let v: Vec<Symbol> = kept.iter().map(Symbol::derivative).collect();
        let rows: Vec<Vec<Expr>> = residuals
            .iter()
            .map(|r| r.gradient(&v).iter().map(tidy).collect())
            .collect();
        let forms = Matrix::from_rows(&rows);
        let independent = independent_rows(&forms, &[]).ok()?.kept;
        let columns: Vec<usize> = (0..kept.len()).collect();
        let forms = forms.select(&independent, &columns);
        let offsets = vec![Expr::zero(); forms.rows()];
        debug_assert!(
            free_symbols(forms.entries())
                .iter()
                .all(|s| eliminated.iter().all(|(e, _)| e != s))
        );
        let circles = system.circles().iter().filter(|s| kept.contains(s));
        let mut restricted = System::on_coordinates(system.name(), &kept, lagrangian)
            .with_circles(circles.cloned().collect());
        if forms.rows() > 0 {
            restricted = restricted.with_constraints(Constraints::new(forms, offsets));
        }
        Some(Self {
            system: restricted,
            eliminated,
            levels,
        })
    }
}
