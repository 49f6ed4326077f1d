"""Processor time of this process, on one thread: other programs on the machine do not count."""

import os
import time

os.environ.update(dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"))

clock = time.process_time
BUDGET = 0.02  # seconds of a batch of calls


def per_call(call):
    """Seconds of a call: the best of three batches."""
    begun = clock()
    call()
    once = clock() - begun
    count = max(1, int(BUDGET / max(once, 1e-7)))
    best = once
    for _ in range(3):
        begun = clock()
        for _ in range(count):
            call()
        best = min(best, (clock() - begun) / count)
    return best


def error(end, reference):
    """max |x_i - ref_i| / (1 + |ref_i|)."""
    return max(abs(float(x) - r) / (1 + abs(r)) for x, r in zip(end, reference))
