"""Runs a command and prints the largest size that it had in memory, in KiB.

usage: python scripts/peers/peak.py COMMAND ARGUMENT…
"""

import resource
import subprocess
import sys

subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
