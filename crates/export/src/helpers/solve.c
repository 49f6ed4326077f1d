/* Solves matrix * x = rhs (by rows); both are overwritten, rhs by x. Returns 1 if singular. */
static int solve(int n, double *matrix, double *rhs)
{
    for (int i = 0; i < n; i++) {
        double largest = 0.0;
        for (int j = 0; j < n; j++)
            largest = fmax(largest, fabs(matrix[i*n + j]));
        if (largest > 0.0 && isfinite(largest)) {
            for (int j = 0; j < n; j++)
                matrix[i*n + j] /= largest;
            rhs[i] /= largest;
        }
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(matrix[i*n + k]) >= fabs(matrix[pivot*n + k]))
                pivot = i;
        if (!(fabs(matrix[pivot*n + k]) > 1e-14))
            return 1;
        if (pivot != k) {
            for (int j = 0; j < n; j++) {
                const double entry = matrix[k*n + j];
                matrix[k*n + j] = matrix[pivot*n + j];
                matrix[pivot*n + j] = entry;
            }
            const double entry = rhs[k];
            rhs[k] = rhs[pivot];
            rhs[pivot] = entry;
        }
        for (int i = k + 1; i < n; i++) {
            const double factor = matrix[i*n + k]/matrix[k*n + k];
            for (int j = k; j < n; j++)
                matrix[i*n + j] -= factor*matrix[k*n + j];
            rhs[i] -= factor*rhs[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        double tail = 0.0;
        for (int j = k + 1; j < n; j++)
            tail += matrix[k*n + j]*rhs[j];
        rhs[k] = (rhs[k] - tail)/matrix[k*n + k];
    }
    return 0;
}
