//! The interner: every expression exists once, so equality is one pointer comparison.
//!
//! The table owns one reference to each node. A node that nobody else holds is garbage; a shard
//! sweeps itself whenever it has doubled since its last sweep, so memory follows what is alive.
//! Dropping an expression therefore never walks its children: depth costs no stack.

use crate::function::Function;
use crate::hash::Mixer;
use crate::work::count_work;
use crate::{Expr, Rational, Role, Symbol};
use hashbrown::HashTable;
use std::hash::Hasher;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The shape of an expression. Its invariants are kept by the constructors of [`Expr`]:
/// terms and factors are sorted, alike ones are merged, numbers are pulled to the front.
#[derive(PartialEq, Eq)]
pub enum Kind {
    /// An exact number.
    Number(Rational),
    /// The circle constant.
    Pi,
    /// The result of dividing by zero or of a root that is not real; it absorbs everything.
    Undefined,
    /// A named quantity.
    Symbol(Symbol),
    /// `constant + Σ coefficient·term`; no term is a number, a sum or scaled.
    Sum(Rational, Box<[(Expr, Rational)]>),
    /// `coefficient·term` with a coefficient other than 0 and 1 and a term that is no number or sum.
    Scaled(Rational, Expr),
    /// `Π base^exponent`, more than one factor or an exponent other than 1.
    Product(Box<[(Expr, Rational)]>),
    /// A function of its arguments.
    Function(Function, Box<[Expr]>),
}

pub(crate) struct Node {
    pub(crate) hash: u64,
    /// A Bloom filter of the symbols below: a clear bit proves absence.
    pub(crate) mask: u64,
    pub(crate) kind: Kind,
}

const TIME_BIT: u32 = 48;

/// The filter bit of a symbol; variables, time and constants use disjoint bits.
pub(crate) fn symbol_mask(s: &Symbol) -> u64 {
    let h = s.fingerprint() >> 32;
    match s.role() {
        Role::Variable => 1 << (h % u64::from(TIME_BIT)),
        Role::Time => 1 << TIME_BIT,
        Role::Constant => 1 << (49 + h % 15),
    }
}

/// All bits that depend on time.
pub(crate) const MOVING: u64 = (1 << (TIME_BIT + 1)) - 1;

fn fingerprint(kind: &Kind) -> (u64, u64) {
    let mut h = Mixer::default();
    let mut mask = 0;
    let mut weighted = |h: &mut Mixer, items: &[(Expr, Rational)]| {
        for (e, r) in items {
            h.write_u64(e.0.hash);
            h.write_u64(r.fingerprint());
            mask |= e.0.mask;
        }
    };
    match kind {
        Kind::Number(r) => {
            h.write_u64(1);
            h.write_u64(r.fingerprint());
        }
        Kind::Pi => h.write_u64(2),
        Kind::Undefined => h.write_u64(3),
        Kind::Symbol(s) => {
            h.write_u64(4);
            h.write_u64(s.fingerprint());
            mask = symbol_mask(s);
        }
        Kind::Sum(c, terms) => {
            h.write_u64(5);
            h.write_u64(c.fingerprint());
            weighted(&mut h, terms);
        }
        Kind::Scaled(c, e) => {
            h.write_u64(6);
            h.write_u64(c.fingerprint());
            h.write_u64(e.0.hash);
            mask = e.0.mask;
        }
        Kind::Product(factors) => {
            h.write_u64(7);
            weighted(&mut h, factors);
        }
        Kind::Function(f, arguments) => {
            h.write_u64(8);
            h.write_u64(*f as u64);
            for a in arguments {
                h.write_u64(a.0.hash);
                mask |= a.0.mask;
            }
        }
    }
    (h.finish(), mask)
}

const SHARDS: usize = 32;
const FIRST_SWEEP: usize = 4096;

struct Shard {
    table: HashTable<Arc<Node>>,
    sweep_at: usize,
}

impl Shard {
    /// Takes out the nodes that only the table holds. Under the shard's lock nobody can revive them.
    fn sweep(&mut self) -> Vec<Arc<Node>> {
        let garbage: Vec<_> = self
            .table
            .extract_if(|node| Arc::strong_count(node) == 1)
            .collect();
        self.sweep_at = FIRST_SWEEP.max(2 * self.table.len());
        self.table.shrink_to(self.sweep_at, |node| node.hash);
        garbage
    }

    /// Takes out `e` if nobody but the table and the caller holds it.
    fn release(&mut self, e: &Expr) -> Option<Arc<Node>> {
        let entry = self
            .table
            .find_entry(e.0.hash, |node| Arc::ptr_eq(node, &e.0))
            .ok()?;
        (Arc::strong_count(entry.get()) == 2).then(|| entry.remove().0)
    }
}

/// Drops dead nodes and, in turn, the children that die with them: a worklist, not a recursion.
fn cascade(mut dead: Vec<Arc<Node>>) {
    while let Some(node) = dead.pop() {
        let Some(node) = Arc::into_inner(node) else {
            continue;
        };
        let mut children = Vec::new();
        node.kind.for_each_child(|c| children.push(c.clone()));
        drop(node);
        for child in children {
            // Table and `child` are two owners; a third one may appear only through the lock.
            if Arc::strong_count(&child.0) == 2 {
                let freed = lock(shard_of(child.0.hash)).release(&child);
                drop(child);
                dead.extend(freed);
            }
        }
    }
}

fn shards() -> &'static [Mutex<Shard>; SHARDS] {
    static TABLE: OnceLock<[Mutex<Shard>; SHARDS]> = OnceLock::new();
    TABLE.get_or_init(|| {
        std::array::from_fn(|_| {
            Mutex::new(Shard {
                table: HashTable::new(),
                sweep_at: FIRST_SWEEP,
            })
        })
    })
}

fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    // A panic elsewhere cannot leave a table half-written: every update is one call.
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

/// By bits of the hash that the table of a shard does not look at: it takes places by the lowest, tags by the highest.
fn shard_of(hash: u64) -> &'static Mutex<Shard> {
    &shards()[(hash >> 40) as usize % SHARDS]
}

/// The unique expression of this shape.
pub(crate) fn intern(kind: Kind) -> Expr {
    // Before the lookup: what other threads have made already must not make work cheaper.
    count_work(1);
    let (hash, mask) = fingerprint(&kind);
    let mut shard = lock(shard_of(hash));
    if let Some(node) = shard
        .table
        .find(hash, |node| node.hash == hash && node.kind == kind)
    {
        return Expr(Arc::clone(node));
    }
    let garbage = if shard.table.len() >= shard.sweep_at {
        shard.sweep()
    } else {
        Vec::new()
    };
    let node = Arc::new(Node { hash, mask, kind });
    shard
        .table
        .insert_unique(hash, Arc::clone(&node), |node| node.hash);
    drop(shard);
    cascade(garbage);
    Expr(node)
}

/// How many distinct expressions the interner holds, garbage not yet swept included.
pub fn interned() -> usize {
    shards().iter().map(|s| lock(s).table.len()).sum()
}

/// Gives back the memory of every expression that is no longer used.
///
/// Happens by itself as the table grows; a long-running server may ask for it between requests.
pub fn collect_garbage() {
    for shard in shards() {
        let garbage = lock(shard).sweep();
        cascade(garbage);
    }
}
