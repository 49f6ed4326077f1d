//! Random models, as text: metrics that are positive definite everywhere, constraints of full rank.

use std::fmt::Write;

/// Numbers from which a model is made.
#[derive(Clone, Debug)]
pub struct Seeds {
    values: Vec<u32>,
    next: usize,
}

/// What a random model is to have.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// How many coordinates.
    pub coordinates: usize,
    /// How many constraints, less than coordinates.
    pub constraints: usize,
    /// The number of a group factor, or none.
    pub group: Option<usize>,
    /// Constraints with terms that no velocity multiplies.
    pub affine: bool,
    /// Constraints with coefficients that change with time.
    pub turning: bool,
    /// Nothing depends on the coordinates that the constraints determine.
    pub symmetric: bool,
}

/// Group factors with the names of their velocities and how many there are.
const GROUPS: [(&str, &str, usize); 5] = [
    ("SO(2)", "w", 1),
    ("SO(3)", "w", 3),
    ("SE(2)", "w", 3),
    ("SU(2)", "w", 3),
    ("SE(3)", "w", 6),
];

impl Seeds {
    /// A model from these numbers.
    pub fn new(values: Vec<u32>) -> Self {
        Self { values, next: 0 }
    }

    fn below(&mut self, n: usize) -> usize {
        self.next += 1;
        let value = self.values[self.next % self.values.len()] as usize;
        value.wrapping_mul(self.next * 7 + 3) % n
    }

    /// A small function of these coordinates.
    fn function(&mut self, of: &[String]) -> String {
        let c = format!("({}/5)", self.below(9) as i32 - 4);
        if of.is_empty() {
            return c;
        }
        let (x, y) = (&of[self.below(of.len())], &of[self.below(of.len())]);
        match self.below(6) {
            0 => format!("{c}*sin({x})"),
            1 => format!("{c}*cos({x})*{y}"),
            2 => format!("{c}*{x}*{y}"),
            3 => format!("{c}*cos({x} - {y})"),
            4 => c,
            _ => format!("{c}*{x}"),
        }
    }

    /// A sum of functions times velocities.
    fn form(&mut self, of: &[String], velocities: &[String]) -> String {
        let terms = velocities
            .iter()
            .map(|v| format!("{}*{v}", self.function(of)));
        terms.collect::<Vec<_>>().join(" + ")
    }

    /// The text of a model of this shape.
    pub fn model(&mut self, shape: Shape) -> String {
        let q: Vec<String> = (1..=shape.coordinates).map(|i| format!("q{i}")).collect();
        let m = shape.constraints.min(shape.coordinates - 1);
        let free = shape.coordinates - m;
        let mut velocities: Vec<String> = q.iter().map(|q| format!("{q}'")).collect();
        let mut text = format!("system random\ncoord {}\n", q.join(", "));
        if let Some(k) = shape.group {
            let (group, w, n) = GROUPS[k % GROUPS.len()];
            let side = if self.below(2) == 0 { "" } else { " space" };
            let _ = writeln!(text, "group g : {group} velocity {w}{side}");
            let components = (1..=n).map(|i| match n {
                1 => w.to_owned(),
                _ => format!("{w}[{i}]"),
            });
            velocities.extend(components);
        }
        let of = if shape.symmetric { &q[..free] } else { &q[..] };
        let squares: Vec<String> = velocities.iter().map(|v| format!("{v}^2")).collect();
        let (one, two) = (self.form(of, &velocities), self.form(of, &velocities));
        let _ = writeln!(
            text,
            "kinetic ({} + ({one})^2 + ({two})^2)/2\npotential {} + {}",
            squares.join(" + "),
            self.function(of),
            self.function(of)
        );
        // Each constraint determines one of the last velocities, so the rank is full everywhere.
        for s in 0..m {
            let mut independent = velocities[..free].to_vec();
            independent.extend_from_slice(&velocities[shape.coordinates..]);
            let mut right = self.form(of, &independent);
            if shape.turning {
                right += &format!(" + {}", self.form(&["t".to_owned()], &independent));
            }
            let drift = if shape.affine {
                format!(" + {} + sin(t)/3", self.function(of))
            } else {
                String::new()
            };
            let _ = writeln!(text, "constraint {} = {right}{drift}", velocities[free + s]);
        }
        if shape.symmetric && m > 0 {
            let _ = writeln!(text, "fibre {}", q[free..].join(", "));
        }
        let positions: Vec<String> = q
            .iter()
            .map(|q| format!("{q} = {}/10", self.below(9) as i32 - 4))
            .collect();
        let given = velocities[..free]
            .iter()
            .chain(&velocities[shape.coordinates..]);
        let speeds: Vec<String> = given
            .map(|v| format!("{v} = {}/10", self.below(13) as i32 - 6))
            .collect();
        let _ = writeln!(
            text,
            "start {}, {}",
            positions.join(", "),
            speeds.join(", ")
        );
        text
    }
}
