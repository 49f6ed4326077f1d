"""Writes crates/numeric/tests/random/scipy.rs: Riccati, Lyapunov and exponential values by SciPy.

    python -m pip install scipy==1.17.1
    python scripts/crosscheck/riccati.py > crates/numeric/tests/random/scipy.rs
"""

import numpy as np
from scipy import linalg


def rows(matrix):
    return "&[" + ", ".join(repr(float(x)) for x in np.asarray(matrix).ravel()) + "]"


def case(a, b, q, r):
    n, m = b.shape
    values = [(float(v.real), float(v.imag)) for v in linalg.eigvals(a)]
    pairs = "&[" + ", ".join(f"({re!r}, {im!r})" for re, im in values) + "]"
    fields = {
        "n": n,
        "m": m,
        "a": rows(a),
        "b": rows(b),
        "q": rows(q),
        "r": rows(r),
        "care": rows(linalg.solve_continuous_are(a, b, q, r)),
        "dare": rows(linalg.solve_discrete_are(a, b, q, r)),
        "exponential": rows(linalg.expm(a)),
        # Ours is A X + X A' + Q = 0, SciPy's A X + X A' = Q.
        "lyapunov": rows(linalg.solve_continuous_lyapunov(a, -q)),
        "stein": rows(linalg.solve_discrete_lyapunov(a, q)),
        "eigenvalues": pairs,
    }
    body = "\n".join(f"        {name}: {value}," for name, value in fields.items())
    return f"    Case {{\n{body}\n    }},"


def cart_pole():
    """A pole of length 1 and mass 0.2 on a cart of mass 1, upright."""
    g, m, big, length = 9.81, 0.2, 1.0, 1.0
    a = np.array(
        [
            [0, 1, 0, 0],
            [0, 0, -m * g / big, 0],
            [0, 0, 0, 1],
            [0, 0, (big + m) * g / (big * length), 0],
        ]
    )
    # A little friction, so that Lyapunov's equation has one solution.
    a = a - 0.05 * np.eye(4)
    b = np.array([[0], [1 / big], [0], [-1 / (big * length)]])
    return a, b, np.diag([1.0, 0.1, 10.0, 0.1]), np.array([[0.01]])


def random(seed, n, m):
    rng = np.random.default_rng(seed)
    a, b = rng.standard_normal((n, n)), rng.standard_normal((n, m))
    c, d = rng.standard_normal((n, n)), rng.standard_normal((m, m))
    return a, b, c @ c.T, d @ d.T + np.eye(m)


def main():
    fields = ["a", "b", "q", "r", "care", "dare", "exponential", "lyapunov", "stein"]
    print("// Made by scripts/crosscheck/riccati.py.")
    print("#[rustfmt::skip]\npub struct Case {\n    pub n: usize,\n    pub m: usize,")
    for name in fields:
        print(f"    pub {name}: &'static [f64],")
    print("    pub eigenvalues: &'static [(f64, f64)],\n}\n")
    print("#[rustfmt::skip]\npub const CASES: &[Case] = &[")
    print(case(*cart_pole()))
    for seed, n, m in [(1, 3, 1), (2, 5, 2), (3, 8, 3)]:
        print(case(*random(seed, n, m)))
    print("];")


if __name__ == "__main__":
    main()
