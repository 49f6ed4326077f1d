"""Derives one problem with one rival in a fresh process and prints one line of JSON about it.

usage: python scripts/peers/derive.py TOOL PROBLEM SIZE STATE…
"""

import json
import os
import sys
import time

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import numpy as np  # noqa: E402  (after the thread counts are set)

from problems import PROBLEMS  # noqa: E402
from tools import TOOLS  # noqa: E402

tool, problem, size, *state = sys.argv[1:]
n, lagrangian = PROBLEMS[problem](int(size))
marks = {}


def mark(name):
    marks[name] = time.process_time()  # other programs on the machine do not count


# A first small derivation loads what the tool loads on demand.
TOOLS[tool](*PROBLEMS["pendulum"](1), mark)
solve, version = TOOLS[tool](n, lagrangian, mark)
print(json.dumps({
    "version": version,
    "derive_s": marks["derive"] - marks["start"],
    "evaluable_s": marks["evaluable"] - marks["start"],
    "accelerations": list(map(float, solve(np.array(state, float)))),
}))
