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
        # Linear in all velocities: the equations determine these, and accelerations do not occur.
        self.is_first_order = matrix.is_zero_matrix is True
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


    def velocities(self, q):
        """Velocities and energy where the equations J v + r = 0 are of first order, at time 0."""
        def rest(v):
            return mpmath.matrix(self.system(0, *q, *v)[1])
        still = rest([0] * self.count)
        unit = lambda i: [int(i == j) for j in range(self.count)]
        columns = [rest(unit(i)) - still for i in range(self.count)]
        slopes = mpmath.matrix(self.count, self.count)
        for j, column in enumerate(columns):
            for i in range(self.count):
                slopes[i, j] = column[i]
        v = list(mpmath.lu_solve(slopes, -still))
        return v, self.system(0, *q, *v)[2]
