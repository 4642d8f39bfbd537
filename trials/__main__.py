"""`python -m trials`: try to break the product in large, print what was found, and keep it in benchmarks/TRIALS.md."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from trials.parts import PARTS, Result, repeat
from trials.table import page

_OUT = Path(__file__).parent.parent / "benchmarks" / "TRIALS.md"


def main(arguments: list[str] | None = None) -> int:
    """Run the parts and return 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m trials", description=__doc__)
    parser.add_argument("--releases", type=int, default=10_000, metavar="N", help="releases per model [10000]")
    parser.add_argument("--compared", type=int, default=10_000, metavar="N", help="datasets per verifier [10000]")
    parser.add_argument("--mutants", type=int, default=50_000, metavar="N", help="mutants of input files [50000]")
    parser.add_argument(
        "--kills",
        type=int,
        default=500,
        metavar="N",
        help="runs that are killed; half as many run out of disk space [500]",
    )
    parser.add_argument("--tampered", type=int, default=3, metavar="N", help="releases per kind to tamper with [3]")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="where the numbers of the cases begin [0]")
    parser.add_argument("--cores", type=int, default=2, metavar="N", help="processes at a time [2]")
    parser.add_argument("--only", choices=PARTS, action="append", help="this part alone; may be repeated")
    parser.add_argument("--case", action="append", metavar="NAME", help="repeat a case, such as zga-17 or klm=17")
    parser.add_argument("--out", type=Path, default=_OUT, metavar="FILE", help=f"where the table goes [{_OUT.name}]")
    said = parser.parse_args(arguments)
    if said.case:
        return 1 if sum(repeat(name) for name in said.case) else 0
    begun = time.monotonic()
    results: list[Result] = []
    for part, run in PARTS.items():
        if said.only is None or part in said.only:
            results.append(run(said))
    text = page(arguments if arguments is not None else sys.argv[1:], results, time.monotonic() - begun)
    said.out.write_text(text, encoding="utf-8")
    print(text)
    return 1 if any(result.found for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
