"""Straight-line source, each value computed once, from a function of numbers: for compilers."""


class Value:
    """An operand that writes down what is done with it."""

    def __init__(self, tape, text):
        self.tape, self.text = tape, text

    def __add__(self, other):
        return self if is_number(other, 0) else self.tape.put(f"{self.text} + {literal(other)}")

    def __radd__(self, other):
        return self if is_number(other, 0) else self.tape.put(f"{literal(other)} + {self.text}")

    def __sub__(self, other):
        return self if is_number(other, 0) else self.tape.put(f"{self.text} - {literal(other)}")

    def __rsub__(self, other):
        return -self if is_number(other, 0) else self.tape.put(f"{literal(other)} - {self.text}")

    def __mul__(self, other):
        if is_number(other, 0) or is_number(other, 1):
            return self if other else 0.0
        return self.tape.put(f"{self.text} * {literal(other)}")

    def __rmul__(self, other):
        if is_number(other, 0) or is_number(other, 1):
            return self if other else 0.0
        return self.tape.put(f"{literal(other)} * {self.text}")

    def __truediv__(self, other):
        return self.tape.put(f"{self.text} / {literal(other)}")

    def __rtruediv__(self, other):
        return self.tape.put(f"{literal(other)} / {self.text}")

    def __neg__(self):
        return self.tape.put(f"-{self.text}")


class Tape:
    """The operations so far; also the `ops` of the functions."""

    def __init__(self):
        self.known = {}

    def put(self, text):
        return self.known.setdefault(text, Value(self, f"w{len(self.known)}"))

    def sin(self, a):
        return self.put(f"sin({literal(a)})")

    def cos(self, a):
        return self.put(f"cos({literal(a)})")


def is_number(a, number):
    return not isinstance(a, Value) and a == number


def literal(a):
    return a.text if isinstance(a, Value) else repr(float(a))


def traced(rates, n):
    """The operations (name, text) in order and the texts of the results."""
    tape = Tape()
    results = rates(Value(tape, "t"), [Value(tape, f"x[{i}]") for i in range(n)], tape)
    return [(v.text, text) for text, v in tape.known.items()], [literal(r) for r in results]


def python_source(rates, n):
    """`def rates(t, x, d)` that writes into d."""
    lines, results = traced(rates, n)
    body = [f"{name} = {text}" for name, text in lines] + [f"d[{i}] = {r}" for i, r in enumerate(results)]
    return "from math import sin, cos\ndef rates(t, x, d):\n" + "".join(f"    {line}\n" for line in body)


def c_source(rates, n):
    """The same as a C function that is not inlined: an integrator calls it."""
    lines, results = traced(rates, n)
    body = [f"const double {name} = {text};" for name, text in lines]
    body += [f"d[{i}] = {r};" for i, r in enumerate(results)]
    head = "__attribute__((noinline)) static void rates(double t, const double *restrict x, double *restrict d)"
    return "#include <math.h>\n" + head + " {\n" + "".join(f"  {line}\n" for line in body) + "}\n"
