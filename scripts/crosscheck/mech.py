"""Reads a model file into SymPy, independently of the program: what LagrangesMethod needs, no more."""

import re
from dataclasses import dataclass, field

import sympy as sm
from sympy.physics.mechanics import dynamicsymbols

TIME = dynamicsymbols._t
GREEK = dict(zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ", (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega").split()))
TOKEN = re.compile(r"\s*(?:(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)|(?P<primes>'+)|(?P<mark>.))")
IGNORED = {"system", "assume", "symmetry", "fibre", "frame", "oneform", "observe", "start", "goal", "cost",
           "terminal", "bound", "time", "draw"}


class Unsupported(Exception):
    """The model uses something that this reader does not translate (a group factor)."""


@dataclass
class Model:
    """A Lagrangian system on coordinates, parameters replaced by their values."""
    coordinates: list = field(default_factory=list)
    names: dict = field(default_factory=dict)
    kinetic: sm.Expr = sm.Integer(0)
    potential: sm.Expr = sm.Integer(0)
    constraints: list = field(default_factory=list)
    positions: list = field(default_factory=list)
    force: dict = field(default_factory=dict)
    controls: dict = field(default_factory=dict)
    inputs: dict = field(default_factory=dict)

    @property
    def lagrangian(self):
        return self.kinetic - self.potential

    @property
    def velocities(self):
        return [q.diff(TIME) for q in self.coordinates]

    def value(self, text):
        """An expression of the model language as a SymPy expression."""
        return eval(python(text), {"__builtins__": {}}, self.names | FUNCTIONS)


def one_less(*indices):
    """Indices from 1 as indices from 0."""
    shifted = tuple(int(i) - 1 for i in indices)
    return shifted[0] if len(shifted) == 1 else shifted


def column(*entries):
    """A vector, or a matrix from its rows."""
    rows = [list(e) if isinstance(e, sm.MatrixBase) else [e] for e in entries]
    return sm.Matrix(rows)


FUNCTIONS = {name: getattr(sm, name) for name in
             "sin cos tan cot sec csc asin acos atan atan2 sinh cosh tanh exp log sqrt pi diag Rational".split()}
FUNCTIONS |= {
    "t": TIME,
    "column": column,
    "one_less": one_less,
    "rate": lambda value, order: value.diff(TIME, order),
    "dot": lambda a, b: (a.T * b)[0],
    "cross": lambda a, b: a.cross(b),
    "norm2": lambda a: (a.T * a)[0],
    "transpose": lambda a: a.T,
    "hat": lambda v: sm.Matrix([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]]),
}


def ascii_name(name):
    """`θ1` as `theta1`."""
    return "".join(GREEK.get(c, c) for c in name)


def python(text):
    """The text of an expression in Python: exact numbers, rates for primes, indices from 0."""
    out, brackets, after_value = [], [], False
    for match in TOKEN.finditer(text.strip()):
        kind, token = match.lastgroup, match.group(match.lastgroup)
        if kind == "number":
            out.append(f'Rational("{token}")')
        elif kind == "name":
            out.append(ascii_name(token))
        elif kind == "primes":
            out[-1] = f"rate({out[-1]}, {len(token)})"
        elif token == "[":
            out.append("[one_less(" if after_value else "column(")
            brackets.append(")]" if after_value else ")")
        elif token == "]":
            out.append(brackets.pop())
        else:
            out.append("**" if token == "^" else token)
        after_value = kind != "mark" or token in ")]"
    return "".join(out)


def pieces(text, separator):
    """Splits at a separator outside of brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts]


def statements(text):
    """Statements on one line each: continued lines joined, comments dropped."""
    found = []
    for line in text.splitlines():
        line = line.split("#")[0].rstrip()
        if not line.strip():
            continue
        is_open = found and found[-1].count("(") + found[-1].count("[") > found[-1].count(")") + found[-1].count("]")
        if found and (is_open or line[0].isspace()):
            found[-1] += " " + line.strip()
        else:
            found.append(line)
    return found


def components(text):
    """A one-form `(x: EXPR, y: EXPR)`, or a lone name, as pairs."""
    if not text.startswith("("):
        return [(text, "1")]
    return [tuple(pieces(item, ":")) for item in pieces(text[1:-1], ",")]


def read(text):
    """The model of a file's text."""
    model = Model()
    for statement in statements(text):
        keyword, rest = statement.split(None, 1)
        if keyword in IGNORED:
            continue
        READERS[keyword](model, rest.strip())
    feed(model)
    return model


def read_param(model, rest):
    for item in pieces(rest, ","):
        name, value = pieces(item, "=")
        model.names[ascii_name(name)] = model.value(value)


def read_coord(model, rest):
    for name in pieces(rest, ":")[0].split(","):
        name = ascii_name(name.strip())
        model.names[name] = dynamicsymbols(name)
        model.coordinates.append(model.names[name])


def read_group(_model, _rest):
    raise Unsupported("group factor")


def read_let(model, rest):
    name, value = pieces(rest, "=")
    model.names[ascii_name(name)] = model.value(value)


def read_lagrangian(model, rest):
    model.kinetic += model.value(rest)
    if any(d.derivative_count > 1 for d in model.kinetic.atoms(sm.Derivative)):
        raise Unsupported("Lagrangian of higher order")


def read_kinetic(model, rest):
    model.kinetic += model.value(rest)


def read_potential(model, rest):
    model.potential += model.value(rest)


def read_constraint(model, rest):
    left, right = (model.value(side) for side in pieces(rest, "="))
    difference = left - right
    for equation in difference if isinstance(difference, sm.MatrixBase) else [difference]:
        if equation.has(sm.Derivative):
            model.constraints.append(equation)
        else:
            model.positions.append(equation)
            model.constraints.append(equation.diff(TIME))


def read_force(model, rest):
    for name, value in components(rest):
        q = model.value(name)
        model.force[q] = model.force.get(q, 0) + model.value(value)


def read_control(model, rest):
    """A control is 0 in a derivation at the start state, unless a law feeds it."""
    name, _, form = rest.partition(" on ")
    name = ascii_name(name.strip())
    model.names[name] = sm.Integer(0)
    model.controls[name] = components(form.strip()) if form else []


def read_input(model, rest):
    for item in pieces(rest, ","):
        name, law = pieces(item, "=")
        model.inputs[ascii_name(name)] = law


def read_state(_model, _rest):
    raise Unsupported("auxiliary state")


def feed(model):
    """The forces of the controls at their laws."""
    for name, law in model.inputs.items():
        for direction, value in model.controls[name]:
            q = model.value(direction)
            model.force[q] = model.force.get(q, 0) + model.value(law) * model.value(value)


READERS = {
    "param": read_param, "coord": read_coord, "group": read_group, "let": read_let,
    "lagrangian": read_lagrangian, "kinetic": read_kinetic, "potential": read_potential,
    "constraint": read_constraint, "force": read_force, "control": read_control,
    "input": read_input, "state": read_state, "rate": read_state, "map": read_state,
}
