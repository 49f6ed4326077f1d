//! Memory follows what is alive. Alone in its file: the interner is shared by a whole process.

use rattleback_symbolic::{Expr, Symbol, collect_garbage, interned};

#[test]
fn memory_is_given_back() {
    let x = Expr::from(Symbol::variable("x"));
    collect_garbage();
    let before = interned();

    let held: Vec<Expr> = (0..50_000).map(|i| (&x + i).sin()).collect();
    assert!(interned() >= before + 50_000);
    drop(held);
    collect_garbage();
    assert_eq!(interned(), before);

    // A deep chain goes at once, without stack and without one pass per level.
    let mut deep = x.clone();
    for _ in 0..200_000 {
        deep = deep.sin() + 1;
    }
    drop(deep);
    collect_garbage();
    assert_eq!(interned(), before);

    // Without any explicit call the table stays bounded while garbage is produced.
    for i in 0..2_000_000 {
        let _ = &x + i;
    }
    assert!(interned() < 500_000, "{}", interned());
}
