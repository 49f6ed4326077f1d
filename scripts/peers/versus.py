"""Measures one rival on a drawn system and prints one line of JSON about it.

usage: python scripts/peers/versus.py TOOL DATA [FOLDER]

DATA is a file with {"start", "until", "names", "c", "python"} as our side writes it, later with "reference". Tools:
reference: the state at the end, from heyoka in extended precision;
heyoka, dop853, lsoda: one motion, as points [tolerance, error, seconds, steps, seconds of compilation];
heyoka-rates, gcc-rates: nanoseconds of a right-hand side;
crowd: writes FOLDER/starts and FOLDER/ends; heyoka-crowd, dop853-crowd: points of the whole crowd.
"""

import json
import pathlib
import sys
import types

from timing import clock, error, per_call

import numpy as np

TOLERANCES = [10 ** (-k / 2) for k in range(14, 25)]
MEMBERS, LANES = 400, 4
# Beyond this many operations heyoka compiles unrolled code for minutes.
UNROLLED = 300


def expressions():
    """The variables and rates of the exported program as heyoka has them."""
    import heyoka as hy
    hy.llvm_state.set_diskcache_enabled(False)
    count = [0]

    def function(name):
        def apply(*arguments):
            count[0] += 1
            return getattr(hy, name)(*[hy.expression(float(a)) if isinstance(a, (int, float)) else a for a in arguments])
        return apply

    def power(a, b):
        return a ** b
    names = "sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt".split()
    math = types.SimpleNamespace(**{name: function(name) for name in names}, pow=power, pi=3.141592653589793,
                                 inf=float("inf"), nan=float("nan"))
    text = given["python"].replace("import math\n", "")
    lines = text.split("\n")
    # Checks of pivots compare numbers, which expressions are not.
    kept = [line for i, line in enumerate(lines) if "if not abs(" not in line and "the equations are singular" not in line]
    names = {"math": math}
    exec("\n".join(kept), names)
    names["_solve"] = eliminate
    x = [hy.expression(f"x{i}") for i in range(len(start))]
    found = names["rates"](hy.time, names["State"](*x))
    rates = [r if isinstance(r, hy.expression) else hy.expression(float(r)) for r in found]
    return x, rates, sum(line.count("*") + line.count("/") for line in lines)


def eliminate(matrix, rhs):
    """Without exchanges, as for a definite matrix."""
    n = len(rhs)
    for k in range(n):
        for i in range(k + 1, n):
            factor = matrix[i][k] / matrix[k][k]
            for j in range(k + 1, n):
                matrix[i][j] = matrix[i][j] - factor * matrix[k][j]
            rhs[i] = rhs[i] - factor * rhs[k]
    for k in reversed(range(n)):
        for j in range(k + 1, n):
            rhs[k] = rhs[k] - matrix[k][j] * rhs[j]
        rhs[k] = rhs[k] / matrix[k][k]
    return rhs


def reference():
    import heyoka as hy
    x, rates, _ = expressions()
    state = np.array(start, dtype=np.longdouble)
    stepper = hy.taylor_adaptive(list(zip(x, rates)), state, tol=np.longdouble(1e-18), compact_mode=True,
                                 fp_type=np.longdouble)
    outcome = stepper.propagate_until(np.longdouble(until))[0]
    ok = outcome == hy.taylor_outcome.time_limit and np.all(np.isfinite(stepper.state))
    return {"reference": [float(v) for v in stepper.state] if ok else None}


def heyoka():
    import heyoka as hy
    x, rates, size = expressions()
    points = []
    for tolerance in TOLERANCES[::2]:
        begun = clock()
        stepper = hy.taylor_adaptive(list(zip(x, rates)), list(start), tol=tolerance, compact_mode=size > UNROLLED)
        setup = clock() - begun

        def go():
            stepper.time = 0.0
            stepper.state[:] = start
            return stepper.propagate_until(until)[3]
        steps = go()
        points.append([tolerance, error(list(stepper.state), given["reference"]), per_call(go), int(steps), setup])
    return {"points": points}


def dop853():
    from dop853 import Compiled
    library, points = Compiled(given["c"], len(start)), []
    for tolerance in TOLERANCES:
        go = lambda: library.follow(start, until, tolerance)  # noqa: E731
        end = go()
        if end is not None:
            points.append([tolerance, error(end, given["reference"]), per_call(go), 0, 0])
    return {"points": points}


def lsoda():
    """scipy's LSODA with its loop in Fortran, around the rates that gcc has compiled."""
    import ctypes
    from dop853 import Compiled
    from scipy.integrate import odeint
    library, points = Compiled(given["c"], len(start)).library, []
    d = np.empty(len(start))
    one = ctypes.c_long(1)
    place = ctypes.c_void_p(d.ctypes.data)

    def rates(t, x):
        library.evaluate(ctypes.c_double(t), ctypes.c_void_p(x.ctypes.data), place, one, one)
        return d
    for tolerance in TOLERANCES:
        def go():
            return odeint(rates, start, [0, until], tfirst=True, rtol=tolerance, atol=tolerance, mxstep=10 ** 6)
        end = go()[-1]
        points.append([tolerance, error(end, given["reference"]), per_call(go), 0, 0])
    return {"points": points}


def heyoka_rates():
    import heyoka as hy
    x, rates, _ = expressions()
    function = hy.cfunc(rates, vars=x)
    best = float("inf")
    for states in (64, 400, 1600, 6400):
        inputs = np.ascontiguousarray(spread(states).T)
        outputs, time = np.empty_like(inputs), np.full(states, 0.1)
        is_timed = function.is_time_dependent
        go = (lambda: function(inputs, outputs=outputs, time=time)) if is_timed else (lambda: function(inputs, outputs=outputs))
        best = min(best, per_call(go) / states)
    return {"batch_ns": best * 1e9}


def gcc_rates():
    import ctypes
    from dop853 import Compiled
    library, x, rounds = Compiled(given["c"], len(start)).library, spread(64), 50
    d = np.empty_like(x)
    x_at, d_at = (ctypes.c_void_p(a.ctypes.data) for a in (x, d))
    go = lambda: library.evaluate(ctypes.c_double(0.1), x_at, d_at, ctypes.c_long(64), ctypes.c_long(rounds))  # noqa: E731
    return {"rhs_ns": per_call(go) / (64 * rounds) * 1e9}


def spread(states):
    return np.array(start) + 1e-4 * np.arange(states)[:, None] / states


def batched(tolerance):
    """The states at the end of all members, and the seconds."""
    import heyoka as hy
    x, rates, size = expressions()
    starts = np.fromfile(folder / "starts").reshape(-1, len(start))
    stepper = hy.taylor_adaptive_batch(list(zip(x, rates)), np.repeat(np.array(start)[:, None], LANES, axis=1),
                                       tol=tolerance, compact_mode=size > UNROLLED)
    ends = np.empty_like(starts)
    begun = clock()
    for i in range(0, len(starts), LANES):
        stepper.set_time(0.0)
        stepper.state[:] = starts[i:i + LANES].T
        stepper.propagate_until(until)
        ends[i:i + LANES] = stepper.state.T
    return ends, clock() - begun


def crowd():
    """Members that differ in their last velocity."""
    starts = np.repeat(np.array(start)[None, :], MEMBERS, axis=0)
    starts[:, -1] += np.linspace(0.0, 0.05, MEMBERS)
    starts.tofile(folder / "starts")
    batched(2.3e-16)[0].tofile(folder / "ends")
    return {"members": MEMBERS}


def largest_error(found):
    ends = np.fromfile(folder / "ends").reshape(-1, len(start))
    return float(np.max(np.abs(found - ends) / (1 + np.abs(ends))))


def heyoka_crowd():
    points = []
    for tolerance in TOLERANCES[::2]:
        found, seconds = batched(tolerance)
        points.append([tolerance, largest_error(found), seconds, 0, 0])
    return {"points": points}


def dop853_crowd():
    from dop853 import Compiled
    library, points = Compiled(given["c"], len(start)), []
    starts = np.fromfile(folder / "starts").reshape(-1, len(start))
    for tolerance in TOLERANCES:
        begun = clock()
        found = [library.follow(x, until, tolerance) for x in starts]
        seconds = clock() - begun
        if all(x is not None for x in found):
            points.append([tolerance, largest_error(np.array(found)), seconds, 0, 0])
    return {"points": points}


tool, data, *rest = sys.argv[1:]
given = json.loads(pathlib.Path(data).read_text())
start, until = given["start"], given["until"]
folder = pathlib.Path(rest[0]) if rest else None
print(json.dumps(globals()[tool.replace("-", "_")]()))
