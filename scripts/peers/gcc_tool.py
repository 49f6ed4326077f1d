"""gcc: the right-hand side in a loop over states, and the classical Runge-Kutta method around it."""

import ctypes
import pathlib
import resource
import subprocess
import tempfile

from motions import MOTIONS
from tracing import c_source

LOOPS = """
/* As many rounds over all the states; nothing may be left out. */
void evaluate(double t, const double *x, double *d, long states, long rounds) {
  for (long r = 0; r < rounds; r++)
    for (long s = 0; s < states; s++) {
      rates(t, x + s * N, d + s * N);
      __asm__ volatile("" : : : "memory");
    }
}
void follow(double *x, double until, long steps) {
  double h = until / steps, k1[N], k2[N], k3[N], k4[N], y[N];
  for (long s = 0; s < steps; s++) {
    double t = s * h;
    rates(t, x, k1);
    for (int i = 0; i < N; i++) y[i] = x[i] + 0.5 * h * k1[i];
    rates(t + 0.5 * h, y, k2);
    for (int i = 0; i < N; i++) y[i] = x[i] + 0.5 * h * k2[i];
    rates(t + 0.5 * h, y, k3);
    for (int i = 0; i < N; i++) y[i] = x[i] + h * k3[i];
    rates(t + h, y, k4);
    for (int i = 0; i < N; i++) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
}
"""

EXPORTED = """
#define rates(t, x, d) motion_rates(t, (const motion_state *)(x), (motion_state *)(d))
"""


def version():
    return subprocess.check_output(["gcc", "-dumpfullversion"], text=True).strip()


def compiled(name, n, exported=None):
    """The library with both loops, and the seconds of its compilation; of our program if it is given."""
    body = exported + EXPORTED if exported else c_source(MOTIONS[name], n)
    with tempfile.TemporaryDirectory() as folder:
        source, library = pathlib.Path(folder, "motion.c"), pathlib.Path(folder, "motion.so")
        source.write_text(body + f"enum {{ N = {n} }};\n" + LOOPS)
        begun = children_seconds()
        subprocess.check_call(["gcc", "-O3", "-march=native", "-shared", "-fPIC", source, "-o", library, "-lm"])
        return ctypes.CDLL(str(library)), children_seconds() - begun


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
