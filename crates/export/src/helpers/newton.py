def _norm(r):
    return max((math.inf if math.isnan(v) else abs(v) for v in r), default=0.0)


def _newton(equations, size, known):
    """A root of the equations by damped Newton steps from zero."""
    x = [0.0] * size
    jacobian, residual = equations(known, x)
    for _ in range(60):
        length = _norm(residual)
        step = _solve(jacobian, list(residual))
        damping = 1.0
        while True:
            trial = [a - damping * s for a, s in zip(x, step)]
            jacobian, residual = equations(known, trial)
            if _norm(residual) < length or damping < 1e-10 or length == 0.0:
                break
            damping /= 2.0
        x = trial
        if _norm(step) * damping <= 1e-15 * (1.0 + _norm(x)):
            break
    if not _norm(residual) <= 1e-10 * (1.0 + _norm(known)):
        raise NoSolution("the equations have no solution in reach")
    return x
