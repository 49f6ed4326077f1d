def _solve(matrix, rhs):
    """Solves matrix * x = rhs."""
    n = len(rhs)
    for i, row in enumerate(matrix):
        largest = max(abs(a) for a in row)
        if 0.0 < largest < math.inf:
            matrix[i] = [a / largest for a in row]
            rhs[i] /= largest
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(matrix[i][k]) >= abs(matrix[pivot][k]):
                pivot = i
        if not abs(matrix[pivot][k]) > 1e-14:
            raise NoSolution("the equations are singular here")
        matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
        rhs[k], rhs[pivot] = rhs[pivot], rhs[k]
        for i in range(k + 1, n):
            factor = matrix[i][k] / matrix[k][k]
            for j in range(k, n):
                matrix[i][j] -= factor * matrix[k][j]
            rhs[i] -= factor * rhs[k]
    for k in reversed(range(n)):
        tail = 0.0
        for j in range(k + 1, n):
            tail += matrix[k][j] * rhs[j]
        rhs[k] = (rhs[k] - tail) / matrix[k][k]
    return rhs
