"""Linearises the chain of pendulums with one tool in a fresh process and prints one line of JSON about it.

usage: python scripts/peers/linearize.py TOOL LINKS [PROGRAM MODEL]

The torque acts on the first hinge. The state is the same for all: q_i = (-1)^i i/20, q_i' = i/30. What counts is processor
time from the Lagrangian to the numbers of A and B, without the imports of Python; ours is the whole process, with its
start, eigenvalues, controllability and output.
"""

import json
import os
import resource
import subprocess
import sys
import time

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import numpy as np  # noqa: E402  (after the thread counts are set)

from problems import PROBLEMS  # noqa: E402


def state(n):
    return [(-1) ** i * i / 20 for i in range(1, n + 1)], [i / 30 for i in range(1, n + 1)]


def sympy(n):
    """LagrangesMethod and its linearizer, the mass matrix inverted at the numbers."""
    import sympy as sm
    from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols
    time_symbol = dynamicsymbols._t
    begun = time.process_time()
    q, torque = dynamicsymbols(f"q0:{n}"), sm.Symbol("u")
    v = [x.diff(time_symbol) for x in q]
    total, _ = PROBLEMS["pendulum"](n)[1](q, v, sm)
    method = LagrangesMethod(total, q)
    method.form_lagranges_equations()
    at = dict(zip(v, state(n)[1])) | dict(zip(q, state(n)[0]))
    # The accelerations of the state are asked for by the linearizer.
    mass, forcing = (np.array(m.xreplace(at), float) for m in (method.mass_matrix, method.forcing))
    rest = np.linalg.solve(mass, forcing).ravel()
    at |= {x.diff(time_symbol): a for x, a in zip(v, rest)}
    m, a, _ = method.to_linearizer(q_ind=q, qd_ind=v).linearize(op_point=at, A_and_B=False)
    a = np.linalg.solve(np.array(m, float), np.array(a, float))
    return time.process_time() - begun, a, column(mass)


def casadi(n):
    """Jacobians of the residual M a - F at the numbers, then one solve: no inverse is formed."""
    import casadi as ca
    begun = time.process_time()
    q, v, a = (ca.SX.sym(letter, n) for letter in "qva")
    total, _ = PROBLEMS["pendulum"](n)[1](ca.vertsplit(q), ca.vertsplit(v), ca)
    momenta = ca.gradient(total, v)
    mass = ca.jacobian(momenta, v)
    force = ca.gradient(total, q) - ca.jtimes(momenta, q, v)
    residual = ca.mtimes(mass, a) - force
    equations = ca.Function("equations", [q, v], [mass, force], {"cse": True})
    slopes = ca.Function("slopes", [q, v, a], [ca.jacobian(residual, ca.vertcat(q, v))], {"cse": True})
    at = state(n)
    mass, force = (np.array(x) for x in equations(*at))
    rates = np.linalg.solve(mass, force)
    low = -np.linalg.solve(mass, np.array(slopes(*at, rates)))
    a = np.vstack([np.hstack([np.zeros((n, n)), np.eye(n)]), low])
    return time.process_time() - begun, a, column(mass)


def ours(n, program, model):
    """The program on a model file, start to end."""
    words = [program, "linearize", model, "--json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = sum(getattr(after, k) - getattr(before, k) for k in ("ru_utime", "ru_stime"))
    a, b = ([[entry["value"] for entry in row] for row in found[name]] for name in "AB")
    return spent, np.array(a), np.array(b).ravel()


def column(mass):
    """B: the torque on the first hinge."""
    n = len(mass)
    return np.concatenate([np.zeros(n), np.linalg.solve(mass, np.eye(n)[0])])


tool, size, *more = sys.argv[1:]
seconds, a, b = {"sympy": sympy, "casadi": casadi, "ours": ours}[tool](int(size), *more)
print(json.dumps({"seconds": seconds, "A": a.tolist(), "B": b.tolist()}))
