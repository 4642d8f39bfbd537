"""`python -m benchmarks [--list] [NAME ...]`: run all claims, or the named ones."""

import argparse
import sys
import textwrap

from benchmarks import BY_CHOICE, CLAIMS
from benchmarks.runner import claim_in_words, run


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure the claims about speed and size; exit code 1 if one is not met.",
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"what to measure: {', '.join(CLAIMS)} [default: all but {', '.join(BY_CHOICE)}]",
    )
    parser.add_argument("--list", action="store_true", help="show the claims and leave")
    said = parser.parse_args()
    unknown = [name for name in said.names if name not in CLAIMS]
    if unknown:
        parser.error(f"no claim is called {unknown[0]!r}; there are {', '.join(CLAIMS)}")
    if said.list:
        for name in CLAIMS:
            print(textwrap.fill(claim_in_words(name), 100, initial_indent=f"{name:12}", subsequent_indent=" " * 12))
        return 0
    names = said.names or [name for name in CLAIMS if name not in BY_CHOICE]
    met = [run(name) for name in CLAIMS if name in names]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
