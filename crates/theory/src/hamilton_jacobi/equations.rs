//! The nonholonomic Hamilton-Jacobi equations, written out (HJ-C20).

use super::Setting;
use super::verification::pairs;
use crate::exact::tidy;
use rattleback_symbolic::{Expr, Symbol};

/// The equations for k unknown functions γ_a of the positions.
#[derive(Clone, Debug)]
pub struct Equations {
    /// The unknowns γ_a = γ(Z_a): gamma1, gamma2, ….
    pub unknowns: Vec<Symbol>,
    /// The partial derivatives that occur, with what they stand for: gamma1_x is ∂γ_1/∂x.
    pub derivatives: Vec<(Symbol, usize, Symbol)>,
    /// ½ g^ab γ_a γ_b + V − E, which must vanish.
    pub energy: Expr,
    /// The symbol E.
    pub constant: Symbol,
    /// dγ(Z_a, Z_b), which must vanish, for a < b.
    pub closed: Vec<((usize, usize), Expr)>,
}

impl Equations {
    /// The equations in a frame of D, with E by this symbol. One equation for k = 2, more than
    /// unknowns for k ≥ 3.
    pub fn of(s: &Setting, constant: &Symbol) -> Self {
        let k = s.rank();
        let unknowns: Vec<Symbol> = (1..=k)
            .map(|a| Symbol::variable(&format!("gamma{a}")))
            .collect();
        let values: Vec<Expr> = unknowns.iter().map(Expr::from).collect();
        let base = s.frame.base();
        let name = |b: usize, i: usize| {
            Symbol::variable(&format!("{}_{}", unknowns[b].name(), base[i].name()))
        };
        let slope = |a: usize, b: usize| {
            let z = s.frame.anchored(&s.fields[a]);
            Expr::sum((0..base.len()).map(|i| &z[i] * Expr::from(name(b, i))))
        };
        let closed: Vec<((usize, usize), Expr)> = pairs(k)
            .map(|(a, b)| {
                let value = slope(a, b) - slope(b, a) - s.turned(a, b, &values);
                ((a, b), tidy(&value))
            })
            .collect();
        let mut derivatives = Vec::new();
        for b in 0..k {
            for (i, q) in base.iter().enumerate() {
                let symbol = name(b, i);
                if closed.iter().any(|(_, e)| e.contains(&symbol)) {
                    derivatives.push((symbol, b, q.clone()));
                }
            }
        }
        Self {
            energy: tidy(&(s.energy(&values) - constant)),
            constant: constant.clone(),
            unknowns,
            derivatives,
            closed,
        }
    }
}

/// For k = 2: with an orthonormal frame and γ = ρ(cos χ, sin χ), ρ = √(2(E − V)), one quasilinear
/// equation for χ is left. Its characteristics are the motions themselves, so that a solution exists
/// through every curve that they cross, off E = V.
#[derive(Clone, Debug)]
pub struct Characteristics {
    /// The angle χ.
    pub angle: Symbol,
    /// γ(Z_1), γ(Z_2) by χ.
    pub components: Vec<Expr>,
    /// z' along a characteristic, in positions and χ.
    pub positions: Vec<Expr>,
    /// χ' along a characteristic.
    pub rate: Expr,
}

impl Characteristics {
    /// `None` unless D has rank 2. Needs an orthogonal frame.
    pub fn of(s: &Setting, constant: &Symbol) -> Option<Self> {
        if s.rank() != 2 || !s.is_orthogonal() {
            return None;
        }
        let angle = Symbol::variable("chi");
        let chi = Expr::from(&angle);
        let twice = 2 * (Expr::from(constant) - &s.potential);
        let length = |a: usize| s.metric[(a, a)].sqrt();
        let rho = twice.sqrt();
        let components = vec![&rho * length(0) * chi.cos(), &rho * length(1) * chi.sin()];
        // P_a' = −Z_a[H] − ĉ^d_ab P_d v^b along motions; χ from either equation.
        let v = s.inverse_metric.apply(&components);
        let velocity = s.velocity(&components);
        let rates: Vec<Expr> = (0..2)
            .map(|a| {
                let other = 1 - a;
                let momenta = [Symbol::constant("P1_frozen"), Symbol::constant("P2_frozen")];
                let p: Vec<Expr> = momenta.iter().map(Expr::from).collect();
                let h = s.energy(&p);
                let back: Vec<(Symbol, Expr)> = momenta
                    .iter()
                    .cloned()
                    .zip(components.iter().cloned())
                    .collect();
                let slope = s.along(a, &h).substitute(&back);
                -slope - s.turned(a, other, &components) * &v[other]
            })
            .collect();
        // d/dt(ρ ℓ_1 cos χ) = rates[0]: solve with both, χ' = (cos χ X_2 − sin χ X_1)/ρ,
        // X_a = (P_a' − P_a ℓ_a'/ℓ_a)/ℓ_a, which drops ρ'.
        let x = |a: usize| {
            let l = length(a);
            let moved = s
                .frame
                .act(&velocity, std::slice::from_ref(&l))
                .swap_remove(0);
            (&rates[a] - &components[a] * moved / &l) / &l
        };
        let rate = (chi.cos() * x(1) - chi.sin() * x(0)) / &rho;
        Some(Self {
            positions: s.frame.anchored(&velocity).iter().map(tidy).collect(),
            rate: tidy(&rate),
            components: components.iter().map(tidy).collect(),
            angle,
        })
    }
}
