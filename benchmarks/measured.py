"""Every measure of every method's release on real data.

Run with `python -m benchmarks.measured FOLDER [--before FILE] [METHOD ...]`.

The data and the releases are those of `benchmarks.attacked`.  The values go to benchmarks/MEASURED.json, and a table of
them to benchmarks/MEASURED.md.  With `--before FILE`, the MEASURED.json of an older version, the table holds the older
values as well, and says which differ.
"""

from __future__ import annotations

import json
import math
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.attacked import CAP, LOADED, RUNS, SEED, prepared

HERE = Path(__file__).parent
VALUES, TABLE = HERE / "MEASURED.json", HERE / "MEASURED.md"
CLOSE = 1e-9  # relative difference below which two values count as equal
Values = dict[str, dict[str, float | str]]
"""By "data: method", the value of each measure by name, or the reason why there is none."""


def main(folder: str, *arguments: str) -> int:
    options = list(arguments)
    before: Values | None = None
    if "--before" in options:
        position = options.index("--before")
        before = json.loads(Path(options[position + 1]).read_text(encoding="utf-8"))
        del options[position : position + 2]
    begun = time.perf_counter()
    values: Values = {}
    for data_name, runs in RUNS.items():
        chosen = {name: params for name, params in runs.items() if not options or name.partition(",")[0] in options}
        if not chosen:
            continue
        data = LOADED[data_name](Path(folder))
        for name, params in chosen.items():
            run = f"{data_name}: {name}"
            values[run] = measured(name, params, prepared(data_name, name, data))
            print(f"{run}: {json.dumps(values[run])}", flush=True)
    if not options:
        VALUES.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
        TABLE.write_text(text(values, before, time.perf_counter() - begun), encoding="utf-8")
    return 0


def measured(name: str, params: dict[str, Any], data: Any) -> dict[str, float | str]:
    """The value of each measure that fits the data."""
    from sfumato.catalogue import MEASURES, measure_class, method_class
    from sfumato.errors import CallerError

    release = method_class(name.partition(",")[0])(**params).anonymize(data, seed=SEED)
    values: dict[str, float | str] = {}
    for measure_name in MEASURES:
        measure = measure_class(measure_name)()
        if data.kind in measure.kinds:
            try:
                values[measure_name] = measure(data, release).value
            except CallerError as refusal:
                values[measure_name] = str(refusal)
    return values


def text(values: Values, before: Values | None, seconds: float) -> str:
    """The table, as a page."""
    lines = [
        "# Every measure on real data",
        "",
        "Written by `python -m benchmarks.measured FOLDER`, where FOLDER holds real check-ins, baskets and people.",
        f"The releases are those of ATTACKED.md: the first {CAP:,} records of each.  All of it took {seconds:.0f} s.",
    ]
    if before is not None:
        lines += ["", "*before* is the value of an older version; **bold** where the value differs."]
    for data_name in RUNS:
        runs = [run for run in values if run.startswith(f"{data_name}: ")]
        names = list(dict.fromkeys(name for run in runs for name in values[run]))
        names = [name for name in names if any(not isinstance(values[run].get(name), str) for run in runs)]
        columns = ["method", "measure", *(["before"] if before is not None else []), "value"]
        lines += ["", f"## {data_name}", "", f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
        for run in runs:
            for name in names:
                value = values[run].get(name, "")
                if isinstance(value, str):
                    continue
                cells = [run.partition(": ")[2], name]
                if before is not None:
                    old = before.get(run, {}).get(name)
                    cells += [_figure(old), _figure(value) if _equal(old, value) else f"**{_figure(value)}**"]
                else:
                    cells.append(_figure(value))
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _figure(value: float | str | None) -> str:
    return "" if value is None or isinstance(value, str) else f"{value:,.4g}"


def _equal(old: float | str | None, value: float) -> bool:
    return isinstance(old, float | int) and math.isclose(old, value, rel_tol=CLOSE, abs_tol=CLOSE)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
