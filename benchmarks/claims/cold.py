"""`sfumato --help` answers in under half a second.  A freshly installed wheel, which brings compiled kernels, takes at
most 5 s of processor time for every method and command; a checkout compiles on first use, in at most 5 s too, unless
this was done in the background after `make demo`.  Once compiled, a method starts in at most 0.8 s.
`sfumato demo` takes under a minute cold and under ten seconds warm.  Every run is a new process; cold ones begin with
an empty cache of compiled kernels.
"""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import Judged, Taken, median_taken
from building.first_runs import COMMANDS, VALUES
from sfumato.catalogue import METHODS

HERE = Path(__file__).parent.parent
SOURCE = HERE.parent / "src"
WHEEL = HERE / "results" / "wheel"  # the modules with machine code, as a wheel installs them
STARTS = ("python -c pass", "import sfumato", "sfumato --help", "sfumato methods")
BUILD = "compile all kernels for a wheel"
METHOD = f"""
import pickle, sys
from sfumato.catalogue import method_class
from sfumato.errors import CallerError
method = method_class(sys.argv[1])
with open(sys.argv[2], "rb") as file:
    data = pickle.load(file)
values = {{p.name: {VALUES}[p.name] for p in method.parameters() if p.required}}
try:
    method.from_json(values).anonymize(data).write("release")
except CallerError as refusal:
    print(refusal)
"""
CASES = [
    {"command": BUILD},
    {"command": "python -c pass"},
    {"command": "import sfumato"},
    {"command": "sfumato --help"},
    {"command": "sfumato methods"},
    *({"command": f"anonymize {name}"} for name in METHODS),
    *(
        {"command": " ".join(["sfumato", *words[:2]]), "chain": chain, "place": place}
        for chain, lines in COMMANDS.items()
        for place, words in enumerate(lines)
    ),
]


def measure(case):
    if case["command"] == BUILD:
        return {"command": BUILD, "checkout, cold": median_taken(build, 1)[0].cpu}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = words_of(case, folder)
        if case["command"] in STARTS:
            taken(words, folder, SOURCE)  # what the system keeps of files
            return {"command": case["command"], "warm": taken(words, folder, SOURCE, cold=False, runs=5).cpu}
        return {
            "command": case["command"],
            "wheel, cold": taken(words, folder, WHEEL).cpu,
            "checkout, cold": taken(words, folder, SOURCE).cpu,
            "warm": taken(words, folder, SOURCE, cold=False, runs=3).cpu,
        }


def build() -> None:
    from building.machine_code import add_machine_code

    shutil.rmtree(WHEEL, ignore_errors=True)
    shutil.copytree(SOURCE, WHEEL, ignore=shutil.ignore_patterns("__pycache__"))
    add_machine_code(WHEEL)
    subprocess.run([sys.executable, "-m", "compileall", "-q", WHEEL, SOURCE], check=True)  # as an installation does


def words_of(case: dict[str, str], folder: Path) -> list[str]:
    """The command, after what it needs was made in `folder`/work."""
    command = case["command"]
    (folder / "work").mkdir()
    if command.startswith("python"):
        return [sys.executable, "-c", "pass"]
    if command.startswith("import"):
        return [sys.executable, "-c", "import sfumato"]
    if command.startswith("anonymize "):
        from building.first_runs import example
        from sfumato.catalogue import method_class

        name = command.partition(" ")[2]
        (folder / "data").write_bytes(pickle.dumps(example(method_class(name).kind)))
        return [sys.executable, "-c", METHOD, name, str(folder / "data")]
    sfumato = [sys.executable, "-m", "sfumato"]
    if "chain" not in case:
        return [*sfumato, *command.split()[1:]]
    *lines, last = COMMANDS[case["chain"]][: case["place"] + 1]
    for line in lines:
        subprocess.run([*sfumato, *line], cwd=folder / "work", check=True, stdout=subprocess.DEVNULL)
    return [*sfumato, *last]


def taken(words: list[str], folder: Path, library: Path, *, cold: bool = True, runs: int = 1) -> Taken:
    """Run a command; the cache of compiled kernels is empty if `cold`, else what the last run left."""
    cache = folder / "cache"
    surroundings = os.environ | {"NUMBA_CACHE_DIR": str(cache), "NUMBA_CPU_NAME": "generic", "PYTHONPATH": str(library)}

    def run() -> None:
        shutil.rmtree(folder / "again", ignore_errors=True)
        shutil.copytree(folder / "work", folder / "again")
        subprocess.run(words, cwd=folder / "again", env=surroundings, check=True, stdout=subprocess.DEVNULL)

    if cold:
        shutil.rmtree(cache, ignore_errors=True)
    return median_taken(run, runs)[0]


def judge(rows):
    of = {row["command"]: row for row in rows}
    whole = [row for row in rows if "wheel, cold" in row]
    slowest = max(whole, key=lambda row: row["wheel, cold"])
    compiling = max(whole, key=lambda row: row["checkout, cold"])
    methods = [row for row in whole if row["command"].startswith("anonymize ")]
    started = sorted(row["warm"] for row in methods)[len(methods) // 2]
    demo = of["sfumato demo"]
    return [
        Judged("sfumato --help: under 0.5 s", of["sfumato --help"]["warm"] < 0.5),
        Judged("sfumato methods: under 0.8 s", of["sfumato methods"]["warm"] < 0.8),
        Judged(
            f"a fresh wheel: at most {slowest['wheel, cold']:.1f} s ({slowest['command']}), under 5 s",
            slowest["wheel, cold"] < 5,
        ),
        Judged(
            f"a checkout: at most {compiling['checkout, cold']:.1f} s ({compiling['command']}), at most 5 s",
            compiling["checkout, cold"] <= 5,
        ),
        Judged(f"a method once compiled, median: {started:.2f} s, under 0.8 s", started < 0.8),
        Judged("sfumato demo in a checkout, cold: under 60 s", demo["checkout, cold"] < 60),
        Judged("sfumato demo, warm: under 10 s", demo["warm"] < 10),
    ]
