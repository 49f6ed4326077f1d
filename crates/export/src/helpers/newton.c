/* Equations: fill the Jacobian (by rows) and the residual; return 1 on failure. */
typedef int (*implicit_equations)(const double *known, const double *unknown,
                                  double *jacobian, double *residual);

static double norm(int n, const double *r)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = isnan(r[i]) ? INFINITY : fmax(largest, fabs(r[i]));
    return largest;
}

/* A root of the equations by damped Newton steps from zero. Returns 1 if there is none in reach. */
static int newton(int n, implicit_equations equations, int count, const double *known, double *x)
{
    double jacobian[LARGEST*LARGEST], residual[LARGEST], step[LARGEST], trial[LARGEST];
    for (int i = 0; i < n; i++)
        x[i] = 0.0;
    if (equations(known, x, jacobian, residual))
        return 1;
    for (int k = 0; k < 60; k++) {
        const double size = norm(n, residual);
        for (int i = 0; i < n; i++)
            step[i] = residual[i];
        if (solve(n, jacobian, step))
            return 1;
        double damping = 1.0;
        for (;;) {
            for (int i = 0; i < n; i++)
                trial[i] = x[i] - damping*step[i];
            if (equations(known, trial, jacobian, residual))
                return 1;
            if (norm(n, residual) < size || damping < 1e-10 || size == 0.0)
                break;
            damping /= 2.0;
        }
        for (int i = 0; i < n; i++)
            x[i] = trial[i];
        if (norm(n, step)*damping <= 1e-15*(1.0 + norm(n, x)))
            break;
    }
    return !(norm(n, residual) <= 1e-10*(1.0 + norm(count, known)));
}
