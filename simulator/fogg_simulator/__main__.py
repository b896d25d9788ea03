"""Compile the simulator unless that was done already: ``python -m fogg_simulator``."""

import sys
from time import process_time

from fogg_simulator import Simulator
from fogg_simulator.compiled import folder

if not any(folder().rglob("*.nbi")):
    print("compiling the simulator, once: this takes half a minute", file=sys.stderr, flush=True)
Simulator("usa")
print(f"the simulator is ready; {process_time():.1f} s of processor time", file=sys.stderr)
