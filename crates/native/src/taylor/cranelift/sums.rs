//! Sums over earlier orders, several side by side in one loop.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use rattleback_compile::taylor::Degree;

use super::code::{Address, Number};
use super::emit::Emitter;
use super::order::Order;
use crate::taylor::layout::{Base, Pack, Places, Width};

/// How many registers the sums of one loop take.
const REGISTERS: usize = 12;

/// A factor of a product of series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Factor {
    pub(super) places: Places,
    pub(super) degree: Degree,
    /// Is it one number for all lanes?
    pub(super) is_spread: bool,
}

/// Σ a_j b_(k−j) over 0 < j < k, for all pairs of factors.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    pub(super) width: Width,
    pub(super) products: Vec<(Factor, Factor)>,
}

impl Sum {
    /// How many registers it takes.
    pub(super) fn registers(&self) -> usize {
        match self.width {
            Width::One => 1,
            Width::Four => 2,
        }
    }
}

/// A pointer that runs through coefficients: what it is relative to, and its stride.
type Track = (Base, i32);

/// The pointers of a loop: up through the first factors, down through the second ones.
struct Tracks {
    up: Vec<Track>,
    down: Vec<Track>,
}

impl Tracks {
    fn of(sums: &[&Sum]) -> Tracks {
        let track = |factor: &Factor| (factor.places.base, factor.places.stride);
        let products = || sums.iter().flat_map(|sum| running(sum));
        let distinct = |tracks: &mut dyn Iterator<Item = Track>| {
            let mut distinct: Vec<Track> = Vec::new();
            for track in tracks {
                if !distinct.contains(&track) {
                    distinct.push(track);
                }
            }
            distinct
        };
        Tracks {
            up: distinct(&mut products().map(|(a, _)| track(a))),
            down: distinct(&mut products().map(|(_, b)| track(b))),
        }
    }
}

/// The products that have a term for every earlier order.
fn running(sum: &Sum) -> impl Iterator<Item = &(Factor, Factor)> {
    let endless = |factor: &Factor| factor.degree == Degree::INFINITE;
    (sum.products.iter()).filter(move |(a, b)| endless(a) && endless(b))
}

/// The products of which one factor is a polynomial: it comes first.
fn ending(sum: &Sum) -> impl Iterator<Item = (Factor, Factor)> {
    let products = sum.products.iter();
    products.filter_map(|&(a, b)| match a.degree.min(b.degree) {
        Degree::INFINITE => None,
        least if least == a.degree => Some((a, b)),
        _ => Some((b, a)),
    })
}

impl Emitter<'_, '_, '_> {
    /// A pack as a factor.
    pub(super) fn factor(&self, pack: Pack) -> Factor {
        let pack = &self.sketch.layout.packs[pack];
        Factor {
            places: pack.places,
            degree: pack.degree,
            is_spread: false,
        }
    }

    /// The values of sums, none for those that are empty.
    pub(super) fn earlier(&mut self, sums: &[Sum]) -> Vec<Option<Number>> {
        if let Order::Known(k) = self.order {
            return sums.iter().map(|sum| self.written_out(sum, k)).collect();
        }
        let mut values = Vec::new();
        let mut rest = sums;
        while !rest.is_empty() {
            let mut registers = 0;
            let fitting = rest.iter().take_while(|sum| {
                registers += sum.registers();
                registers <= REGISTERS
            });
            let (now, later) = rest.split_at(fitting.count().max(1));
            values.extend(self.side_by_side(now));
            rest = later;
        }
        values
    }

    fn written_out(&mut self, sum: &Sum, k: usize) -> Option<Number> {
        let mut value = None;
        for j in 1..k {
            for (a, b) in &sum.products {
                if a.degree.reaches(j) && b.degree.reaches(k - j) {
                    let a = self.earlier_factor(sum.width, a, self.code.address(a.places.at(j)));
                    let b =
                        self.earlier_factor(sum.width, b, self.code.address(b.places.at(k - j)));
                    value = Some(self.plus_product(value, a, b));
                }
            }
        }
        value
    }

    /// sum + a·b
    pub(super) fn plus_product(&mut self, sum: Option<Number>, a: Number, b: Number) -> Number {
        match sum {
            None => self.code.mul(a, b),
            Some(sum) => self.code.mul_add(a, b, sum),
        }
    }

    fn earlier_factor(&mut self, width: Width, factor: &Factor, from: Address) -> Number {
        if factor.is_spread {
            self.code.spread(from)
        } else {
            self.code.load(width, from)
        }
    }

    fn side_by_side(&mut self, sums: &[Sum]) -> Vec<Option<Number>> {
        let looping: Vec<&Sum> = (sums.iter())
            .filter(|sum| running(sum).next().is_some())
            .collect();
        let mut found = self.run(&looping).into_iter();
        let mut values = Vec::new();
        for sum in sums {
            let is_running = running(sum).next().is_some();
            let mut value = if is_running { found.next() } else { None };
            for (a, b) in ending(sum) {
                for j in 1..=a.degree.within(usize::MAX) {
                    let from = self.code.address(a.places.at(j));
                    let a = self.earlier_factor(sum.width, &a, from);
                    let from = self.back(b.places, j);
                    let b = self.earlier_factor(sum.width, &b, from);
                    value = Some(self.plus_product(value, a, b));
                }
            }
            values.push(value);
        }
        values
    }

    /// The loop over all earlier orders.
    fn run(&mut self, sums: &[&Sum]) -> Vec<Number> {
        let tracks = Tracks::of(sums);
        let Some(&leader) = tracks.up.first() else {
            return Vec::new();
        };
        let end = self.current_pointer(leader);
        let mut initial = Vec::new();
        for &(base, stride) in &tracks.up {
            let start = self.code.base(base);
            initial.push(self.code.advance(start, stride));
        }
        for &(base, stride) in &tracks.down {
            let start = self.current_pointer((base, stride));
            initial.push(self.code.advance(start, -stride));
        }
        for sum in sums {
            let zero = self.code.constant(sum.width, 0.0);
            initial.extend_from_slice(zero.parts());
        }
        let (block, values) = self.code.begin_loop(&initial);
        let (up, values) = values.split_at(tracks.up.len());
        let (down, mut values) = values.split_at(tracks.down.len());
        let pointer = |tracks: &[Track], pointers: &[Value], places: Places| {
            let place = tracks
                .iter()
                .position(|&t| t == (places.base, places.stride));
            Address {
                base: pointers[place.unwrap_or(0)],
                offset: places.offset,
            }
        };
        let mut known: Vec<(Address, bool, Number)> = Vec::new();
        let mut results = Vec::new();
        for sum in sums {
            let (own, others) = values.split_at(sum.registers());
            values = others;
            let mut value = match own {
                &[low, high] => Number::Four([low, high]),
                own => Number::One(own[0]),
            };
            for (a, b) in running(sum) {
                let from = [
                    (a, pointer(&tracks.up, up, a.places)),
                    (b, pointer(&tracks.down, down, b.places)),
                ];
                let [a, b] = from.map(|(factor, from)| {
                    let mut loaded = known.iter();
                    let same = loaded.find(|k| (k.0, k.1) == (from, factor.is_spread));
                    match same {
                        Some(&(_, _, number)) => number,
                        None => {
                            let number = self.earlier_factor(sum.width, factor, from);
                            known.push((from, factor.is_spread, number));
                            number
                        }
                    }
                });
                value = self.code.mul_add(a, b, value);
            }
            results.push(value);
        }
        let mut next = Vec::new();
        for (&pointer, &(_, stride)) in up.iter().zip(&tracks.up) {
            next.push(self.code.advance(pointer, stride));
        }
        for (&pointer, &(_, stride)) in down.iter().zip(&tracks.down) {
            next.push(self.code.advance(pointer, -stride));
        }
        let ins = self.code.builder.ins();
        let goes_on = ins.icmp(IntCC::NotEqual, next[0], end);
        for result in &results {
            next.extend_from_slice(result.parts());
        }
        self.code.end_loop(block, goes_on, &next);
        results
    }
}
