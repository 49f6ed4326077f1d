//! The derived flag D ⊂ D + [D, D] ⊂ … and its growth vector (HJ-C10, NG-A1, CG-A1).

use super::{Distribution, DistributionError};
use crate::frame::Section;
use crate::span::Span;
use rattleback_symbolic::{Expr, Symbol, substitute_all};

/// The ranks of D¹ = D, D² = D + [D, D¹], D³ = D + [D, D²], …
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The rank of each D^j; the last entry is where the flag stops growing or was left.
    pub ranks: Vec<usize>,
    /// Is the flag known not to grow beyond the last rank?
    pub complete: bool,
}

impl Growth {
    /// The final rank.
    pub fn rank(&self) -> usize {
        self.ranks.last().copied().unwrap_or(0)
    }
}

/// Brackets at one level of a pointwise flag; beyond it the answer is marked incomplete.
const BRACKETS: usize = 2000;

impl Distribution {
    /// The growth vector at generic points.
    ///
    /// There D^j has a local basis among its generators, so a level without growth is the last one.
    pub fn growth(&self) -> Result<Growth, DistributionError> {
        let generators: Vec<Section> = (0..self.rank()).map(|a| self.section(a)).collect();
        let mut span = Span::default();
        let mut ranks = Vec::new();
        let mut level = generators.clone();
        loop {
            let before = span.rank();
            let mut fresh = Vec::new();
            for section in level {
                if span.insert(&substitute_all(&section, self.parametrization()))? {
                    fresh.push(section);
                }
            }
            if span.rank() == before {
                break;
            }
            ranks.push(span.rank());
            if span.rank() == self.frame().rank() {
                break;
            }
            level = self.brackets(&generators, &fresh);
        }
        Ok(Growth {
            ranks,
            complete: true,
        })
    }

    /// Does D generate everything by brackets, at generic points?
    pub fn is_bracket_generating(&self) -> Result<bool, DistributionError> {
        Ok(self.growth()?.rank() == self.frame().rank())
    }

    /// The growth vector at a point: values for the coordinates, and for parameters if wanted.
    ///
    /// The rank may stall at a singular point and grow later (2, 2, 3 at a Martinet point), so all
    /// iterated brackets are kept until the generic rank is reached or `depth` levels are done; the
    /// ranks after the last growth are cut off.
    pub fn growth_at(
        &self,
        point: &[(Symbol, Expr)],
        depth: usize,
    ) -> Result<Growth, DistributionError> {
        let full = self.growth()?.rank();
        let generators: Vec<Section> = (0..self.rank()).map(|a| self.section(a)).collect();
        let mut span = Span::default();
        let mut level = generators.clone();
        let mut ranks = Vec::new();
        let mut crowded = false;
        for _ in 0..depth.max(1) {
            for section in &level {
                let at = substitute_all(section, point);
                span.insert(&substitute_all(&at, self.parametrization()))?;
            }
            ranks.push(span.rank());
            if span.rank() == full || level.is_empty() {
                break;
            }
            level = self.brackets(&generators, &level);
            if level.len() > BRACKETS {
                level.truncate(BRACKETS);
                crowded = true;
            }
        }
        let exhausted = level.is_empty() && !crowded;
        let last = span.rank();
        let grown = ranks.iter().position(|&r| r == last).unwrap_or(0);
        ranks.truncate(grown + 1);
        Ok(Growth {
            ranks,
            complete: last == full || exhausted,
        })
    }

    /// [Z, W] for generators Z and sections W, without literal zeros and repetitions.
    fn brackets(&self, generators: &[Section], sections: &[Section]) -> Vec<Section> {
        let mut all: Vec<Section> = Vec::new();
        for z in generators {
            for w in sections.iter().filter(|w| *w != z) {
                let bracket = self.frame().bracket(z, w);
                let opposite: Section = bracket.iter().map(|e| -e).collect();
                let zero = bracket.iter().all(Expr::is_zero);
                if !zero && !all.contains(&bracket) && !all.contains(&opposite) {
                    all.push(bracket);
                }
            }
        }
        all
    }
}
