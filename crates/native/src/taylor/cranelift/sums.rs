//! Sums over earlier orders, several side by side in one loop.

use cranelift_codegen::ir::Value;
use rattleback_compile::taylor::Degree;

use super::code::{Address, Code, Number};
use super::emit::Emitter;
use super::order::Order;
use crate::taylor::layout::{Base, Pack, Places, Width};

/// How many registers the sums of one loop take.
pub(super) const REGISTERS: usize = 12;

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
    fn registers(&self) -> usize {
        registers(self.width)
    }
}

/// How many registers a number takes.
pub(super) fn registers(width: Width) -> usize {
    match width {
        Width::One => 1,
        Width::Four => 2,
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

    /// The pointers of the next turn.
    fn advanced(&self, code: &mut Code, pointers: &[Value]) -> Vec<Value> {
        let up = self.up.iter().map(|&(_, stride)| stride);
        let down = self.down.iter().map(|&(_, stride)| -stride);
        let strides = pointers.iter().zip(up.chain(down));
        strides
            .map(|(&p, stride)| code.advance(p, stride))
            .collect()
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
                    let places = [(a, a.places.at(j)), (b, b.places.at(k - j))];
                    let [a, b] = places.map(|(factor, place)| {
                        let from = self.code.address(place);
                        read(&mut self.code, sum.width, factor, from)
                    });
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
                    let a = read(&mut self.code, sum.width, &a, from);
                    let from = self.back(b.places, j);
                    let b = read(&mut self.code, sum.width, &b, from);
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
        for &track in &tracks.down {
            let start = self.current_pointer(track);
            initial.push(self.code.advance(start, -track.1));
        }
        let pointers = initial.len();
        for sum in sums {
            let zero = self.code.constant(sum.width, 0.0);
            initial.extend_from_slice(zero.parts());
        }
        let code = &mut self.code;
        let begins = code.differ(initial[0], end);
        let turns = code.begin_loop(begins, &initial);
        let (own, values) = turns.values.split_at(pointers);
        let results = turn(code, &tracks, own, sums, &numbers(sums, values));
        let mut next = tracks.advanced(code, own);
        let goes_on = code.differ(next[0], end);
        next.extend(results.iter().flat_map(Number::parts));
        let last = code.end_loop(turns, goes_on, &next);
        numbers(sums, &last[pointers..])
    }
}

/// The values of sums from their parts.
fn numbers(sums: &[&Sum], mut parts: &[Value]) -> Vec<Number> {
    let next = |sum: &&Sum| {
        let (own, others) = parts.split_at(sum.registers());
        parts = others;
        Number::new(own)
    };
    sums.iter().map(next).collect()
}

/// One turn of the loop: the sums with a term more. What several need is read once.
fn turn(
    code: &mut Code,
    tracks: &Tracks,
    pointers: &[Value],
    sums: &[&Sum],
    values: &[Number],
) -> Vec<Number> {
    let (up, down) = pointers.split_at(tracks.up.len());
    let mut known: Vec<(Address, bool, Number)> = Vec::new();
    let mut results = values.to_vec();
    for (sum, value) in sums.iter().zip(&mut results) {
        for (a, b) in running(sum) {
            let from = [
                (a, address(&tracks.up, up, a.places)),
                (b, address(&tracks.down, down, b.places)),
            ];
            let [a, b] = from.map(|(factor, from)| {
                let mut loaded = known.iter();
                let same = loaded.find(|k| (k.0, k.1) == (from, factor.is_spread));
                if let Some(&(_, _, number)) = same {
                    return number;
                }
                let number = read(code, sum.width, factor, from);
                known.push((from, factor.is_spread, number));
                number
            });
            *value = code.mul_add(a, b, *value);
        }
    }
    results
}

/// The place of coefficients that a pointer has come to.
fn address(tracks: &[Track], pointers: &[Value], places: Places) -> Address {
    let mut tracks = tracks.iter();
    let place = tracks.position(|&t| t == (places.base, places.stride));
    Address {
        base: pointers[place.unwrap_or(0)],
        offset: places.offset,
    }
}

fn read(code: &mut Code, width: Width, factor: &Factor, from: Address) -> Number {
    if factor.is_spread {
        code.spread(from)
    } else {
        code.load(width, from)
    }
}
