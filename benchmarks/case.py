"""`python -m benchmarks.case NAME NUMBER`: one case of a claim, in this process; its row as JSON."""

import json
import sys
from importlib import import_module

name, number = sys.argv[1:]
claim = import_module(f"benchmarks.claims.{name}")
print(json.dumps(claim.measure(claim.CASES[int(number)])))
