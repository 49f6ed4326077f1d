//! Regularity: do the equations determine the motion? (HJ-C11, NG-N4)

use crate::exact::{Settle, tidy_all};
use crate::{Answer, Case, Evidence, Function, Gap, Named, Theorem};
use rattleback_mechanics::Regularity as HessianRank;
use rattleback_mechanics::{FirstOrder, MechanicsError, System};
use rattleback_symbolic::{Expr, Matrix, Rational, Sign, Symbol, determinant, enclose, prove_zero};

/// The kinetic energy on the constraint distribution, and whether it determines the accelerations.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// use rattleback_mechanics::Problem;
/// use rattleback_theory::Regularity;
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let found = Regularity::of(&knife);
/// assert!(found.regular.is_proven() && found.positive.is_proven());
/// ```
#[derive(Clone, Debug)]
pub struct Regularity {
    /// Is the velocity Hessian regular on the distribution?
    pub regular: Answer,
    /// Is it positive definite there?
    pub positive: Answer,
    /// The Hessian on the distribution, in its frame velocities.
    pub mass: Matrix,
    /// The velocities it is taken in.
    pub velocities: Vec<Symbol>,
    /// Its determinant, where it is known in closed form.
    pub determinant: Option<Expr>,
    /// Functions at whose zeros the constraint forms lose rank.
    pub rank_drop: Vec<Expr>,
    /// Where the answer changes.
    pub cases: Vec<Case>,
}

/// Larger determinants are only tested, not written.
const WRITTEN: usize = 6;

impl Regularity {
    /// Judges a system.
    pub fn of(system: &System) -> Self {
        if let Some(first) = system.first_order() {
            return first_order(system, first);
        }
        match restricted(system) {
            Ok((mass, velocities)) => judged(system, mass, velocities),
            Err(e) => Self {
                regular: Answer::failed(&e),
                positive: Answer::failed(&e),
                mass: Matrix::zeros(0, 0),
                velocities: Vec::new(),
                determinant: None,
                rank_drop: Vec::new(),
                cases: Vec::new(),
            },
        }
    }
}

/// What stands against speaking of the motion: a Lagrangian that does not determine it, or may not.
pub(crate) fn without_motion(system: &System) -> Option<Answer> {
    if let Err(e) = system.check_regular() {
        return Some(Answer::failed(e));
    }
    match system.regularity() {
        Ok(HessianRank::Undecided { why }) => Some(Answer::failed(why)),
        _ => None,
    }
}

/// The Hessian in the velocities that move: on D, or in the highest derivatives.
fn restricted(system: &System) -> Result<(Matrix, Vec<Symbol>), MechanicsError> {
    let hessian = |l: &Expr, v: &[Symbol]| {
        let p = l.gradient(v);
        let entries: Vec<Expr> = p.iter().flat_map(|e| e.gradient(v)).collect();
        let entries = tidy_all(&entries);
        Matrix::new(v.len(), v.len(), |i, j| entries[i * v.len() + j].clone())
    };
    if system.order() > 1 {
        let top: Vec<Symbol> = system
            .frame()
            .fibre()
            .iter()
            .map(|y| y.jet(y.order() + system.order() - 1))
            .collect();
        return Ok((hessian(system.lagrangian(), &top), top));
    }
    if system.constraints().is_empty() {
        let v = system.frame().fibre().to_vec();
        return Ok((hessian(system.lagrangian(), &v), v));
    }
    let sections = system.sections()?;
    let l = sections
        .restrict(system.frame(), std::slice::from_ref(system.lagrangian()))
        .swap_remove(0);
    Ok((
        hessian(&l, &sections.velocities),
        sections.velocities.clone(),
    ))
}

/// A Lagrangian linear in velocities determines these where the two-form on the kernel of its Hessian is regular.
fn first_order(system: &System, first: &FirstOrder) -> Regularity {
    let settle = Settle::new(system);
    let pairing = first.pairing();
    let written = (pairing.rows() <= WRITTEN).then(|| determinant(pairing).ok());
    let det = written.flatten().map(|d| settle.apply(&d));
    let names: Vec<String> = first.determined().iter().map(Symbol::to_string).collect();
    let regular = match &det {
        Some(d) if d.is_nonvanishing() => Theorem::PairingNowhereSingular.with("determinant", d),
        Some(d) => Theorem::PairingRegular.with("determinant", d),
        None => Theorem::PairingFullRank.into(),
    };
    let regular = regular.with("velocities", names.clone());
    let singular = Theorem::HessianVanishesAlong.with("velocities", names);
    let (mass, velocities) =
        restricted(system).unwrap_or_else(|_| (Matrix::zeros(0, 0), Vec::new()));
    Regularity {
        regular: Answer::proven(regular),
        positive: Answer::refuted(singular),
        cases: det.as_ref().map_or_else(Vec::new, two_form_cases),
        rank_drop: rank_drop(system, &settle),
        determinant: det,
        mass,
        velocities,
    }
}

/// Where the two-form degenerates.
fn two_form_cases(d: &Expr) -> Vec<Case> {
    let mut cases = degenerate(d, false);
    for case in &mut cases {
        case.then = "the two-form of the Lagrangian is degenerate".into();
    }
    cases
}

fn judged(system: &System, mass: Matrix, velocities: Vec<Symbol>) -> Regularity {
    let settle = Settle::new(system);
    let det = (mass.rows() <= WRITTEN)
        .then(|| determinant(&mass).ok())
        .flatten()
        .map(|d| settle.apply(&d));
    let place = if system.order() > 1 {
        "in the highest derivatives"
    } else if system.constraints().is_empty() {
        "in the velocities"
    } else {
        "on the constraint distribution"
    };
    let (positive, everywhere) = match positive(&mass, place, &settle) {
        (Answer::Undecided(why), _) if !system.constraints().is_empty() => {
            // Positive on all velocities is positive on those of D.
            match positive(&system.mass_matrix(), "in all velocities", &settle) {
                proven @ (Answer::Proven(_), _) => proven,
                _ => (Answer::Undecided(why), false),
            }
        }
        judged => judged,
    };
    let mut cases = Vec::new();
    let regular = match &det {
        Some(d) => {
            let regular = by_determinant(system, d, place, everywhere);
            if regular.is_proven() && !everywhere {
                cases = degenerate(d, !system.constraints().is_empty());
            }
            regular
        }
        None => match system.regularity() {
            Ok(HessianRank::Regular) => {
                Answer::proven(Theorem::HessianFullRank.with("place", place))
            }
            Ok(HessianRank::Degenerate { .. }) => {
                Answer::refuted(Theorem::HessianRankDrops.with("place", place))
            }
            Ok(HessianRank::Undecided { why }) => Answer::failed(why),
            Err(e) => Answer::failed(e),
        },
    };
    Regularity {
        positive,
        regular,
        rank_drop: rank_drop(system, &settle),
        determinant: det,
        mass,
        velocities,
        cases,
    }
}

/// Is the Hessian regular, given its determinant?
fn by_determinant(system: &System, d: &Expr, place: &str, everywhere: bool) -> Answer {
    let functions = std::slice::from_ref(d);
    let what = Function::HessianDeterminant.with("place", place);
    let with = |theorem: Theorem| theorem.with("place", place).with("determinant", d);
    match Answer::vanish(functions, system.prove_zero(functions), what) {
        Answer::Proven(zero) => {
            Answer::refuted(Evidence::theorem(with(Theorem::HessianSingular), [zero]))
        }
        Answer::Refuted(_) if d.is_nonvanishing() => {
            Answer::proven(with(Theorem::HessianNowhereSingular))
        }
        Answer::Refuted(_) if everywhere => Answer::proven(with(Theorem::HessianSingularWithFrame)),
        Answer::Refuted(point) => {
            Answer::proven(Evidence::theorem(with(Theorem::HessianRegular), [point]))
        }
        open => open,
    }
}

/// Functions at whose zeros the constraint forms lose rank; those without zeros on the groups left out.
pub(crate) fn rank_drop(system: &System, settle: &Settle) -> Vec<Expr> {
    let all = settle.all(system.rank_drop());
    all.into_iter()
        .filter(|e| e.as_number().is_none())
        .collect()
}

/// Factors of the determinant that may vanish. On a distribution its frame may be what degenerates.
fn degenerate(d: &Expr, on_distribution: bool) -> Vec<Case> {
    if sign(d).is_nonzero() {
        return Vec::new();
    }
    d.numerator_factors()
        .into_iter()
        .filter(|f| !sign(f).is_nonzero())
        .map(|condition| {
            let then = match (condition.is_constant(), on_distribution) {
                (true, _) => "the kinetic energy is degenerate",
                (_, false) => "the kinetic energy is degenerate at such points",
                (_, true) => {
                    "the kinetic energy or the frame of the distribution is degenerate at such points"
                }
            };
            Case {
                condition,
                then: then.into(),
            }
        })
        .collect()
}

/// The rows of each block of a matrix that is block diagonal after a permutation.
fn blocks(mass: &Matrix) -> Vec<Vec<usize>> {
    let mut open: Vec<usize> = (0..mass.rows()).collect();
    let mut all = Vec::new();
    while let Some(&first) = open.first() {
        let mut block = vec![first];
        let mut next = 0;
        while let Some(&i) = block.get(next) {
            next += 1;
            let joined = open.iter().copied().filter(|&j| !mass[(i, j)].is_zero());
            let new: Vec<usize> = joined.filter(|j| !block.contains(j)).collect();
            block.extend(new);
        }
        block.sort_unstable();
        open.retain(|i| !block.contains(i));
        all.push(block);
    }
    all
}

/// The sign that symbols and their assumptions tell; of what has no symbols, its enclosure.
fn sign(e: &Expr) -> Sign {
    let told = e.sign();
    match enclose(e) {
        Some(value) if told == Sign::Unknown && value.low > 0.0 => Sign::Positive,
        Some(value) if told == Sign::Unknown && value.high < 0.0 => Sign::Negative,
        _ => told,
    }
}

/// The leading minors of a matrix of numbers up to the first that vanishes, products of its pivots; none for others.
fn minors_of_numbers(m: &Matrix) -> Option<Vec<Expr>> {
    let entry = |e: &Expr| e.as_number().cloned();
    let entries: Vec<Rational> = m.entries().iter().map(entry).collect::<Option<_>>()?;
    let mut rows: Vec<Vec<Rational>> = entries.chunks(m.cols()).map(<[_]>::to_vec).collect();
    let mut minors = Vec::new();
    let mut minor = Rational::ONE;
    for k in 0..rows.len() {
        let (above, below) = rows.split_at_mut(k + 1);
        let row = &above[k];
        minor = &minor * &row[k];
        minors.push(Expr::from(&minor));
        let Some(inverse) = row[k].recip() else {
            break;
        };
        for other in below {
            let factor = &other[k] * &inverse;
            let pairs = other.iter_mut().zip(row);
            pairs.for_each(|(x, y)| *x = &*x - &(&factor * y));
        }
    }
    Some(minors)
}

/// Sylvester: all leading minors positive, block by block where there are more rows than minors can be written of.
/// And are they so at every point?
fn positive(mass: &Matrix, place: &str, settle: &Settle) -> (Answer, bool) {
    let all = match mass.rows() {
        0..=WRITTEN => vec![(0..mass.rows()).collect()],
        _ => blocks(mass),
    };
    let numbers: Vec<Option<Vec<Expr>>> = all
        .iter()
        .map(|block| minors_of_numbers(&mass.select(block, block)))
        .collect();
    let is_too_large =
        |(block, known): (&Vec<usize>, &Option<_>)| block.len() > WRITTEN && known.is_none();
    if all.iter().zip(&numbers).any(is_too_large) {
        let why = Gap::TooManyMinors.with("place", place);
        return (Answer::undecided(why), false);
    }
    let mut minors: Vec<Expr> = Vec::new();
    let mut except: Vec<Expr> = Vec::new();
    let mut order: Vec<usize> = Vec::new();
    // One minor that is not positive refutes, whatever the signs of others are.
    let mut open: Option<Answer> = None;
    for (block, known) in all.into_iter().zip(numbers) {
        let mut known = known.unwrap_or_default().into_iter();
        let (mut leading, mut rest) = (Vec::new(), block);
        while !rest.is_empty() {
            let k = minors.len() + 1;
            let known = known.next();
            let next = match next_minor(mass, &leading, &rest, known, settle) {
                Ok(next) => next,
                Err(NoMinor::NotPositive(minor)) => return (not_positive(k, minor), false),
                Err(NoMinor::NotWorkedOut) => {
                    let unknown = || Answer::undecided(Gap::MinorUnknown);
                    return (open.unwrap_or_else(unknown), false);
                }
            };
            match next.sign {
                Sign::Positive => {}
                Sign::NonNegative => except.push(next.minor.clone()),
                _ => {
                    let why = Gap::MinorSignUnknown.with("order", k);
                    open.get_or_insert_with(|| {
                        Answer::undecided(why.with("minor", next.minor.clone()))
                    });
                }
            }
            minors.push(next.minor);
            leading.push(rest.remove(next.place));
        }
        order.extend(leading);
    }
    if let Some(open) = open {
        return (open, false);
    }
    let everywhere = except.is_empty();
    let place = in_order(place, &order);
    let how = match everywhere {
        true => Theorem::LeadingMinorsPositive.with("minors", minors),
        false => Theorem::LeadingMinorsPositiveExcept
            .with("minors", minors)
            .with("except", except),
    };
    (Answer::proven(how.with("place", place)), everywhere)
}

/// A principal minor that extends another one.
struct NextMinor {
    minor: Expr,
    sign: Sign,
    /// The place of its last row among those that were left.
    place: usize,
}

/// Why there is none to go on with.
enum NoMinor {
    /// This one is not positive, or zero.
    NotPositive(Expr),
    NotWorkedOut,
}

/// The minor of these rows and one of the rest: the first whose sign is known, in whatever order rows are declared, else the
/// first.
fn next_minor(
    mass: &Matrix,
    leading: &[usize],
    rest: &[usize],
    known: Option<Expr>,
    settle: &Settle,
) -> Result<NextMinor, NoMinor> {
    let mut first = None;
    for (place, &row) in rest.iter().enumerate() {
        let rows = [leading, &[row]].concat();
        let minor = match &known {
            Some(minor) => Ok(minor.clone()),
            None => determinant(&mass.select(&rows, &rows)),
        };
        let Ok(minor) = minor else {
            continue;
        };
        let minor = settle.apply(&minor);
        let sign = sign(&minor);
        let vanishes = || minor.is_zero() || !sign.is_nonzero() && prove_zero(&minor).is_proven();
        match sign {
            Sign::Negative | Sign::NonPositive => return Err(NoMinor::NotPositive(minor)),
            _ if vanishes() => return Err(NoMinor::NotPositive(Expr::zero())),
            Sign::Positive | Sign::NonNegative => return Ok(NextMinor { minor, sign, place }),
            _ => {
                first.get_or_insert(NextMinor { minor, sign, place });
            }
        }
    }
    first.ok_or(NoMinor::NotWorkedOut)
}

fn not_positive(order: usize, minor: Expr) -> Answer {
    if minor.is_zero() {
        return Answer::refuted(Theorem::LeadingMinorZero.with("order", order));
    }
    let wrong = Theorem::LeadingMinorNotPositive.with("order", order);
    Answer::refuted(wrong.with("minor", minor))
}

/// Where minors lead in another order than that of the rows.
fn in_order(place: &str, order: &[usize]) -> String {
    if order.is_sorted() {
        return place.to_owned();
    }
    let rows: Vec<String> = order.iter().map(|i| (i + 1).to_string()).collect();
    format!("{place}, in the order {},", rows.join(", "))
}
