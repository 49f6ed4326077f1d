//! What the steps of a motion have missed, and what is to be said of it.

use rattleback_symbolic::Expr;

/// Into how many steps the width of something is to be divided.
const FINE: f64 = 8.0;
/// Longer formulas are not shown.
const LONGEST: usize = 60;
/// Numbers are to resolve what is narrow to so many tolerances.
const RESOLVED: f64 = 1e3;

/// Something that a step has missed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Missed {
    /// The part of the step at which it is to end.
    pub(crate) end: f64,
    /// When it is.
    pub(crate) time: f64,
    /// How long it takes, roughly.
    pub(crate) width: f64,
    /// Is it a place where a function is not smooth, instead of something narrow?
    pub(crate) is_kink: bool,
    /// The function, where it is known.
    pub(crate) function: Option<Expr>,
}

impl Missed {
    /// The function, when, and how long it takes.
    fn told(&self) -> String {
        let Missed { time, width, .. } = self;
        format!("what {} does at t = {time} takes {width:.1e}", self.name())
    }

    /// The function in a message.
    pub(crate) fn name(&self) -> String {
        let text = self.function.as_ref().map(Expr::to_string);
        match text.filter(|text| text.chars().count() <= LONGEST) {
            None => "a function in the model".to_owned(),
            Some(text) => format!("`{text}`"),
        }
    }
}

/// All that was missed, in short.
#[derive(Clone, Debug, Default)]
pub(crate) struct Misses {
    count: u64,
    first: Option<Missed>,
    narrowest: Option<Missed>,
    last: Option<Missed>,
    /// Kinks, and the first of them.
    kinks: u64,
    kink: Option<Missed>,
}

impl Misses {
    pub(crate) fn add(&mut self, missed: Missed) {
        if missed.is_kink {
            self.kinks += 1;
            self.kink.get_or_insert(missed);
            return;
        }
        self.count += 1;
        let is_narrower = |n: &Missed| missed.width < n.width;
        if self.narrowest.as_ref().is_none_or(is_narrower) {
            self.narrowest = Some(missed.clone());
        }
        self.first.get_or_insert_with(|| missed.clone());
        self.last = Some(missed);
    }

    pub(crate) fn last(&self) -> Option<&Missed> {
        self.last.as_ref()
    }

    /// The warning that equal steps of this length have missed something.
    pub(crate) fn warning_of_steps(&self, step: f64) -> Option<String> {
        let first = self.first.as_ref()?;
        let more = more(self.count);
        let narrowest = self.narrowest.as_ref().map_or(first.width, |n| n.width);
        Some(format!(
            "{}, while steps are {step} long: they miss it{more}; meet it with ‹step {:.0e}›, or with a method that \
             chooses its steps",
            first.told(),
            narrowest / FINE
        ))
    }

    /// The warning that equal steps of this length have gone over kinks.
    pub(crate) fn warning_of_kinks(&self, step: f64) -> Option<String> {
        let kink = self.kink.as_ref()?;
        Some(format!(
            "the motion passes a kink of {} at t = {}{}: steps that are {step} long go over it as if there were none, \
             whatever their order; take a smaller ‹step›, or a method that chooses its steps",
            kink.name(),
            kink.time,
            more(self.kinks)
        ))
    }

    /// The warning that numbers hardly resolve what steps of a relative tolerance have gone through.
    pub(crate) fn warning_of_rounding(&self, relative: f64) -> Option<String> {
        let narrowest = self.narrowest.as_ref()?;
        let part = f64::EPSILON * narrowest.time.abs() / narrowest.width;
        (part > RESOLVED * relative.max(f64::EPSILON)).then(|| {
            format!(
                "{}, of which time resolves no less than a part of {part:.0e}: the motion after it is no more accurate",
                narrowest.told()
            )
        })
    }
}

/// How often something has happened besides the first time.
fn more(count: u64) -> String {
    match count {
        0 | 1 => String::new(),
        2 => ", and once more".to_owned(),
        n => format!(", and {} times more", n - 1),
    }
}
