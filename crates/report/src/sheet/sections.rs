//! The sections of a sheet, in the order in which they are read.

use super::angles::in_stated_angles;
use super::start::{observed_table, start_table};
use super::vector::{Turning, VectorForm, gathered};
use super::{Sheet, abbreviated, constrained, energy, implicit, matrices, rows};
use crate::document::length::{Limit, characters, left_out, written_length};
use crate::document::{Block, Document, Section, Vector, symbol_of};
use crate::mechanics::{Equations, Form, Names, Quantity, Stage, at_next};
use crate::symbolic::{Expr, Symbol};
use rattleback_numeric::number::shown;

/// Solved equations longer than this, in characters, are stated unsolved where that is much shorter.
const LONG: u64 = 900;

/// How headings begin under which no formulas stand.
pub const BESIDE: [&str; 6] = [
    "State",
    "Left out",
    OTHER_FORMS,
    "Notes",
    "At the start",
    "Observed",
];

const ENERGY: &str = "Energy";
const SLICE: &str = "On the slice";
const OTHER_FORMS: &str = "Other forms, in characters";

/// All sections of formulas; empty ones are left out.
pub fn sections(sheet: &Sheet, vectors: Option<VectorForm>) -> Vec<Section> {
    let stated = !sheet.full && is_stated(sheet, vectors.as_ref());
    let turned = match stated || sheet.full {
        true => None,
        false => in_stated_angles(sheet.spoken, sheet.stated),
    };
    let solved = turned.as_ref().unwrap_or(sheet.spoken);
    let vectors = vectors.unwrap_or_default();
    let turnings = Turning::all(&sheet.problem.system);
    let fixed = turnings.iter().flat_map(Turning::fixed);
    let covered = fixed.chain(&vectors.rates).cloned().collect();
    let page = Page {
        sheet,
        eq: if stated { sheet.stated } else { solved },
        stated,
        vectors,
        turnings,
        covered,
        names: sheet.problem.system.names().clone(),
    };
    page.sections()
}

/// Are the equations shown as they are stated, rather than solved for the rates?
fn is_stated(sheet: &Sheet, vectors: Option<&VectorForm>) -> bool {
    let solved = sheet.spoken;
    let iterates = |s: &Stage| matches!(s, Stage::Implicit { .. });
    if solved.stages.iter().any(iterates) {
        return false;
    }
    if vectors.is_some_and(|v| v.moves || v.needs_stated) || !solved.stages.is_empty() {
        return true;
    }
    if sheet.stated.form == Form::Manipulator {
        return true;
    }
    let covered = vectors.map_or(&[][..], |v| &v.rates);
    let rates = |eq: &Equations| {
        let all = written_rates(eq, covered).into_iter();
        all.map(|(_, r)| r)
    };
    let reactions = solved.multipliers.iter().map(|q| q.value.clone());
    let explicit: Vec<Expr> = rates(solved).chain(reactions).collect();
    let rows = rows::rows(sheet.stated);
    let rows = rows.into_iter().flat_map(|row| [row.left, row.right]);
    let others = rows::multipliers(sheet.stated);
    let others = others.into_iter().flat_map(|(l, r)| [l, r]);
    let stated: Vec<Expr> = rates(sheet.stated).chain(rows).chain(others).collect();
    let explicit = characters(&explicit);
    explicit > LONG && characters(&stated).saturating_mul(2) < explicit
}

struct Page<'a> {
    sheet: &'a Sheet<'a>,
    eq: &'a Equations,
    stated: bool,
    vectors: VectorForm,
    /// The factors that turn.
    turnings: Vec<Turning>,
    /// Of what the rates need no equation: they are among the vectors, or 0 in any case.
    covered: Vec<Symbol>,
    /// Names for what is of the page, out of the way of the model's.
    names: Names,
}

impl Page<'_> {
    fn sections(&self) -> Vec<Section> {
        let (sheet, eq) = (self.sheet, self.eq);
        let mut builder = Builder {
            sections: Vec::new(),
        };
        builder.put("State", Block::Symbols(self.state()));
        let held = eq.slice.iter();
        let held = held.map(|(s, value)| Quantity::new(s.to_string(), value.clone()));
        builder.equations(SLICE, named(&held.collect::<Vec<_>>(), ""));
        self.motion(&mut builder);
        if !self.stated {
            builder.equations("Multipliers", named(&eq.multipliers, ""));
            builder.equations("Reaction forces", named(&eq.reactions, "F_"));
        }
        self.energy(&mut builder);
        self.momenta(&mut builder);
        self.constraints(&mut builder);
        let extras = match eq.form {
            Form::Manipulator => named(&matrices::written(&eq.extras, &self.names), ""),
            _ => {
                // The Hamiltonian is there as the energy, where that is written in the state.
                let is_vector = self.stated && self.vectors.energy.is_some();
                let is_other = |q: &&Quantity| is_vector || q.value != eq.energy;
                let others = eq.extras.iter().filter(is_other);
                named(&others.cloned().collect::<Vec<_>>(), "")
            }
        };
        builder.equations("Of this formulation", extras);
        builder.equations("Reconstruction", named(&eq.reconstruction, ""));
        builder.brackets(eq);
        let conditions = eq.conditions.iter().filter(|c| c.as_number().is_none());
        builder.put("Valid where", Block::NonZero(conditions.cloned().collect()));
        let mut all = match sheet.full {
            true => self.readable(builder.sections),
            false => self.shortest(builder.sections),
        };
        let mut builder = Builder {
            sections: Vec::new(),
        };
        if self.stated && sheet.spoken.stages.is_empty() {
            let rates = sheet.spoken.rates.iter().map(written_length);
            let length = rates.fold(0, u64::saturating_add);
            let line = left_out("solved for the rates", length);
            builder.put("Left out", Block::Lines(vec![line]));
        }
        builder.put(OTHER_FORMS, other_forms(sheet));
        builder.put("Notes", Block::Lines(self.notes()));
        if let Some(at_start) = sheet.at_start {
            let heading = format!("At the start, t = {}", shown(at_start.time, 0.0));
            let folded = self.folded();
            let energy = self.names.on_page("E");
            builder.put(
                heading,
                start_table(eq, at_start, folded, &self.fixed(), &energy),
            );
            // Under a heading of their own: a model may call an observable `E` as the energy is called.
            builder.put("Observed at the start", observed_table(at_start));
        }
        all.extend(builder.sections);
        all
    }

    /// The sections without what nobody would read.
    fn readable(&self, sections: Vec<Section>) -> Vec<Section> {
        let limit = self.sheet.limit(Limit::READABLE);
        let each = sections.into_iter().flat_map(|s| within(s, limit));
        each.collect()
    }

    /// The shortest of the ways to write the page, common parts named: the energy by squares or collected in the
    /// velocities, equations of motion as they are or on the constraint set.
    fn shortest(&self, sections: Vec<Section>) -> Vec<Section> {
        let mut energies = self.with_energies(&sections);
        if energies.is_empty() {
            energies.push(sections);
        }
        let of_groups = self.turnings.iter().flat_map(Turning::relations);
        let of_groups: Vec<Expr> = of_groups.collect();
        let energies = energies.into_iter();
        let energies =
            energies.map(|all| gathered(all, &self.vectors.definitions, self.sheet.problem));
        let variants = energies.flat_map(|all| {
            let on_constraints = constrained::on_constraints(&all, self.eq, &of_groups);
            [Some(all), on_constraints].into_iter().flatten()
        });
        let pages = variants
            .map(|all| self.readable(abbreviated::with_names(all, self.sheet, &self.vectors)));
        // What is left out makes no page shorter.
        let length = |all: &Vec<Section>| {
            let left_out = all.iter().filter(|s| is_remainder(s)).count();
            let page = Document {
                order: self.sheet.order(),
                sections: all.clone(),
                ..Document::new("")
            };
            (left_out, page.text(true).chars().count())
        };
        pages.min_by_key(length).unwrap_or_default()
    }

    /// The sections with the energy as a book writes it: what moves, by squares or collected, and then the potential.
    fn with_energies(&self, sections: &[Section]) -> Vec<Vec<Section>> {
        let is_scalar =
            |s: &Section| s.heading == ENERGY && matches!(&s.blocks[..], [Block::Equations(_)]);
        let Some(place) = sections.iter().position(is_scalar) else {
            return Vec::new();
        };
        let with = |energy: Expr| {
            let mut all = sections.to_vec();
            all[place].blocks = vec![Block::Equations(self.energy_line(energy))];
            all
        };
        energy::written(&self.eq.energy, &self.eq.moving())
            .into_iter()
            .map(with)
            .collect()
    }

    /// The factors whose entries stand under one name.
    fn folded(&self) -> &[Turning] {
        match self.sheet.full {
            true => &[],
            false => &self.turnings,
        }
    }

    /// The entries that nobody asks for where entries are written: they never change.
    fn fixed(&self) -> Vec<Symbol> {
        let all = self.turnings.iter().filter(|_| self.sheet.full);
        all.flat_map(Turning::fixed).cloned().collect()
    }

    /// The state, with the entries of a rotation under its name.
    fn state(&self) -> Vec<Symbol> {
        let mut all: Vec<Symbol> = Vec::new();
        let fixed = self.fixed();
        for s in self.eq.state.iter().filter(|s| !fixed.contains(s)) {
            let of = self.folded().iter().find(|t| t.entries.contains(s));
            let shown = of.map_or_else(|| s.clone(), |t| t.name.clone());
            if !all.contains(&shown) {
                all.push(shown);
            }
        }
        all
    }

    /// The equations of motion, as vectors, solved, or as they are stated.
    fn motion(&self, builder: &mut Builder) {
        let eq = self.eq;
        let vectors = self.vectors.equations.clone();
        if eq.form == Form::Manipulator && !self.sheet.full {
            let mut vectors = kinematic(&vectors, &self.vectors);
            vectors.extend(matrices::equation(eq, self.sheet.problem));
            let rates = written_rates(eq, &self.covered);
            let blocks = [Block::Vectors(vectors), Block::Equations(rates)];
            return builder.push(Section::new("Equations of motion", blocks));
        }
        if !self.stated {
            let rates = written_rates(eq, &self.covered);
            let blocks = [
                Block::Vectors(kinematic(&vectors, &self.vectors)),
                Block::Equations(rates),
            ];
            builder.push(Section::new("Equations of motion", blocks));
            let limit = self.sheet.limit(Limit::READABLE);
            let rest = implicit::sections(eq, limit);
            return rest.into_iter().for_each(|s| builder.push(s));
        }
        let mut scalar = written_rates(eq, &self.covered);
        let velocities = self.turnings.iter().flat_map(|t| &t.velocities);
        let turning: Vec<Symbol> = velocities
            .flat_map(|v| [v.clone(), v.derivative()])
            .collect();
        let is_written = |row: &rows::Row| self.vectors.moves && turning.contains(&row.of);
        let rows = rows::rows(eq);
        // Accelerations beside the velocities that momenta determine say once more what the momenta do.
        let determined: Vec<Symbol> = rows.iter().map(|row| row.of.derivative()).collect();
        let may_repeat = eq.form == Form::Hamiltonian && !eq.residuals.is_empty();
        let repeats = |row: &rows::Row| may_repeat && determined.contains(&row.of);
        let rows = rows.into_iter();
        let rows = rows.filter(|row| !is_written(row) && !repeats(row));
        scalar.extend(rows.map(|row| (row.left, row.right)));
        let shown = match self.vectors.moves {
            true => vectors,
            false => kinematic(&vectors, &self.vectors),
        };
        let blocks = [Block::Vectors(shown), Block::Equations(scalar)];
        builder.push(Section::new("Equations of motion", blocks));
        builder.equations(
            "Linear equations for the multipliers",
            rows::multipliers(eq),
        );
    }

    fn energy(&self, builder: &mut Builder) {
        match &self.vectors.energy {
            Some(energy) if self.stated => {
                let line = (Vector::Name(self.names.on_page("E")), energy.clone());
                builder.put(ENERGY, Block::Vectors(vec![line]));
            }
            _ if self.eq.energy.is_undefined() => {}
            _ => builder.equations(ENERGY, self.energy_line(self.eq.energy.clone())),
        }
    }

    fn energy_line(&self, value: Expr) -> Vec<(Expr, Expr)> {
        vec![(self.names.on_page("E").into(), value)]
    }

    /// The notes, with what names of the page gave way.
    fn notes(&self) -> Vec<String> {
        let names = &self.names;
        let has_energy = !self.eq.energy.is_undefined() && names.declares("E");
        let energy = has_energy.then(|| matrices::moved_note("E", "the energy", names));
        let letters = match self.eq.form {
            Form::Manipulator => matrices::moved(self.eq, names),
            _ => Vec::new(),
        };
        let own = self.sheet.notes.iter().cloned();
        own.chain(energy).chain(letters).collect()
    }

    fn momenta(&self, builder: &mut Builder) {
        let momenta = &self.vectors.momenta;
        let replaced = |q: &Quantity| self.vectors.momenta_of.contains(&q.name);
        let others: Vec<Quantity> = match self.stated {
            true => self
                .eq
                .momenta
                .iter()
                .filter(|q| !replaced(q))
                .cloned()
                .collect(),
            false => self.eq.momenta.clone(),
        };
        let vectors = if self.stated {
            momenta.clone()
        } else {
            Vec::new()
        };
        let blocks = [
            Block::Vectors(vectors),
            Block::Equations(named(&others, "")),
        ];
        builder.push(Section::new("Momenta", blocks));
    }

    fn constraints(&self, builder: &mut Builder) {
        let (vectors, replaced) = match self.stated {
            true => (self.vectors.constraints.clone(), &self.vectors.replaced[..]),
            false => (Vec::new(), &[][..]),
        };
        let residuals = self.eq.residuals.iter().enumerate();
        let residuals = residuals.filter(|(i, _)| !replaced.contains(i));
        let scalar = residuals.map(|(_, r)| (r.clone(), Expr::zero())).collect();
        let blocks = [Block::Vectors(vectors), Block::Equations(scalar)];
        builder.push(Section::new("Constraints", blocks));
    }
}

/// Of vector equations those about positions.
fn kinematic(all: &[(Vector, Vector)], form: &VectorForm) -> Vec<(Vector, Vector)> {
    let count = all.len().min(form.kinematic);
    all[..count].to_vec()
}

/// The rates that say something: not x' = x', not unknowns of a solve that is left, and not what is written already.
pub fn written_rates(eq: &Equations, covered: &[Symbol]) -> Vec<(Expr, Expr)> {
    eq.state
        .iter()
        .zip(&eq.rates)
        .filter(|(s, _)| !covered.contains(s))
        .map(|(s, rate)| (Expr::from(updated(eq.form, s)), rate.clone()))
        .filter(|(left, right)| left != right)
        .collect()
}

/// What an equation of motion gives of a component of the state: its rate, or its value at the next node.
pub fn updated(form: Form, s: &Symbol) -> Symbol {
    match form {
        Form::Map => at_next(s),
        _ => s.derivative(),
    }
}

/// Quantities with a value of their own; an unknown of a solve that is left stands for itself.
fn named(quantities: &[Quantity], prefix: &str) -> Vec<(Expr, Expr)> {
    quantities
        .iter()
        .map(|q| {
            (
                Expr::from(symbol_of(&format!("{prefix}{}", q.name))),
                q.value.clone(),
            )
        })
        .filter(|(left, right)| left != right)
        .collect()
}

/// The other formulations that were compared, each with its length.
fn other_forms(sheet: &Sheet) -> Block {
    let others = sheet.lengths.iter();
    let others = others.filter(|(form, _)| *form != sheet.equations.form);
    let length = |n: Option<usize>| n.map_or("too long to show".to_owned(), |n| n.to_string());
    let others = others.map(|(form, n)| (form.name().to_owned(), length(*n)));
    let others: Vec<(String, String)> = others.collect();
    let width = others.iter().map(|(name, _)| name.len()).max();
    Block::Rows(width.unwrap_or(0), others)
}

/// Behind the heading of a section: what of it nobody would read.
const REMAINDER: &str = ", left out";

/// Does a section name formulas that are not shown?
pub fn is_remainder(section: &Section) -> bool {
    section.heading.ends_with(REMAINDER)
}

/// A section without what nobody would read; that is named with its length.
fn within(section: Section, limit: Limit) -> Vec<Section> {
    let mut long = Vec::new();
    let heading = section.heading.clone();
    let mut kept = Section {
        blocks: Vec::new(),
        ..section
    };
    for block in section.blocks {
        kept.blocks.push(match block {
            Block::Equations(all) => Block::Equations(short_equations(all, limit, &mut long)),
            Block::Brackets(all) => {
                let (short, others): (Vec<_>, Vec<_>) = all
                    .into_iter()
                    .partition(|(_, _, e)| limit.allows(written_length(e)));
                let name = |(a, b, e): &(Symbol, Symbol, Expr)| {
                    left_out(&format!("{{{a}, {b}}}"), written_length(e))
                };
                long.extend(others.iter().map(name));
                Block::Brackets(short)
            }
            Block::NonZero(all) => {
                let (short, others): (Vec<Expr>, Vec<Expr>) = all
                    .into_iter()
                    .partition(|e| limit.allows(written_length(e)));
                let what = "a function that must not vanish";
                long.extend(others.iter().map(|e| left_out(what, written_length(e))));
                Block::NonZero(short)
            }
            other => other,
        });
    }
    kept.blocks.retain(|b| !b.is_empty());
    let heading = heading.split(", all others").next().unwrap_or_default();
    let rest = Section::new(format!("{heading}{REMAINDER}"), [Block::Lines(long)]);
    [kept, rest].into_iter().filter(|s| !s.is_empty()).collect()
}

fn short_equations(
    all: Vec<(Expr, Expr)>,
    limit: Limit,
    long: &mut Vec<String>,
) -> Vec<(Expr, Expr)> {
    let mut short = Vec::new();
    for (left, right) in all {
        let length = written_length(&left).max(written_length(&right));
        if limit.allows(length) {
            short.push((left, right));
        } else {
            let name = left.as_symbol();
            let name = name.map_or("one of them".to_owned(), ToString::to_string);
            long.push(left_out(&name, length));
        }
    }
    short
}

struct Builder {
    sections: Vec<Section>,
}

impl Builder {
    fn push(&mut self, section: Section) {
        if !section.is_empty() {
            self.sections.push(section);
        }
    }

    fn put(&mut self, heading: impl Into<String>, block: Block) {
        self.push(Section::new(heading, [block]));
    }

    fn equations(&mut self, heading: &str, all: Vec<(Expr, Expr)>) {
        self.put(heading, Block::Equations(all));
    }

    fn brackets(&mut self, eq: &Equations) {
        let Some(bracket) = &eq.bracket else { return };
        let z = &bracket.coordinates;
        let pairs = (0..z.len()).flat_map(|i| (i + 1..z.len()).map(move |j| (i, j)));
        let all = pairs.map(|(i, j)| (z[i].clone(), z[j].clone(), bracket.matrix[(i, j)].clone()));
        let all = all.filter(|(_, _, value)| !value.is_zero()).collect();
        self.put("Brackets, all others 0", Block::Brackets(all));
    }
}
