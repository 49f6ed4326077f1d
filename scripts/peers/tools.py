"""The rivals: each derives M, F (and A, A' q') from a Lagrangian and makes them evaluable.

A tool is a function (n, lagrangian, mark) -> (solve, version). It calls `mark("derive")` when the
equations exist as expressions and `mark("evaluable")` when they can be called; `solve(z)` gives M, F,
A and b at a state z = (q, q'), or the accelerations themselves.
"""

import numpy as np


def sympy(n, lagrangian, mark):
    import sympy as sm
    from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols
    q = dynamicsymbols(f"q0:{n}")
    v = [x.diff(dynamicsymbols._t) for x in q]
    mark("start")
    total, rows = lagrangian(q, v, sm)
    constraints = [sum(a * x for a, x in zip(row, v)) for row in rows] or None
    method = LagrangesMethod(total, q, nonhol_coneqs=constraints)
    method.form_lagranges_equations()
    matrix, forcing = method.mass_matrix_full, method.forcing_full
    mark("derive")
    z = sm.symbols(f"z0:{2 * n}")
    steps = dict(zip(v, z[n:])), dict(zip(q, z[:n]))
    for table in steps:
        matrix, forcing = matrix.xreplace(table), forcing.xreplace(table)
    evaluate = sm.lambdify([z], [matrix, forcing], cse=True)
    mark("evaluable")

    def solve(state):
        m, f = evaluate(state)
        return np.linalg.solve(np.array(m, float), np.array(f, float).ravel())[n:2 * n]
    return solve, sm.__version__


def symengine(n, lagrangian, mark):
    import symengine as se
    q, v = ([se.Symbol(f"{letter}{i}") for i in range(n)] for letter in "qv")
    mark("start")
    total, rows = lagrangian(q, v, se)
    momenta = [se.diff(total, x) for x in v]
    mass = [se.diff(p, x) for p in momenta for x in v]
    force = [se.diff(total, q[i]) - sum(se.diff(momenta[i], q[j]) * v[j] for j in range(n)) for i in range(n)]
    rows = [[se.sympify(a) for a in row] for row in rows]
    drift = [-sum(se.diff(a, q[j]) * v[j] * v[i] for i, a in enumerate(row) for j in range(n)) for row in rows]
    mark("derive")
    evaluate = se.Lambdify(q + v, mass + force + [a for row in rows for a in row] + drift, cse=True)
    mark("evaluable")

    def solve(state):
        values, m = np.array(evaluate(state)), len(rows)
        mass, force, forms, drift = np.split(values, np.cumsum([n * n, n, m * n]))
        return bordered(mass.reshape(n, n), force, forms.reshape(m, n), drift)
    return solve, se.__version__


def casadi(n, lagrangian, mark):
    import casadi as ca
    q, v = ca.SX.sym("q", n), ca.SX.sym("v", n)
    mark("start")
    total, rows = lagrangian(ca.vertsplit(q), ca.vertsplit(v), ca)
    momenta = ca.gradient(total, v)
    mass = ca.jacobian(momenta, v)
    force = ca.gradient(total, q) - ca.jtimes(momenta, q, v)
    forms = ca.vertcat(*[ca.horzcat(*row) for row in rows]) if rows else ca.SX.zeros(0, n)
    drift = -ca.jtimes(forms @ v, q, v) if rows else ca.SX.zeros(0)
    mark("derive")
    evaluate = ca.Function("equations", [q, v], [mass, force, forms, drift], {"cse": True})
    mark("evaluable")

    def solve(state):
        mass, force, forms, drift = (np.array(x) for x in evaluate(state[:n], state[n:]))
        return bordered(mass, force.ravel(), forms.reshape(-1, n), drift.ravel())
    return solve, ca.CasadiMeta.version()


def heyoka(n, lagrangian, mark):
    import heyoka as hy
    # What an earlier process compiled would be found there in no time.
    hy.llvm_state.set_diskcache_enabled(False)
    q, v = ([hy.expression(f"{letter}{i}") for i in range(n)] for letter in "qv")
    mark("start")
    total, rows = lagrangian(q, v, hy)
    if rows:
        raise SystemExit("no constraints")
    system = hy.lagrangian(total, q, v)
    mark("derive")
    evaluate = hy.cfunc([rate for _, rate in system], vars=q + v)
    mark("evaluable")
    return (lambda state: evaluate(state)[n:]), hy.__version__


def bordered(mass, force, forms, drift):
    """Accelerations of M a = F + A^T lambda, A a = b."""
    m = len(forms)
    matrix = np.block([[mass, -forms.T], [forms, np.zeros((m, m))]])
    return np.linalg.solve(matrix, np.concatenate([force, drift]))[:len(force)]


TOOLS = {f.__name__: f for f in (sympy, symengine, casadi, heyoka)}
