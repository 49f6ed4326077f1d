//! Where coefficients live in the memory of a kernel.

use std::collections::HashMap;

use rattleback_compile::taylor::{Degree, Rule, Series, TaylorPlan};

use super::steep::Steep;
use crate::Lanes;

/// The width of a register in bytes.
pub(super) const ROW: i32 = 32;
/// The number of lanes of a register.
pub(super) const LANES: usize = 4;

/// Linear systems up to this size are solved in registers, row by row.
pub(super) const SMALL_SYSTEM: usize = 3;

/// How many numbers an instruction works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    One,
    Four,
}

impl Width {
    /// In bytes.
    pub(super) fn bytes(self) -> i32 {
        match self {
            Width::One => 8,
            Width::Four => ROW,
        }
    }
}

impl From<Lanes> for Width {
    fn from(lanes: Lanes) -> Width {
        match lanes {
            Lanes::One => Width::One,
            Lanes::Four => Width::Four,
        }
    }
}

/// What a place is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Base {
    /// The memory of the kernel.
    Workspace,
    /// The coefficients of the state.
    Coefficients,
}

/// A place in memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) base: Base,
    pub(super) offset: i32,
}

impl Place {
    /// In the memory of the kernel.
    pub(super) fn workspace(offset: i32) -> Place {
        let base = Base::Workspace;
        Place { base, offset }
    }
}

/// The places of coefficients, order by order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) base: Base,
    /// Of order 0.
    pub(super) offset: i32,
    /// From one order to the next; zero where there is only room for one.
    pub(super) stride: i32,
}

impl Places {
    /// The k-th coefficient.
    pub(super) fn at(self, k: usize) -> Place {
        Place {
            base: self.base,
            offset: self.offset + self.stride * k as i32,
        }
    }

    fn slot(offset: i32) -> Places {
        Places {
            base: Base::Workspace,
            offset,
            stride: 0,
        }
    }
}

/// All coefficients of four series side by side, or of one series.
pub(super) type Pack = usize;

/// Where the coefficients of a pack are, and where they come from.
#[derive(Clone, Debug)]
pub(super) struct PackPlace {
    pub(super) places: Places,
    /// Coefficients above vanish.
    pub(super) degree: Degree,
    /// The series in its lanes; spare lanes hold anything.
    pub(super) lanes: Vec<Series>,
    /// The lanes to bring together at each order; empty where the pack is a result.
    pub(super) sources: Vec<Series>,
    /// Are the sources to be multiplied by the order?
    pub(super) theta: bool,
    /// How wide its coefficients are.
    pub(super) width: Width,
    /// The series that it is, where it is a single one.
    pub(super) series: Option<Series>,
}

impl PackPlace {
    /// The k-th coefficients.
    pub(super) fn at(&self, k: usize) -> Place {
        self.places.at(k)
    }
}

/// Where the current coefficient of a series is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Home {
    /// Nowhere: no one asks for it by itself.
    Nowhere,
    /// In a place of its own, for one order at a time.
    Slot(i32),
    /// In a lane of a pack, by byte.
    Lane(Pack, i32),
    /// Among the coefficients of the state.
    State(i32),
}

/// Where everything is.
pub(super) struct Layout<'p> {
    pub(super) plan: &'p TaylorPlan,
    pub(super) width: Width,
    pub(super) order: usize,
    homes: Vec<Home>,
    pub(super) packs: Vec<PackPlace>,
    known: HashMap<Vec<Series>, Pack>,
    /// Constants that stand in all lanes, by their bits.
    constants: HashMap<u64, i32>,
    /// The bytes used so far.
    pub(super) size: i32,
    /// The time.
    pub(super) time: i32,
    /// Where blocks and calls tell which motions failed.
    pub(super) failed: i32,
    /// Space for the arguments of a call.
    pub(super) arguments: i32,
    /// What divisors, roots and exponentials are made of.
    pub(super) steep: Vec<Steep>,
}

impl<'p> Layout<'p> {
    pub(super) fn new(plan: &'p TaylorPlan, width: Width, order: usize) -> Layout<'p> {
        let mut layout = Layout {
            plan,
            width,
            order,
            homes: vec![Home::Nowhere; plan.rules().len()],
            packs: Vec::new(),
            known: HashMap::new(),
            constants: HashMap::new(),
            size: 0,
            time: 0,
            failed: 0,
            arguments: 0,
            steep: Vec::new(),
        };
        layout.time = layout.reserve(ROW);
        layout.failed = layout.reserve(ROW);
        layout.arguments = layout.reserve(2 * ROW);
        for (series, &rule) in plan.rules().iter().enumerate() {
            layout.homes[series] = match rule {
                Rule::Time => Home::Slot(layout.time),
                Rule::State(i) => Home::State(i as i32 * width.bytes()),
                _ if plan.is_fixed(series as Series) => Home::Slot(layout.reserve(width.bytes())),
                _ => Home::Nowhere,
            };
        }
        layout
    }

    /// Fresh memory, aligned to what is put there.
    pub(super) fn reserve(&mut self, bytes: i32) -> i32 {
        let alignment = if bytes < ROW { 8 } else { ROW };
        let place = (self.size + alignment - 1) / alignment * alignment;
        self.size = place + bytes;
        place
    }

    /// A number, in all four lanes.
    pub(super) fn constant(&mut self, x: f64) -> Place {
        let place = match self.constants.get(&x.to_bits()) {
            Some(&place) => place,
            None => {
                let place = self.reserve(ROW);
                self.constants.insert(x.to_bits(), place);
                place
            }
        };
        Place::workspace(place)
    }

    /// The constants with their places.
    pub(super) fn constants(&self) -> impl Iterator<Item = (f64, i32)> {
        let all = self.constants.iter();
        all.map(|(&bits, &place)| (f64::from_bits(bits), place))
    }

    /// The places of the values that depend on parameters alone.
    pub(super) fn fixed(&self) -> impl Iterator<Item = (Series, i32)> {
        let all = self.homes.iter().enumerate();
        all.filter_map(|(series, &home)| match home {
            Home::Slot(place) if self.plan.is_fixed(series as Series) => {
                Some((series as Series, place))
            }
            _ => None,
        })
    }

    pub(super) fn degree(&self, series: Series) -> Degree {
        self.plan.degrees()[series as usize]
    }

    /// The place of the k-th coefficient of a series while order k is worked out (for k = 0 and
    /// constants: always); none if it vanishes.
    pub(super) fn value(&mut self, series: Series, k: usize) -> Option<Place> {
        let rule = self.plan.rules()[series as usize];
        if !self.degree(series).reaches(k) || (k == 0 && matches!(rule, Rule::Theta(_))) {
            return None;
        }
        if rule == Rule::Time && k == 1 {
            return Some(self.constant(1.0));
        }
        Some(self.places(series)?.at(k))
    }

    /// The places of the coefficients of a series, of which those are valid that
    /// [`value`](Self::value) names.
    pub(super) fn places(&self, series: Series) -> Option<Places> {
        match self.homes[series as usize] {
            Home::Nowhere => None,
            Home::Slot(place) => Some(Places::slot(place)),
            Home::State(offset) => Some(self.state_places(offset)),
            Home::Lane(pack, byte) => {
                let mut places = self.packs[pack].places;
                places.offset += byte;
                Some(places)
            }
        }
    }

    /// The places of the coefficients of a component of the state.
    fn state_places(&self, offset: i32) -> Places {
        Places {
            base: Base::Coefficients,
            offset,
            stride: self.state_row(),
        }
    }

    /// From one order of the state to the next.
    pub(super) fn state_row(&self) -> i32 {
        self.plan.dimension() as i32 * self.width.bytes()
    }

    fn new_pack(
        &mut self,
        width: Width,
        lanes: &[Series],
        sources: Vec<Series>,
        theta: bool,
    ) -> Pack {
        let degree = self.largest_degree(lanes);
        let orders = self.order.max(1) as i32;
        let offset = self.reserve(orders * width.bytes());
        self.packs.push(PackPlace {
            places: Places {
                base: Base::Workspace,
                offset,
                stride: width.bytes(),
            },
            degree,
            lanes: lanes.to_vec(),
            sources,
            theta,
            width,
            series: None,
        });
        self.packs.len() - 1
    }

    fn largest_degree(&self, lanes: &[Series]) -> Degree {
        let degrees = lanes.iter().map(|&s| self.degree(s));
        degrees.max().unwrap_or(Degree::CONSTANT)
    }

    /// The width of a group of this many sums.
    pub(super) fn group_width(&self, members: usize) -> Width {
        if members > 1 { Width::Four } else { self.width }
    }

    /// How many rows of a linear system of this size are worked out side by side.
    pub(super) fn rows_at_once(&self, size: usize) -> usize {
        match self.width {
            Width::One if size > SMALL_SYSTEM => LANES,
            _ => 1,
        }
    }

    /// The pack that the series of a group (or the unknowns of a block) are worked out in.
    pub(super) fn result(&mut self, members: &[Series], width: Width) -> Pack {
        let pack = self.new_pack(width, members, Vec::new(), false);
        if width == self.width {
            self.packs[pack].series = Some(members[0]);
        }
        for (lane, &series) in members.iter().enumerate() {
            self.homes[series as usize] = Home::Lane(pack, 8 * lane as i32);
        }
        // Only operands repeat their first lane in the spare ones: those of a result hold anything.
        if width == self.width || members.len() == LANES {
            self.known.insert(members.to_vec(), pack);
        }
        pack
    }

    /// A pack of these series, to convolve with.
    pub(super) fn operand(&mut self, lanes: &[Series], width: Width) -> Pack {
        let key = self.key(lanes, width);
        if let Some(&pack) = self.known.get(&key) {
            return pack;
        }
        let pack = if width == self.width {
            self.history(lanes[0])
        } else {
            self.gathered(&key)
        };
        self.known.insert(key, pack);
        pack
    }

    /// One series, or all four lanes: the spare ones repeat the first, so that they hold ordinary
    /// numbers.
    fn key(&self, lanes: &[Series], width: Width) -> Vec<Series> {
        let mut key = lanes.to_vec();
        if width != self.width {
            key.resize(LANES, lanes[0]);
        }
        key
    }

    fn gathered(&mut self, lanes: &[Series]) -> Pack {
        let inner: Vec<Series> = lanes
            .iter()
            .filter_map(|&s| match self.plan.rules()[s as usize] {
                Rule::Theta(a) => Some(a),
                _ => None,
            })
            .collect();
        if inner.len() == lanes.len() {
            self.new_pack(Width::Four, lanes, inner, true)
        } else {
            self.new_pack(Width::Four, lanes, lanes.to_vec(), false)
        }
    }

    /// The coefficients of a series as a pack by themselves.
    fn history(&mut self, series: Series) -> Pack {
        let width = self.width;
        match self.homes[series as usize] {
            Home::State(place) => {
                self.packs.push(PackPlace {
                    places: self.state_places(place),
                    degree: self.degree(series),
                    lanes: vec![series],
                    sources: Vec::new(),
                    theta: false,
                    width,
                    series: Some(series),
                });
                self.packs.len() - 1
            }
            Home::Nowhere => {
                let pack = self.new_pack(width, &[series], Vec::new(), false);
                self.packs[pack].series = Some(series);
                self.homes[series as usize] = Home::Lane(pack, 0);
                pack
            }
            // Time, what is fixed, and lanes of wider packs: copied.
            _ => self.new_pack(width, &[series], vec![series], false),
        }
    }

    /// f and x of a multiple f·x, where f is constant.
    fn multiple(&self, series: Series) -> Option<(Series, Series)> {
        let is_constant = |a: Series| self.degree(a) == Degree::CONSTANT;
        match self.plan.rules()[series as usize] {
            _ if is_constant(series) => None,
            Rule::Mul(f, x) if is_constant(f) => Some((f, x)),
            Rule::Mul(x, f) if is_constant(f) => Some((f, x)),
            _ => None,
        }
    }

    /// The parts of a sum or difference of which the second is a multiple, that may be multiplied as it is added.
    fn fusible(&self, rule: Rule) -> Option<(Series, Series)> {
        let is_multiple = |a: Series| self.multiple(a).is_some();
        match rule {
            Rule::Add(a, b) | Rule::Sub(a, b) if is_multiple(b) => Some((a, b)),
            Rule::Add(a, b) if is_multiple(a) => Some((b, a)),
            _ => None,
        }
    }

    /// The same where nobody asks for the multiple by itself: the rest of the sum, f and x.
    pub(super) fn fused(&self, rule: Rule) -> Option<(Series, Series, Series)> {
        let (rest, multiple) = self.fusible(rule)?;
        let (f, x) = self.multiple(multiple)?;
        (!self.is_settled(multiple)).then_some((rest, f, x))
    }

    /// Gives a series a place of its own unless it has one.
    pub(super) fn settle(&mut self, series: Series) {
        if self.homes[series as usize] == Home::Nowhere {
            let place = self.reserve(self.width.bytes());
            self.homes[series as usize] = Home::Slot(place);
        }
    }

    /// Does a series live anywhere?
    pub(super) fn is_settled(&self, series: Series) -> bool {
        self.homes[series as usize] != Home::Nowhere
    }
}
