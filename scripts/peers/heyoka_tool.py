"""heyoka: Taylor steppers and compiled functions of a motion."""

import heyoka as hy
import numpy as np

from motions import MOTIONS
from timing import clock

VERSION = hy.__version__
# What an earlier process compiled would be found there in no time.
hy.llvm_state.set_diskcache_enabled(False)


def system(name, n):
    """Pairs (variable, rate)."""
    x = [hy.expression(f"x{i}") for i in range(n)]
    rates = MOTIONS[name](hy.time, list(x), hy)
    return [(a, r if isinstance(r, hy.expression) else hy.expression(float(r))) for a, r in zip(x, rates)]


class Steppers:
    """Steppers of one motion with the seconds of compilation; one compilation serves all tolerances
    of the same order, since heyoka remembers its code."""

    def __init__(self, name, start, compact, lanes=1):
        self.system = system(name, len(start))
        self.compact, self.lanes = compact, lanes
        self.start = np.array(start)
        if lanes > 1:
            self.start = np.repeat(self.start[:, None], lanes, axis=1)
        self.seconds = {}

    def at(self, tolerance):
        make = hy.taylor_adaptive_batch if self.lanes > 1 else hy.taylor_adaptive
        begun = clock()
        stepper = make(self.system, self.start, tol=tolerance, compact_mode=self.compact)
        return stepper, self.seconds.setdefault(stepper.order, clock() - begun)


def warm_up():
    """Loads what heyoka loads on demand."""
    Steppers("pendulum1", [0.5, 0.0], True).at(1e-3)
    hy.cfunc([rate for _, rate in system("pendulum1", 2)], vars=[x for x, _ in system("pendulum1", 2)])
