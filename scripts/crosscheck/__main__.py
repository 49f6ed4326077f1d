"""Compares the program with SymPy: accelerations, multipliers and energy at random states.

usage: python scripts/crosscheck PROGRAM

Every shipped model on coordinates whose Lagrangian has first derivatives only is read from its text,
derived by LagrangesMethod, and compared with `PROGRAM derive --json` at its start state and at random
states. Some are compared with KanesMethod too.
"""

import json
import pathlib
import random
import subprocess
import sys

import mpmath

from kane import BUILDERS, Kane
from lagrange import Lagrange
from mech import Unsupported, read
from state import random_state

STATES = 3
TOLERANCE = 1e-9
MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
# Fewer than this many means that the reader went blind.
AT_LEAST = 12


def derive(program, path, form, settings):
    """`at_start` of the program's JSON, with start values set by name."""
    options = [word for name, value in settings.items() for word in ("--set", f"{name}={mpmath.nstr(value, 25)}")]
    command = [program, "derive", str(path), "--json", "--form", form, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{path.name}: the program failed at {settings}:\n{done.stderr}")
    return json.loads(done.stdout)["at_start"]


def differences(ours, names, accelerations, multipliers=(), energy=None):
    """Pairs (what, relative difference) between the program's values and SymPy's."""
    pairs = [(f"{name}''", ours["rates"][name + "'"], value) for name, value in zip(names, accelerations)]
    pairs += [(f"lambda{i}", ours["multipliers"][f"lambda{i}"], value) for i, value in enumerate(multipliers, 1)]
    if energy is not None:
        pairs.append(("energy", ours["energy"], energy))
    return [(what, float(abs(mine - value) / (1 + abs(value)))) for what, mine, value in pairs]


def compare(program, path):
    """All differences for one model, state by state."""
    model = read(path.read_text())
    equations = Lagrange(model)
    kane = Kane(model, BUILDERS[path.stem]) if path.stem in BUILDERS else None
    names = [str(q.func) for q in model.coordinates]
    generator = random.Random(path.stem)
    form = "lagrange-dalembert" if model.constraints else "euler-lagrange"
    start = derive(program, path, form, {})["state"]
    if equations.is_first_order:
        return compare_first_order(program, path, form, equations, names, start, generator)
    found = []
    for k in range(STATES + 1):
        settings = {}
        if k > 0:
            q, v = random_state(equations, [start[n] for n in names], [start[n + "'"] for n in names], generator)
            settings = dict(zip(names, q)) | {n + "'": x for n, x in zip(names, v)}
        ours = derive(program, path, form, settings)
        q = [mpmath.mpf(ours["state"][n]) for n in names]
        v = [mpmath.mpf(ours["state"][n + "'"]) for n in names]
        for name, value in settings.items():
            found.append((f"start {name}", float(abs(ours["state"][name] - value))))
        found += differences(ours, names, *equations.at(q, v))
        if kane:
            found += [("Kane " + what, d) for what, d in differences(ours, names, kane.at(q, v))]
    return found


def compare_first_order(program, path, form, equations, names, start, generator):
    """All differences for a model whose state is its positions."""
    found = []
    for k in range(STATES + 1):
        near = lambda x: mpmath.mpf(x) + (mpmath.mpf(generator.uniform(-0.2, 0.2)) if k > 0 else 0)
        settings = {n: near(start[n]) for n in names}
        ours = derive(program, path, form, settings)
        v, energy = equations.velocities(list(settings.values()))
        pairs = [(n + "'", ours["rates"][n], value) for n, value in zip(names, v)]
        pairs.append(("energy", ours["energy"], energy))
        found += [(what, float(abs(mine - value) / (1 + abs(value)))) for what, mine, value in pairs]
    return found


def main(program):
    mpmath.mp.dps = 30
    models, failures = 0, 0
    for path in sorted(MODELS.glob("*.mech")):
        try:
            found = compare(program, path)
        except Unsupported:
            continue
        models += 1
        what, worst = max(found, key=lambda pair: pair[1])
        verdict = "ok" if worst < TOLERANCE else "DIFFERS"
        failures += worst >= TOLERANCE
        method = "LagrangesMethod, KanesMethod" if path.stem in BUILDERS else "LagrangesMethod"
        print(f"{verdict:>8} {path.stem:24} {method:30} {len(found):4} values, largest difference {worst:.1e} ({what})", flush=True)
    print(f"compared {models * (STATES + 1)} states of {models} models")
    if models < AT_LEAST:
        raise SystemExit(f"only {models} models could be read")
    if failures:
        raise SystemExit(f"{failures} models differ from SymPy")


main(sys.argv[1])
