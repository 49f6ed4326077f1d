"""Random states near a given one that satisfy a model's constraints."""

import mpmath


def nearest(forms, start):
    """Moves `start` along the rows of `forms(x) = (rows, residuals)` until the residuals vanish."""
    x = mpmath.matrix(start)
    for _ in range(20):
        rows, residuals = forms(x)
        if mpmath.norm(residuals) < mpmath.mpf(10) ** (5 - mpmath.mp.dps):
            break
        x -= rows.T * mpmath.lu_solve(rows * rows.T, residuals)
    return list(x)


def random_state(equations, positions, velocities, generator):
    """Positions and velocities within a small box around the given ones, then put on the constraints."""
    shake = lambda x: mpmath.mpf(x) + mpmath.mpf(generator.uniform(-0.25, 0.25))
    q, v = [shake(x) for x in positions], [shake(x) for x in velocities]
    if equations.position_forms:
        q = nearest(lambda x: equations.position_forms(0, *x, *v), q)
    if equations.constraint_forms:
        v = nearest(lambda x: equations.constraint_forms(0, *q, *x), v)
    return q, v
