"""numbalsoda: DOP853 in C++ on a right-hand side that numba compiles."""

import importlib.metadata

import numba as nb
from numbalsoda import dop853, lsoda_sig

from motions import MOTIONS
from timing import clock
from tracing import python_source

VERSION = importlib.metadata.version("numbalsoda")


def compiled(name, n):
    """The function for the solver, and the seconds of its compilation."""
    begun = clock()
    names = {}
    exec(python_source(MOTIONS[name], n), names)
    inner = nb.njit(names["rates"])

    @nb.cfunc(lsoda_sig)
    def rates(t, x, d, _):
        inner(t, nb.carray(x, (n,)), nb.carray(d, (n,)))
    return rates, clock() - begun


def warm_up():
    """Loads what numba loads on demand."""
    import numpy as np
    rates, _ = compiled("pendulum1", 2)
    dop853(rates.address, np.array([0.5, 0.0]), np.array([0.0, 1.0]))
