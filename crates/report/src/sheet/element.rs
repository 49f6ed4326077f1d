//! Elements of groups with their numbers: a rotation row by row, a motion by its rotation and its position.

use super::vector::Turning;
use crate::mechanics::Problem;
use crate::symbolic::Symbol;
use rattleback_numeric::number::shown;

/// The lines of an element, `text` giving its entries; lines below the first of a matrix have no name.
pub fn lines(t: &Turning, text: impl Fn(&Symbol) -> String) -> Vec<(String, String)> {
    let name = t.name.to_string();
    let entries: Vec<String> = t.entries.iter().map(text).collect();
    let identity = t.identity().into_iter().map(|x| shown(x, 0.0));
    if identity.eq(entries.iter().cloned()) {
        return vec![(name, "identity".into())];
    }
    let row = |cells: &[String]| format!("[{}]", cells.join(", "));
    let below = std::iter::repeat_with(String::new);
    if !t.moves() {
        let names = std::iter::once(name).chain(below);
        return names.zip(entries.chunks(t.width()).map(row)).collect();
    }
    let n = t.dimension();
    let turned = entries.chunks(t.width()).take(n).map(|r| row(&r[..n]));
    let names = std::iter::once(format!("{name}.R")).chain(below);
    let moved = entries.chunks(t.width()).take(n).map(|r| r[n].clone());
    let moved = row(&moved.collect::<Vec<_>>());
    let position = (format!("{name}.p"), moved);
    names.zip(turned).chain([position]).collect()
}

/// Names and their numbers with the entries of each element in its own lines.
pub fn folded(problem: &Problem, values: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut all = values;
    for t in Turning::all(&problem.system) {
        let fixed = t.fixed().iter().map(ToString::to_string);
        let fixed: Vec<String> = fixed.collect();
        let names: Vec<String> = t.entries.iter().map(ToString::to_string).collect();
        let known = |name: &String| all.iter().any(|(n, _)| n == name);
        if !names.iter().all(|n| known(n) || fixed.contains(n)) {
            continue;
        }
        let value = |s: &Symbol| {
            let name = s.to_string();
            let place = t.entries.iter().position(|e| e == s).unwrap_or(0);
            let own = all.iter().find(|(n, _)| *n == name);
            // The last row of a motion is that of the identity.
            own.map_or_else(|| shown(t.identity()[place], 0.0), |(_, v)| v.clone())
        };
        let element = lines(&t, value);
        let place = all.iter().position(|(n, _)| names.contains(n));
        all.retain(|(n, _)| !names.contains(n));
        let place = place.unwrap_or(all.len());
        all.splice(place..place, element);
    }
    all
}
