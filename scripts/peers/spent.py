"""Runs a command and prints what it wrote and the seconds that it took: those of the processor, and those of the clock.

usage: python scripts/peers/spent.py COMMAND ARGUMENT…
"""

import json
import resource
import subprocess
import sys
import time

begun = time.perf_counter()
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
clock = time.perf_counter() - begun
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"cpu_s": used.ru_utime + used.ru_stime, "clock_s": clock, "output": done.stdout}))
