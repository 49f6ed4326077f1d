"""DOP853 in C around an exported right-hand side, compiled by gcc: what a careful user would write."""

import ctypes
import pathlib
import subprocess
import tempfile

import numpy as np
from scipy.integrate._ivp import dop853_coefficients as tableau

STAGES = 12


def combination(weights, rates="k"):
    terms = [f"{float(w)!r}*{rates}[{j}][i]" for j, w in enumerate(weights) if w != 0]
    return " + ".join(terms)


def stage(s):
    return (f"    for (int i = 0; i < N; i++) y[i] = x[i] + h*({combination(tableau.A[s][:s])});\n"
            f"    rates(t + {float(tableau.C[s])!r}*h, y, k[{s}]);\n")


def source(n):
    """Adaptive steps from t = 0; returns their number, or -1."""
    return f"""
#include <math.h>
#include <string.h>
enum {{ N = {n} }};
#define rates(t, x, d) motion_rates(t, (const motion_state *)(x), (motion_state *)(d))
static double norm(double a) {{ return a*a; }}
long follow(double *x, double until, double tolerance, long most) {{
  static double k[{STAGES + 1}][N], y[N], e[N];
  double t = 0, h;
  rates(t, x, k[0]);
  double d0 = 0, d1 = 0, d2 = 0;
  for (int i = 0; i < N; i++) {{
    double s = tolerance*(1 + fabs(x[i]));
    d0 += norm(x[i]/s); d1 += norm(k[0][i]/s);
  }}
  h = d0 < 1e-10 || d1 < 1e-10 ? 1e-6 : 0.01*sqrt(d0/d1);
  for (int i = 0; i < N; i++) y[i] = x[i] + h*k[0][i];
  rates(t + h, y, k[1]);
  for (int i = 0; i < N; i++) d2 += norm((k[1][i] - k[0][i])/(tolerance*(1 + fabs(x[i]))));
  d2 = fmax(sqrt(d2/N)/h, sqrt(d1/N));
  h = fmin(100*h, d2 <= 1e-15 ? fmax(1e-6, h*1e-3) : pow(0.01/d2, 0.125));
  int rejected = 0;
  for (long steps = 0; steps < most; steps++) {{
    int last = t + 1.01*h >= until;
    if (last) h = until - t;
{"".join(stage(s) for s in range(1, STAGES))}
    for (int i = 0; i < N; i++) y[i] = x[i] + h*({combination(tableau.B)});
    double e5 = 0, e3 = 0;
    for (int i = 0; i < N; i++) {{
      double s = tolerance*(1 + fmax(fabs(x[i]), fabs(y[i])));
      e5 += norm(({combination(tableau.E5[:STAGES])})/s);
      e3 += norm(({combination(tableau.E3[:STAGES])})/s);
    }}
    double both = e5 + 0.01*e3;
    double error = both > 0 ? fabs(h)*e5/sqrt(both*N) : 0;
    if (!(error <= 1)) {{
      if (error != error) h *= 0.2; else h *= fmax(0.333, 0.9*pow(error, -0.125));
      rejected = 1;
      if (fabs(h) < 1e-14) return -1;
      continue;
    }}
    t += h;
    memcpy(x, y, sizeof y);
    if (last) return steps + 1;
    rates(t, x, k[0]);
    double factor = error > 0 ? fmin(6, fmax(0.333, 0.9*pow(error, -0.125))) : 6;
    h *= rejected ? fmin(1, factor) : factor;
    rejected = 0;
  }}
  return -1;
}}
void evaluate(double t, const double *x, double *d, long states, long rounds) {{
  for (long r = 0; r < rounds; r++)
    for (long s = 0; s < states; s++) {{
      rates(t, x + s*N, d + s*N);
      __asm__ volatile("" : : : "memory");
    }}
}}
"""


class Compiled:
    """The library of one right-hand side."""

    def __init__(self, exported, n):
        with tempfile.TemporaryDirectory() as folder:
            code, library = pathlib.Path(folder, "motion.c"), pathlib.Path(folder, "motion.so")
            code.write_text(exported + source(n))
            subprocess.check_call(["gcc", "-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno", "-shared",
                                   "-fPIC", code, "-o", library, "-lm"])
            self.library = ctypes.CDLL(str(library))
        self.library.follow.restype = ctypes.c_long

    def follow(self, start, until, tolerance):
        """The state at the end, or nothing."""
        x = np.array(start)
        steps = self.library.follow(ctypes.c_void_p(x.ctypes.data), ctypes.c_double(until), ctypes.c_double(tolerance),
                                    ctypes.c_long(10 ** 7))
        return x if steps > 0 else None
