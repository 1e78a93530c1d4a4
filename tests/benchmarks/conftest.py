import sys

from tests.packages import ROOT

# As when they are started: `python benchmarks/faults.py`.
sys.path.append(str(ROOT / "benchmarks"))
