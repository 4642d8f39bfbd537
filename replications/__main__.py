"""`python -m replications`: repeat published experiments, and write what became of every figure."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter

from replications.declarations import Paper, Row, read_papers
from replications.pages import write_pages
from replications.running import Wanted, run_paper

_OUT = Path("replication-results")


def main(arguments: list[str] | None = None) -> int:
    """Run what is asked for and write the pages."""
    parser = argparse.ArgumentParser(prog="python -m replications", description=__doc__)
    parser.add_argument("what", nargs="*", metavar="PAPER[/FIGURE]", help="these alone; everything without any")
    parser.add_argument("--quick", action="store_true", help="small data, few settings, one repetition")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="public data, as replications/README.md lists them")
    parser.add_argument("--out", type=Path, default=_OUT, metavar="FOLDER", help=f"where runs are kept [{_OUT}]")
    parser.add_argument("--jobs", type=int, metavar="N", help="parallel runs [one per core]")
    parser.add_argument("--limit", type=float, default=60, metavar="MINUTES", help="the longest experiment [60]")
    parser.add_argument("--missing", action="store_true", help="keep verdicts of other versions of the code")
    parser.add_argument("--pages", action="store_true", help="write the pages only, run nothing")
    given = parser.parse_args(arguments)
    papers = read_papers()
    try:
        chosen = _chosen(papers, given.what)
    except ValueError as mistake:
        sys.stderr.write(f"{mistake}\n")
        return 2
    wanted = Wanted(
        out=given.out.resolve(),
        quick=given.quick,
        data=given.data and given.data.resolve(),
        jobs=given.jobs,
        limit_s=given.limit * 60,
        missing=given.missing,
    )
    begun = perf_counter()
    for paper, rows in [] if given.pages else chosen:
        experiments, tests = _evidence(paper, rows)
        run_paper(paper, experiments, tests, wanted, _tell)
        write_pages(papers)  # after each, so that an interruption leaves pages that agree with the records
    write_pages(papers)
    _tell(f"{(perf_counter() - begun) / 60:.1f} minutes")
    return 0


def _chosen(papers: list[Paper], what: list[str]) -> list[tuple[Paper, tuple[Row, ...] | None]]:
    """The papers, and the rows of each; None for all of them."""
    if not what:
        return [(paper, None) for paper in papers]
    by_name = {paper.name: paper for paper in papers}
    chosen: list[tuple[Paper, tuple[Row, ...] | None]] = []
    for asked in what:
        name, _, figure = asked.partition("/")
        if name not in by_name:
            raise ValueError(f"no paper is called {name!r}; known are {', '.join(by_name)}")
        rows = tuple(row for row in by_name[name].rows if row.figure == figure)
        if figure and not rows:
            raise ValueError(
                f"{name} has no figure {figure!r}; it has {', '.join(r.figure for r in by_name[name].rows)}"
            )
        chosen.append((by_name[name], rows if figure else None))
    return chosen


def _evidence(paper: Paper, rows: tuple[Row, ...] | None) -> tuple[list[str], list[str]]:
    """The experiments and tests behind these rows; every experiment of the paper where all rows are wanted."""
    tests = [test for row in (paper.rows if rows is None else rows) for test in row.tests]
    if rows is None:
        return [*paper.experiments, *(script.name for script in paper.scripts)], tests
    named = [part.experiment for row in rows for part in (*row.charts, *row.causes)]
    return list(dict.fromkeys(named)), tests


def _tell(sentence: str) -> None:
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
