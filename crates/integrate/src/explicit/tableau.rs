//! Rows of Butcher tableaux, and the sums that they stand for.

use crate::simd::{Arithmetic, Block, LANES, read_narrow};

/// A row of a tableau without its zeros: Σ_j weights_j k_(stages_j), at the time t + node h.
#[derive(Clone, Copy, Debug)]
pub struct Row<const J: usize> {
    /// The node c.
    pub node: f64,
    /// Which stages enter, in ascending order.
    pub stages: [usize; J],
    /// The weight of each.
    pub weights: [f64; J],
}

impl<const J: usize> Row<J> {
    /// The stages of this row, out of the rates of all stages with `blocks` blocks each.
    #[inline(always)]
    fn columns<'a>(&self, rates: &'a [Block], blocks: usize) -> [&'a [Block]; J] {
        // Not `map`, which is not always inlined: the loops below must see the slices themselves.
        let mut columns: [&[Block]; J] = [&[]; J];
        for j in 0..J {
            columns[j] = &rates[self.stages[j] * blocks..][..blocks];
        }
        columns
    }

    /// Σ_j weights_j k_j in one block.
    #[inline(always)]
    fn sum<A: Arithmetic>(&self, columns: &[&[Block]; J], block: usize) -> Block {
        let mut sum = [0.0; LANES];
        for (weight, column) in self.weights.iter().zip(columns) {
            sum = A::scaled(*weight, column[block], sum);
        }
        sum
    }

    /// start + h Σ_j weights_j k_j in one block, with the newest stage given apart and added last, so
    /// that everything else is ready when it arrives.
    #[inline(always)]
    fn step<A: Arithmetic>(
        &self,
        columns: &[&[Block]; J],
        block: usize,
        newest: Block,
        start: Block,
        h: Block,
    ) -> Block {
        let mut sum = [0.0; LANES];
        for (weight, column) in self.weights[..J - 1].iter().zip(columns) {
            sum = A::scaled(*weight, column[block], sum);
        }
        let weight: Block = std::array::from_fn(|l| h[l] * self.weights[J - 1]);
        A::block(weight, newest, A::block(h, sum, start))
    }

    /// out = start + h Σ_j weights_j k_j.
    #[inline(always)]
    pub(crate) fn advance<A: Arithmetic>(
        &self,
        rates: &[Block],
        start: &[Block],
        h: Block,
        out: &mut [Block],
    ) {
        let blocks = out.len();
        let columns = self.columns(rates, blocks);
        let start = &start[..blocks];
        for i in 0..blocks {
            let newest = columns[J - 1][i];
            out[i] = self.step::<A>(&columns, i, newest, start[i], h);
        }
    }

    /// The same right after a field has written the newest stage number by number.
    #[inline(always)]
    pub(crate) fn advance_fresh<A: Arithmetic>(
        &self,
        rates: &[Block],
        start: &[Block],
        h: Block,
        out: &mut [Block],
    ) {
        let blocks = out.len();
        let columns = self.columns(rates, blocks);
        let start = &start[..blocks];
        for i in 0..blocks {
            let newest = read_narrow(&columns[J - 1][i]);
            out[i] = self.step::<A>(&columns, i, newest, start[i], h);
        }
    }

    /// out = Σ_j weights_j k_j.
    #[inline(always)]
    pub(crate) fn combine<A: Arithmetic>(&self, rates: &[Block], out: &mut [Block]) {
        let blocks = out.len();
        let columns = self.columns(rates, blocks);
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.sum::<A>(&columns, i);
        }
    }

    /// Σ (Σ_j weights_j k_j / scale)² in each lane.
    #[inline(always)]
    pub(crate) fn square<A: Arithmetic>(&self, rates: &[Block], inverse_scale: &[Block]) -> Block {
        let columns = self.columns(rates, inverse_scale.len());
        let mut squares = [0.0; LANES];
        for (i, scale) in inverse_scale.iter().enumerate() {
            let sum = self.sum::<A>(&columns, i);
            let scaled: Block = std::array::from_fn(|l| sum[l] * scale[l]);
            squares = A::block(scaled, scaled, squares);
        }
        squares
    }
}
