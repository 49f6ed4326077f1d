"""Ten thousand motions of one system, on one thread: measures one rival, prints one line of JSON.

usage: python scripts/peers/ensemble.py TOOL PROBLEM START FOLDER

START is the start state as JSON. `prepare` writes the starts x0 (1 + 0.1 U) + 0.02 U of the members
and their states at the end, at full precision, to FOLDER/PROBLEM.start and .end (64-bit numbers,
member by member); heyoka and numbalsoda print points [tolerance, largest error, seconds].
"""

import json
import pathlib
import sys

from timing import clock

import numpy as np

MEMBERS, UNTIL, LANES = 10_000, 10.0, 4
TOLERANCES = [1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11]


def heyoka_ends(steppers, starts, tolerance):
    """The states at the end, and the seconds."""
    stepper, _ = steppers.at(tolerance)
    ends = np.empty_like(starts)
    begun = clock()
    for i in range(0, len(starts), LANES):
        stepper.set_time(0.0)
        stepper.state[:] = starts[i:i + LANES].T
        stepper.propagate_until(UNTIL)
        ends[i:i + LANES] = stepper.state.T
    return ends, clock() - begun


def prepare():
    import heyoka_tool as tool
    draw = np.random.default_rng(0).uniform
    shape = (MEMBERS, len(start))
    starts = start * (1 + 0.1 * draw(-1, 1, shape)) + 0.02 * draw(-1, 1, shape)
    ends, _ = heyoka_ends(tool.Steppers(problem, start, compact(), LANES), starts, 2.3e-16)
    starts.tofile(folder / f"{problem}.start")
    ends.tofile(folder / f"{problem}.end")
    return {"members": MEMBERS, "until": UNTIL}


def heyoka():
    import heyoka_tool as tool
    starts, ends = prepared()
    steppers = tool.Steppers(problem, start, compact(), LANES)
    points = []
    for tolerance in TOLERANCES:
        found, seconds = heyoka_ends(steppers, starts, tolerance)
        points.append([tolerance, largest_error(found, ends), seconds])
    return {"version": tool.VERSION, "points": points}


def compact():
    """Unrolled code for long chains is compiled for minutes."""
    return len(start) > 8


def numbalsoda():
    import numba as nb
    import numba_tool as tool
    starts, ends = prepared()
    address, dop853 = tool.compiled(problem, len(start))[0].address, tool.dop853
    times = np.array([0.0, UNTIL])

    @nb.njit
    def follow(starts, tolerance):
        found = np.empty_like(starts)
        for i in range(starts.shape[0]):
            states, _ = dop853(address, starts[i], times, rtol=tolerance, atol=tolerance)
            found[i] = states[-1]
        return found
    follow(starts[:2], 1e-6)
    points = []
    for tolerance in TOLERANCES:
        begun = clock()
        found = follow(starts, tolerance)
        points.append([tolerance, largest_error(found, ends), clock() - begun])
    return {"version": tool.VERSION, "points": points}


def prepared():
    return (np.fromfile(folder / f"{problem}.{what}").reshape(-1, len(start)) for what in ("start", "end"))


def largest_error(found, ends):
    return float(np.max(np.abs(found - ends) / (1 + np.abs(ends))))


tool_name, problem, data, folder = sys.argv[1:]
start, folder = np.array(json.loads(data)), pathlib.Path(folder)
print(json.dumps({"prepare": prepare, "heyoka": heyoka, "numbalsoda": numbalsoda}[tool_name]()))
