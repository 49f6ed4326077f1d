//! Answers and their evidence as JSON: the words for readers, the data for machines.

use super::item::evidence as words;
use super::json::Formulas;
use super::length::Limit;
use super::shared::Shared;
use crate::symbolic::{
    self, Enclosure, Expr, Fact, Rational, Sign, Symbol, ZeroProof, facts_of, free_symbols, text,
};
use crate::theory::{
    Absent, Answer, CutShort, Evidence, Exhausted, Finding, Named, Phrase, Point, Reason, Searched,
    Term, Zero,
};
use serde_json::{Map, Value as Json, json};

/// A statement and its answer.
pub fn finding(finding: &Finding, formulas: &Formulas) -> Map<String, Json> {
    let mut object = answer(&finding.answer, formulas);
    object.insert("statement".into(), finding.statement.clone().into());
    object
}

/// The verdict, the evidence in words, and the evidence.
pub fn answer(answer: &Answer, formulas: &Formulas) -> Map<String, Json> {
    let (verdict, key, data) = match answer {
        Answer::Proven(e) => ("proven", "how", evidence(e, formulas)),
        Answer::Refuted(e) => ("refuted", "witness", evidence(e, formulas)),
        Answer::Undecided(why) => ("undecided", "why", reason(why, formulas)),
    };
    let mut object = Map::new();
    object.insert("verdict".into(), verdict.into());
    object.insert(key.into(), words(answer).into());
    object.insert("evidence".into(), data);
    object
}

fn evidence(e: &Evidence, formulas: &Formulas) -> Json {
    match e {
        Evidence::Zero(zero) => vanishing(zero, formulas),
        Evidence::Point(point) => nonzero(point, formulas),
        Evidence::Theorem { theorem, premises } => json!({
            "kind": "theorem",
            "theorem": theorem.name.id(),
            "terms": terms(theorem, formulas),
            "parts": parts(premises, formulas),
        }),
        Evidence::Absent(absent) => none(absent, formulas),
        Evidence::Parts(all) => json!({"kind": "parts", "parts": parts(all, formulas)}),
    }
}

fn parts(all: &[Evidence], formulas: &Formulas) -> Json {
    all.iter().map(|e| evidence(e, formulas)).collect()
}

fn vanishing(zero: &Zero, formulas: &Formulas) -> Json {
    json!({
        "kind": "zero",
        "function": zero.what.name.id(),
        "what": zero.what.to_string(),
        "terms": terms(&zero.what, formulas),
        "functions": texts(&zero.functions, formulas),
        "proof": proof(&zero.proof),
        "assumptions": assumptions(&free_symbols(&zero.functions), formulas),
    })
}

fn proof(proof: &ZeroProof) -> Json {
    match proof {
        ZeroProof::CanonicalForm => json!({"kind": "canonical_form"}),
        ZeroProof::NormalForm => json!({"kind": "normal_form"}),
        ZeroProof::Fields {
            points,
            branches,
            degree,
            bits,
        } => json!({
            "kind": "fields",
            "points": points,
            "branches": branches,
            "degree": degree,
            "error_bits": bits,
        }),
    }
}

fn nonzero(p: &Point, formulas: &Formulas) -> Json {
    let symbols: Vec<Symbol> = p.at.iter().map(|(s, _)| s.clone()).collect();
    let (text, parts) = written(&p.function, formulas);
    let mut object = json!({
        "kind": "point",
        "function": p.what.name.id(),
        "what": p.what.to_string(),
        "terms": terms(&p.what, formulas),
        "text": text,
        "point": point(&p.at),
        "value": value(&p.value),
        "assumptions": assumptions(&symbols, formulas),
    });
    if let Some(parts) = parts {
        object["where"] = parts;
    }
    object
}

/// The text of a function; of one that is too long to be written out by its shared parts, which are listed then.
fn written(e: &Expr, formulas: &Formulas) -> (Json, Option<Json>) {
    let plain = formulas.text(e);
    if !plain.is_null() {
        return (plain, None);
    }
    let shared = Shared::of(e);
    if !Limit::EXCHANGED.allows(shared.length()) {
        return (plain, None);
    }
    let written = |e: &Expr| Json::from(text(e, formulas.style()));
    let part = |(s, e): &(Symbol, Expr)| json!({"name": s.to_string(), "text": written(e)});
    let parts = shared.parts.iter().map(part).collect();
    (written(&shared.whole), Some(parts))
}

fn point(at: &[(Symbol, Rational)]) -> Json {
    let pairs = at
        .iter()
        .map(|(s, r)| (s.to_string(), r.to_string().into()));
    Json::Object(pairs.collect())
}

fn value(v: &Enclosure) -> Json {
    json!({"lower": v.low, "upper": v.high})
}

/// What is assumed of symbols, as a model would state it.
fn assumptions(symbols: &[Symbol], formulas: &Formulas) -> Json {
    let mut all: Vec<String> = Vec::new();
    let signs = symbols.iter().map(|s| Fact::new(Expr::from(s), s.sign()));
    for fact in signs.chain(facts_of(symbols)) {
        let compared = match fact.sign() {
            Sign::Positive => ">",
            Sign::NonNegative => ">=",
            Sign::NonZero => "!=",
            Sign::Unknown | Sign::NonPositive | Sign::Negative => continue,
        };
        let words = format!("{} {compared} 0", text(fact.expression(), formulas.style()));
        if !all.contains(&words) {
            all.push(words);
        }
    }
    all.into()
}

fn none(absent: &Absent, formulas: &Formulas) -> Json {
    json!({
        "kind": "exhausted",
        "none": absent.what().name.id(),
        "terms": terms(absent.what(), formulas),
        "searched": searched(absent.searched().what()),
        "candidates": absent.searched().looked_at(),
        "parts": parts(absent.premises(), formulas),
    })
}

fn searched(what: Searched) -> Json {
    match what {
        Searched::Fields { degree, unknowns } => {
            json!({"what": "fields", "degree": degree, "unknowns": unknowns})
        }
        Searched::Polynomials {
            degree,
            coefficients,
            unknowns,
        } => json!({
            "what": "polynomials",
            "degree": degree,
            "coefficients": coefficients,
            "unknowns": unknowns,
        }),
        Searched::Fibres => json!({"what": "fibres"}),
        Searched::Branches => json!({"what": "branches"}),
        Searched::Relations => json!({"what": "relations"}),
    }
}

fn terms<N: Named>(phrase: &Phrase<N>, formulas: &Formulas) -> Json {
    let pairs = phrase.terms.iter();
    let pairs = pairs.map(|(name, t)| ((*name).to_string(), term(t, formulas)));
    Json::Object(pairs.collect())
}

fn term(t: &Term, formulas: &Formulas) -> Json {
    match t {
        Term::Formula(e) => formulas.text(e),
        Term::Formulas(all) => texts(all, formulas),
        Term::Count(n) => (*n).into(),
        Term::Counts(all) => all.clone().into(),
        Term::Name(name) => name.clone().into(),
        Term::Names(names) => names.clone().into(),
        Term::Value(v) => value(v),
        Term::Point(at) => point(at),
    }
}

fn texts(all: &[Expr], formulas: &Formulas) -> Json {
    let formulas = formulas.for_list(&all.iter().collect::<Vec<_>>());
    all.iter().map(|e| formulas.text(e)).collect()
}

fn reason(why: &Reason, formulas: &Formulas) -> Json {
    match why {
        Reason::Zero {
            what,
            functions,
            why,
        } => json!({
            "kind": "zero_test",
            "function": what.name.id(),
            "what": what.to_string(),
            "functions": texts(functions, formulas),
            "reason": zero_test(why),
            "assumptions": assumptions(&free_symbols(functions), formulas),
        }),
        Reason::CutShort(cut) => cut_short(cut, formulas),
        Reason::NotFound {
            what,
            searched: space,
            end,
        } => json!({
            "kind": "not_found",
            "gap": what.name.id(),
            "terms": terms(what, formulas),
            "searched": searched(*space),
            "candidates": end.as_ref().ok().map(Exhausted::looked_at),
            "because": end.as_ref().err().map(|cut| cut_short(cut, formulas)),
        }),
        Reason::Gap { gap, shown, behind } => json!({
            "kind": "gap",
            "gap": gap.name.id(),
            "terms": terms(gap, formulas),
            "parts": parts(shown, formulas),
            "because": behind.as_ref().map(|r| reason(r, formulas)),
        }),
        Reason::Failed(error) => json!({"kind": "error", "words": error}),
    }
}

fn zero_test(why: &symbolic::Reason) -> Json {
    let kind = match why {
        symbolic::Reason::Undefined => "undefined",
        symbolic::Reason::NowhereDefined => "nowhere_defined",
        symbolic::Reason::Degree(_) => "degree",
        symbolic::Reason::NoImage(_) => "no_image",
        symbolic::Reason::LooksZero => "looks_zero",
        symbolic::Reason::NoPoint => "no_point",
        symbolic::Reason::Cancelled => "cancelled",
        symbolic::Reason::Other(_) => "other",
    };
    json!({"kind": kind, "words": why.to_string()})
}

fn cut_short(cut: &CutShort, formulas: &Formulas) -> Json {
    match cut {
        CutShort::Effort { looked_at } => json!({"kind": "effort", "candidates": looked_at}),
        CutShort::Cancelled => json!({"kind": "cancelled"}),
        CutShort::LeftOut(what) => {
            json!({"kind": "left_out", "because": reason(what, formulas)})
        }
    }
}
