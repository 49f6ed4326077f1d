"""Measures one rival on one motion and prints one line of JSON about it.

usage: python scripts/peers/simulate.py TOOL PROBLEM DATA

DATA is {"start": [...], "until": T, "reference": [...]} as our side has them. Tools:
heyoka, heyoka-compact, numbalsoda, gcc-rk4: work and precision, as points [tolerance, error,
seconds, steps, seconds of compilation];
heyoka-rates, gcc-rates, gcc-same: nanoseconds of one right-hand side in a loop, seconds of compilation
(gcc-rates: the formulas of motions.py; gcc-same: the program that we compile);
heyoka-stepper, heyoka-compact-stepper: seconds of compilation of the stepper for full precision.
"""

import json
import sys

from timing import clock, error, per_call

import numpy as np

TOLERANCES = [10 ** (-k / 2) for k in range(8, 30)]
FULL = 2.3e-16


def follow_heyoka(compact):
    import heyoka_tool as tool
    tool.warm_up()
    steppers, points = tool.Steppers(problem, start, compact), []
    for tolerance in TOLERANCES + [FULL]:
        stepper, setup = steppers.at(tolerance)

        def go():
            stepper.time = 0.0
            stepper.state[:] = start
            return stepper.propagate_until(until)[3]
        steps = go()
        end = list(stepper.state)
        points.append([tolerance, error(end, reference), per_call(go), int(steps), setup])
    return {"version": tool.VERSION, "points": points}


def heyoka_stepper(compact):
    import heyoka_tool as tool
    tool.warm_up()
    steppers = tool.Steppers(problem, start, compact)
    return {"version": tool.VERSION, "compile_s": steppers.at(FULL)[1]}


def heyoka_rates():
    import heyoka as hy
    import heyoka_tool as tool
    tool.warm_up()
    variables, rates = zip(*tool.system(problem, len(start)))
    begun = clock()
    function = hy.cfunc(list(rates), vars=list(variables))
    compiled = clock() - begun
    best = float("inf")
    # Small enough for the cache, large enough to forget the call: the best counts.
    for states in (400, 1600, 6400, 25600):
        x = np.ascontiguousarray(spread(states).T)
        rates, time = np.empty_like(x), np.full(states, 0.1)
        is_timed = function.is_time_dependent
        go = (lambda: function(x, outputs=rates, time=time)) if is_timed else (lambda: function(x, outputs=rates))
        best = min(best, per_call(go) / states)
    return {"version": tool.VERSION, "compile_s": compiled, "batch_ns": best * 1e9}


def follow_numbalsoda():
    import numba_tool as tool
    tool.warm_up()
    rates, setup = tool.compiled(problem, len(start))
    x, times, points = np.array(start), np.array([0.0, until]), []
    for tolerance in TOLERANCES:
        def go():
            return tool.dop853(rates.address, x, times, rtol=tolerance, atol=tolerance, mxstep=10 ** 7)
        states, ok = go()
        if ok:
            points.append([tolerance, error(states[-1], reference), per_call(go), 0, setup])
    return {"version": tool.VERSION, "points": points}


def follow_gcc():
    import ctypes
    import gcc_tool as tool
    library, setup = tool.compiled(problem, len(start))
    points = []
    for k in range(4, 13):
        steps = int(10 ** (k / 2))
        x = np.empty(len(start))

        def go():
            x[:] = start
            library.follow(ctypes.c_void_p(x.ctypes.data), ctypes.c_double(until), ctypes.c_long(steps))
        go()
        end = list(x)
        points.append([until / steps, error(end, reference), per_call(go), steps, setup])
    return {"version": tool.version(), "points": [p for p in points if p[1] == p[1]]}


def gcc_rates(exported=None):
    import ctypes
    import gcc_tool as tool
    library, setup = tool.compiled(problem, len(start), exported)
    x = spread(64)
    d, rounds = np.empty_like(x), 100
    x_at, d_at = (ctypes.c_void_p(a.ctypes.data) for a in (x, d))
    # The time is an argument: gcc would work out what depends on a constant.
    time, states, often = ctypes.c_double(0.1), ctypes.c_long(64), ctypes.c_long(rounds)
    go = lambda: library.evaluate(time, x_at, d_at, states, often)  # noqa: E731
    return {"version": tool.version(), "compile_s": setup, "rhs_ns": per_call(go) / (64 * rounds) * 1e9}


def spread(states):
    """States close to the start, one per row."""
    return np.array(start) + 1e-4 * np.arange(states)[:, None] / states


TOOLS = {
    "heyoka": lambda: follow_heyoka(False),
    "heyoka-compact": lambda: follow_heyoka(True),
    "heyoka-stepper": lambda: heyoka_stepper(False),
    "heyoka-compact-stepper": lambda: heyoka_stepper(True),
    "heyoka-rates": heyoka_rates,
    "numbalsoda": follow_numbalsoda,
    "gcc-rk4": follow_gcc,
    "gcc-rates": gcc_rates,
    "gcc-same": lambda: gcc_rates(given["source"]),
}

tool_name, problem, data = sys.argv[1:]
given = json.loads(data)
start, until, reference = (given[key] for key in ("start", "until", "reference"))
print(json.dumps(TOOLS[tool_name]()))
