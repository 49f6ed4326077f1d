"""Draws systems at random, so that nobody can tune for them.

usage: python scripts/peers/drawn.py SEED COUNT FOLDER

Writes FOLDER/K.mech for K = 0 .. COUNT - 1, the classes in turn, and prints their classes as one line of JSON. What is
drawn depends on the seed and on K alone. Energies are moderate and horizons a few periods, so that motions have an error
to speak of at their end.
"""

import json
import math
import pathlib
import random
import sys


class Draw(random.Random):
    """Numbers that a model file can hold."""

    def number(self, low, high):
        return round(self.uniform(low, high), 4)

    def numbers(self, count, low, high):
        return [self.number(low, high) for _ in range(count)]


def model(name, statements, until, start):
    values = ", ".join(f"{what} = {value}" for what, value in start.items())
    return "\n".join([f"system {name}", *statements, f"start {values}", f"time 0 .. {until} step {until}"]) + "\n"


def total(terms):
    return " + ".join(terms) or "0"


def bodies(draw):
    """Many bodies that attract each other by powers of their distances, some of them planets, some of equal masses."""
    count, axes = draw.randint(2, 7), draw.choice(["xy", "xyz"])
    exponent = draw.choice(["-1/2", "-1/2", "-1/2", "-1", "-3/4", "-1/4"])
    is_solar = draw.random() < 0.6
    masses = [1.0] + draw.numbers(count - 1, 0.001, 0.05) if is_solar else draw.numbers(count, 0.5, 1.5)
    start = {}
    for i in range(count):
        radius = (0 if i == 0 else 0.8 + 0.7 * i) if is_solar else 1.5
        angle = draw.uniform(0, 2 * math.pi) if is_solar else 2 * math.pi * i / count + draw.uniform(-0.2, 0.2)
        speed = (0 if i == 0 else radius ** -0.5) if is_solar else 0.6 * math.sqrt(count) * draw.uniform(0.7, 1)
        place = [radius * math.cos(angle), radius * math.sin(angle), draw.uniform(-0.2, 0.2)]
        motion = [-speed * math.sin(angle), speed * math.cos(angle), draw.uniform(-0.1, 0.1)]
        for axis, x, v in zip(axes, place, motion):
            start[f"{axis}{i}"], start[f"{axis}{i}'"] = round(x, 4), round(v, 4)
    kinetic = total(f"{m}/2*({total(f'{a}{i}' + chr(39) + '^2' for a in axes)})" for i, m in enumerate(masses))
    strength = {"-1/2": 1, "-1": 0.5, "-3/4": 0.7, "-1/4": 1.5}[exponent]
    pairs = [(i, j) for i in range(count) for j in range(i)]
    potential = total(f"{-strength * masses[i] * masses[j]:.6f}*({total(f'({a}{i} - {a}{j})^2' for a in axes)})^({exponent})"
                      for i, j in pairs)
    names = ", ".join(f"{a}{i}" for i in range(count) for a in axes)
    statements = [f"coord {names}", f"kinetic {kinetic}", f"potential {potential}"]
    return model("bodies", statements, draw.choice([10, 20, 40]), start)


def chain(draw):
    """Masses on a line with polynomial, exponential or Morse springs."""
    count, kind = draw.randint(3, 40), draw.choice(["cubic", "quartic", "both", "toda", "morse"])
    is_ring = draw.random() < 0.4
    q = [f"q{i}" for i in range(1, count + 1)]
    ends = list(zip(q, q[1:] + q[:1])) if is_ring else list(zip(["0"] + q, q + ["0"]))
    a, b = draw.number(0.1, 0.4), draw.number(0.05, 0.4)
    spring = {
        "cubic": lambda d: f"({d})^2/2 + {a}*({d})^3/3",
        "quartic": lambda d: f"({d})^2/2 + {b}*({d})^4/4",
        "both": lambda d: f"({d})^2/2 + {a}*({d})^3/3 + {b}*({d})^4/4",
        "toda": lambda d: f"exp(-({d})) + ({d})",
        "morse": lambda d: f"(1 - exp(-({d})))^2",
    }[kind]
    masses = [1] * count if draw.random() < 0.6 else draw.numbers(count, 0.5, 2)
    kinetic = total(f"{m}/2*{x}'^2" for m, x in zip(masses, q))
    potential = total(spring(f"{y} - {x}") for x, y in ends)
    size = 0.25 if kind in ("cubic", "morse") else 0.8
    start = {f"{x}'": draw.number(-size, size) for x in q} | {x: draw.number(-size / 2, size / 2) for x in q}
    return model("chain", [f"coord {', '.join(q)}", f"kinetic {kinetic}", f"potential {potential}"],
                 draw.choice([10, 30, 60]), start)


def links(draw):
    """A planar pendulum of several links, on a cart or not, some with springs or friction in their joints."""
    count, has_cart = draw.randint(1, 6), draw.random() < 0.5
    angles = [f"a{i}" for i in range(count)]
    lines = (["coord x"] if has_cart else []) + [f"coord {', '.join(angles)} : angle"]
    masses, lengths = draw.numbers(count, 0.5, 1.5), draw.numbers(count, 0.5, 1.2)
    east, north = "x" if has_cart else "0", "0"
    for i, (angle, length) in enumerate(zip(angles, lengths)):
        lines += [f"let X{i} = {east} + {length}*sin({angle})", f"let Y{i} = {north} - {length}*cos({angle})"]
        east, north = f"X{i}", f"Y{i}"
    kinetic = total(f"{m}/2*(X{i}'^2 + Y{i}'^2)" for i, m in enumerate(masses))
    lines.append(f"kinetic {kinetic}" + (f" + {draw.number(1, 3)}/2*x'^2" if has_cart else ""))
    springs = f" + {draw.number(0.5, 3)}*(a0 - a{count - 1})^2" if draw.random() < 0.3 else ""
    lines.append(f"potential {total(f'{9.81 * m:.4f}*Y{i}' for i, m in enumerate(masses))}{springs}")
    if draw.random() < 0.3:
        lines.append(f"force (a0: -{draw.number(0.05, 0.4)}*a0')")
    start = {a: draw.number(-1.2, 1.2) for a in angles} | {f"{a}'": draw.number(-1, 1) for a in angles}
    return model("links", lines, draw.choice([3, 5, 10]), start)


def spherical(draw):
    """Spherical pendulums in angles, one upon the other, or an elastic one in space."""
    if draw.random() < 0.4:
        k, length = draw.number(5, 40), draw.number(0.6, 1.2)
        lines = ["coord x, y, z", "kinetic (x'^2 + y'^2 + z'^2)/2",
                 f"potential 9.81*z + {k}/2*(sqrt(x^2 + y^2 + z^2) - {length})^2"]
        start = {"x": draw.number(0.2, 0.6), "y": draw.number(-0.3, 0.3), "z": -length,
                 "x'": draw.number(-1, 1), "y'": draw.number(-1, 1)}
        return model("elastic", lines, draw.choice([5, 10, 20]), start)
    count = draw.randint(1, 2)
    lines = [f"coord {', '.join(f'a{i}, b{i}' for i in range(count))} : angle"]
    place = ["0", "0", "0"]
    for i in range(count):
        steps = [f"sin(a{i})*cos(b{i})", f"sin(a{i})*sin(b{i})", f"-cos(a{i})"]
        lines.append(f"let P{i} = [{', '.join(f'{p} + {s}' for p, s in zip(place, steps))}]")
        place = [f"P{i}[{k}]" for k in (1, 2, 3)]
    masses = draw.numbers(count, 0.5, 1.5)
    lines.append(f"kinetic {total(f'{m}/2*norm2(P{i}{chr(39)})' for i, m in enumerate(masses))}")
    lines.append(f"potential {total(f'{9.81 * m:.4f}*P{i}[3]' for i, m in enumerate(masses))}")
    start = {}
    for i in range(count):
        start |= {f"a{i}": draw.number(0.6, 1.4), f"b{i}": draw.number(0, 3),
                  f"a{i}'": draw.number(-0.5, 0.5), f"b{i}'": draw.number(1.5, 3)}
    return model("spherical", lines, draw.choice([5, 10]), start)


def body(draw):
    """Rigid bodies on groups: free, heavy, in a field, as rotations, quaternions or motions of space."""
    group = draw.choice(["SO(3)", "SO(3)", "SU(2)", "SE(3)", "SE(2)"])
    i = sorted(draw.numbers(3, 0.6, 1.4))
    w = draw.numbers(3, -2, 2)
    if group == "SE(2)":
        lines = ["group g : SE(2) velocity v", f"kinetic {i[0]}/2*v[1]^2 + {i[1]}/2*v[2]^2 + {i[2]}/2*v[3]^2"]
        start = {"v": f"[{w[0]}, {w[1]}, {w[2]}]"}
        return model("planar", lines, 20, start)
    if group == "SE(3)":
        p = draw.numbers(3, -1, 1)
        lines = ["group g : SE(3) velocity v",
                 f"kinetic {i[0]}/2*v[1]^2 + {i[1]}/2*v[2]^2 + {i[2]}/2*v[3]^2 + (v[4]^2 + {1 + i[0]}*v[5]^2 + v[6]^2)/2"]
        start = {"v": f"[{', '.join(map(str, w + p))}]"}
        return model("vehicle", lines, draw.choice([5, 10]), start)
    inertia = f"{i[0]}/2*w[1]^2 + {i[1]}/2*w[2]^2 + {i[2]}/2*w[3]^2"
    k = draw.number(0.3, 2)
    third = "R[3,3]" if group == "SO(3)" else "(g[1]^2 - g[2]^2 - g[3]^2 + g[4]^2)"
    name = "R" if group == "SO(3)" else "g"
    lines = [f"group {name} : {group} velocity w", f"kinetic {inertia}"]
    if draw.random() < 0.8:
        lines.append(f"potential {k}*{third}" + (f" + {draw.number(0.1, 0.5)}*{third}^2" if draw.random() < 0.3 else ""))
    start = {"w": f"[{', '.join(map(str, w))}]"}
    if group == "SO(3)":
        start["R"] = f"rotation([1, 0, 0], {draw.number(0.2, 1.2)})"
    return model("body", lines, draw.choice([10, 20]), start)


def rolling(draw):
    """Disks, balls, sleighs and carriages that do not slip."""
    kind = draw.choice(["disk", "sleigh", "coin", "ball", "skate"])
    m, j, r = draw.number(0.5, 2), draw.number(0.2, 1), draw.number(0.3, 1)
    if kind == "disk":
        lines = [f"param m = {m}, R = {r}, Id = m*R^2/4, Ia = m*R^2/2, g = 9.81", "coord x, y",
                 "coord phi, theta, psi : angle",
                 "let C = [x + R*sin(theta)*sin(phi), y - R*sin(theta)*cos(phi), R*cos(theta)]",
                 "kinetic m/2*norm2(C') + Id/2*(theta'^2 + cos(theta)^2*phi'^2) + Ia/2*(psi' + sin(theta)*phi')^2",
                 "potential m*g*R*cos(theta)", "constraint x' = R*cos(phi)*psi'", "constraint y' = R*sin(phi)*psi'"]
        start = {"theta": draw.number(-0.3, 0.3), "phi'": draw.number(0.2, 1), "psi'": draw.number(5, 9) / r}
        return model("disk", lines, draw.choice([3, 6]), start)
    if kind == "sleigh":
        lines = [f"param m = {m}, J = {j}, a = {draw.number(0.1, 0.5)}", "coord x, y", "coord theta : angle",
                 "let X = x + a*cos(theta)", "let Y = y + a*sin(theta)", "kinetic m/2*(X'^2 + Y'^2) + J/2*theta'^2",
                 "constraint sin(theta)*x' = cos(theta)*y'"]
        if draw.random() < 0.5:
            lines.append(f"potential {draw.number(0.2, 2)}*x")
        start = {"theta'": draw.number(0.5, 3), "x'": draw.number(0.5, 2)}
        return model("sleigh", lines, draw.choice([10, 30]), start)
    if kind == "coin":
        lines = [f"param m = {m}, I = {j}, J = {j / 2}, R = {r}", "coord x, y", "coord theta, phi : angle",
                 "kinetic m/2*(x'^2 + y'^2) + I/2*theta'^2 + J/2*phi'^2",
                 f"potential {draw.number(0.5, 3)}*(x + {draw.number(0, 1)}*cos(phi))",
                 "constraint x' = R*cos(phi)*theta'", "constraint y' = R*sin(phi)*theta'"]
        start = {"theta'": draw.number(0.5, 3), "phi'": draw.number(0.5, 2)}
        return model("coin", lines, 10, start)
    if kind == "ball":
        lines = [f"param m = {m}, R = {r}", f"param I = diag({', '.join(map(str, draw.numbers(3, 0.2, 0.6)))})",
                 "coord x, y", "group A : SO(3) velocity w", "let W = A*w",
                 "kinetic m/2*(x'^2 + y'^2) + dot(w, I*w)/2",
                 "constraint x' = R*W[2]", "constraint y' = -R*W[1]"]
        start = {"w": f"[{', '.join(map(str, draw.numbers(3, -2, 2)))}]"}
        return model("ball", lines, 10, start)
    lines = [f"param m = {m}, J = {j}, g = {draw.number(1, 9)}", "coord x, y", "coord phi : angle",
             "kinetic m/2*(x'^2 + y'^2) + J/2*phi'^2", "potential -m*g*x", "constraint sin(phi)*x' = cos(phi)*y'"]
    return model("skate", lines, 10, {"phi'": draw.number(0.5, 3), "x'": draw.number(0, 1)})


def magnetic(draw):
    """Charges in magnetic fields: bottles, dipoles, tori, with and without electric forces."""
    kind = draw.choice(["bottle", "dipole", "plane"])
    b = draw.number(2, 8)
    speed = draw.numbers(3, -0.6, 0.6)
    start = {f"{x}'": v for x, v in zip("xyz", speed)}
    if kind == "plane":
        lines = ["coord x, y", f"lagrangian (x'^2 + y'^2)/2 + {b}/2*(1 + {draw.number(0.1, 0.4)}*x)*(x*y' - y*x')"
                 f" - {draw.number(0.1, 1)}*x^2"]
        del start["z'"]
        return model("plane", lines, draw.choice([20, 40]), start | {"x": 0.5})
    if kind == "bottle":
        lines = ["coord x, y, z", f"lagrangian (x'^2 + y'^2 + z'^2)/2 + {b}/2*(1 + {draw.number(0.2, 1)}*z^2)*(x*y' - y*x')"]
        return model("bottle", lines, draw.choice([10, 30]), start | {"x": draw.number(0.2, 0.6)})
    lines = ["coord x, y, z", f"lagrangian (x'^2 + y'^2 + z'^2)/2 + {b}*(x*y' - y*x')*(x^2 + y^2 + z^2)^(-3/2)"]
    return model("dipole", lines, draw.choice([5, 15]), start | {"x": draw.number(0.9, 1.4)})


def wells(draw):
    """Few degrees of freedom in polynomial or trigonometric wells, over many periods."""
    kind = draw.choice(["henon", "wells", "lattice"])
    start = {"x": draw.number(-0.3, 0.3), "y": draw.number(-0.3, 0.3), "x'": draw.number(-0.3, 0.3), "y'": draw.number(-0.3, 0.3)}
    potential = {
        "henon": f"(x^2 + y^2)/2 + x^2*y - {draw.number(0.2, 0.4)}*y^3",
        "wells": f"(x^2 + {draw.number(1, 3)}*y^2)/2 + {draw.number(0.1, 0.5)}*x^2*y^2 + x^4/4",
        "lattice": f"-cos(x) - {draw.number(0.5, 2)}*cos(y) - {draw.number(0.1, 0.5)}*cos(x - y)",
    }[kind]
    lines = ["coord x, y", "kinetic (x'^2 + y'^2)/2", f"potential {potential}"]
    return model("wells", lines, draw.choice([50, 200, 1000]), start)


def stiff(draw):
    """Motions that decay much faster than they go on."""
    kind = draw.choice(["relaxation", "damped", "reaction"])
    rate = draw.choice([100, 300, 1000])
    if kind == "relaxation":
        lines = ["coord x", "kinetic x'^2/2", "potential x^2/2", f"force (x: {rate}*(1 - x^2)*x')"]
        return model("relaxation", lines, round(1.2 * rate), {"x": 2})
    if kind == "damped":
        lines = ["coord x, y", "kinetic (x'^2 + y'^2)/2", f"potential (x^2 + y^2)/2 + {draw.number(0.1, 0.5)}*x^2*y^2",
                 f"force (x: -{rate}*x', y: -{draw.number(0.1, 1)}*y')"]
        return model("damped", lines, 20, {"x": 1, "y": 1})
    k = draw.number(0.02, 0.06)
    lines = ["state a, b, c", f"rate a' = -{k}*a + {rate * 10}*b*c", f"rate b' = {k}*a - {rate * 10}*b*c - {rate * 3e4:.1f}*b^2",
             f"rate c' = {rate * 3e4:.1f}*b^2"]
    return model("reaction", lines, 40, {"a": 1})


def law(draw, position, rate=None):
    """Feedback that holds a position, or a signal in time, or both."""
    rate = rate or f"{position}'"
    hold = f"-{draw.number(1, 6)}*{position} - {draw.number(0.5, 3)}*{rate}"
    signal = f"{draw.number(0.3, 2)}*{draw.choice(['sin', 'cos'])}({draw.number(0.5, 4)}*t)"
    return draw.choice([hold, signal, f"{hold} + {signal}"])


def driven(draw):
    """Models with controls and the laws that drive them: carts, arms, wheels, bodies, controllers with a memory."""
    kind = draw.choice(["cart", "arm", "sleigh", "body", "servo"])
    m, j = draw.number(0.5, 2), draw.number(0.2, 1)
    if kind == "cart":
        lines = [f"param m = {m}, M = {draw.number(1, 3)}, l = {draw.number(0.5, 1.2)}", "coord x", "coord th : angle",
                 "kinetic M/2*x'^2 + m/2*(x'^2 + 2*l*cos(th)*x'*th' + l^2*th'^2)", "potential -9.81*m*l*cos(th)",
                 "control u on x", f"input u = {law(draw, 'x')}"]
        return model("cart", lines, draw.choice([5, 10]), {"th": draw.number(-1, 1), "x'": draw.number(-1, 1)})
    if kind == "arm":
        count = draw.randint(2, 4)
        angles = [f"a{i}" for i in range(count)]
        lines, east, north = [f"coord {', '.join(angles)} : angle"], "0", "0"
        for i, angle in enumerate(angles):
            lines += [f"let X{i} = {east} + {draw.number(0.5, 1)}*sin({angle})", f"let Y{i} = {north} - {draw.number(0.5, 1)}*cos({angle})"]
            east, north = f"X{i}", f"Y{i}"
        lines.append(f"kinetic {total(f'(X{i}{chr(39)}^2 + Y{i}{chr(39)}^2)/2' for i in range(count))}")
        lines.append(f"potential {total(f'9.81*Y{i}' for i in range(count))}")
        for i, angle in enumerate(angles):
            lines += [f"control u{i} on {angle}", f"input u{i} = {law(draw, angle)}"]
        return model("arm", lines, draw.choice([3, 5]), {a: draw.number(-1, 1) for a in angles})
    if kind == "sleigh":
        speed = "(cos(th)*x' + sin(th)*y')"
        lines = [f"param m = {m}, J = {j}, a = {draw.number(0.1, 0.5)}", "coord x, y", "coord th : angle",
                 "let X = x + a*cos(th)", "let Y = y + a*sin(th)", "kinetic m/2*(X'^2 + Y'^2) + J/2*th'^2",
                 "constraint sin(th)*x' = cos(th)*y'", "control thrust on (x: cos(th), y: sin(th))", "control turn on th",
                 f"input thrust = {law(draw, 'x*cos(th)', speed)}",
                 f"input turn = {law(draw, 'th')}"]
        return model("sleigh", lines, draw.choice([10, 20]), {"th'": draw.number(0.5, 2), "x'": draw.number(0.5, 2)})
    if kind == "body":
        i = sorted(draw.numbers(3, 0.6, 1.4))
        lines = ["group R : SO(3) velocity w", f"kinetic {i[0]}/2*w[1]^2 + {i[1]}/2*w[2]^2 + {i[2]}/2*w[3]^2",
                 "control u on (w[1]: 1)", "control v on (w[3]: 1)",
                 f"input u = {law(draw, 'R[3,2]', 'w[1]')}", f"input v = {law(draw, 'R[2,1]', 'w[3]')}"]
        return model("body", lines, 10, {"w": f"[{', '.join(map(str, draw.numbers(3, -2, 2)))}]"})
    lines = [f"param m = {m}", "coord x", "state z, f", "kinetic m/2*x'^2", f"potential {draw.number(0.5, 2)}*x^4/4",
             "control u", f"input u = -{draw.number(2, 5)}*x - {draw.number(1, 3)}*x' - {draw.number(0.2, 0.6)}*z",
             "rate z' = x - sin(t)", f"rate f' = {draw.number(2, 8)}*(u - f)", "force (x: f)"]
    return model("servo", lines, draw.choice([10, 20]), {"x": draw.number(-1, 1)})


CLASSES = [bodies, chain, links, spherical, body, rolling, magnetic, wells, stiff, driven]


def main():
    seed, count, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    classes = []
    for k in range(int(count)):
        drawn = CLASSES[k % len(CLASSES)]
        (folder / f"{k}.mech").write_text(drawn(Draw(f"{seed}/{k}")))
        classes.append(drawn.__name__)
    print(json.dumps(classes))


main()
