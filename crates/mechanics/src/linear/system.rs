//! A linear system with inputs and outputs, and its restriction to independent directions.

/// x' = A x + B u, y = C x + D u, all matrices by rows.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearSystem<T> {
    /// The names of the states.
    pub state: Vec<String>,
    /// A.
    pub a: Vec<Vec<T>>,
    /// B.
    pub b: Vec<Vec<T>>,
    /// C.
    pub c: Vec<Vec<T>>,
    /// D.
    pub d: Vec<Vec<T>>,
}

impl<T> LinearSystem<T> {
    /// The same system with its entries turned into something else.
    pub fn map<U>(&self, f: impl Fn(&T) -> U) -> LinearSystem<U> {
        let all = |m: &[Vec<T>]| m.iter().map(|r| r.iter().map(&f).collect()).collect();
        LinearSystem {
            state: self.state.clone(),
            a: all(&self.a),
            b: all(&self.b),
            c: all(&self.c),
            d: all(&self.d),
        }
    }
}
