"""Accelerations, multipliers and energy by SymPy's LagrangesMethod."""

import mpmath
import sympy as sm
from sympy.physics.mechanics import LagrangesMethod

from mech import TIME


class Lagrange:
    """The bordered linear system of one model as numeric functions of (q, q')."""

    def __init__(self, model):
        self.model = model
        q, v = model.coordinates, model.velocities
        method = LagrangesMethod(model.lagrangian, q, nonhol_coneqs=model.constraints or None)
        residuals = method.form_lagranges_equations() - sm.Matrix([model.force.get(x, 0) for x in q])
        accelerations = [x.diff(TIME, 2) for x in q]
        # SymPy adds lambda_s A^s on the left-hand side, the model language on the right.
        multipliers = list(method.lam_vec) if model.constraints else []
        equations = sm.Matrix(list(residuals) + [c.diff(TIME) for c in model.constraints])
        unknowns = accelerations + multipliers
        plain = sm.symbols(f"z0:{len(unknowns)}")
        equations = equations.xreplace(dict(zip(unknowns, plain)))
        matrix = equations.jacobian(plain)
        rest = equations.xreplace(dict.fromkeys(plain, sm.Integer(0)))
        energy = sum(x * model.lagrangian.diff(x) for x in v) - model.lagrangian
        self.count = len(q)
        self.system = self.numeric([matrix, rest, energy])
        self.constraint_forms = self.numeric([sm.Matrix(model.constraints).jacobian(v), sm.Matrix(model.constraints)]) \
            if model.constraints else None
        self.position_forms = self.numeric([sm.Matrix(model.positions).jacobian(q), sm.Matrix(model.positions)]) \
            if model.positions else None

    def numeric(self, expressions):
        """A function of time, positions and velocities."""
        q, v = self.model.coordinates, self.model.velocities
        flat = [sm.Symbol(f"s{i}") for i in range(2 * len(q))]
        replace = [(v, flat[len(q):]), (q, flat[:len(q)]), ([TIME], [sm.Symbol("s")])]
        for old, new in replace:
            table = dict(zip(old, new))
            expressions = [sm.sympify(e).xreplace(table) for e in expressions]
        return sm.lambdify([sm.Symbol("s"), *flat], expressions, "mpmath", cse=True)

    def at(self, q, v):
        """Accelerations, multipliers and energy at time 0."""
        matrix, rest, energy = self.system(0, *q, *v)
        solution = mpmath.lu_solve(matrix, -rest)
        return list(solution[:self.count]), [-x for x in solution[self.count:]], energy

