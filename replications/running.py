"""Running the experiments of a paper: each is recorded with date and seconds, and a failure does not stop others."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import sfumato
from replications.data_files import DataMissing, provide
from replications.declarations import FOLDER, Paper, Script
from replications.drawing import picture
from replications.shrinking import shrunk
from replications.verdicts import chart_names, digest_of, read_record, today, write_record
from replications.worked_examples import run_tests
from sfumato.errors import OutputError, SfumatoError
from sfumato.experiments.comparison import Comparison, compare, so_far
from sfumato.experiments.runner import Runner
from sfumato.experiments.single_run import code_digest

__all__ = ["Wanted", "run_paper", "what_is_run"]

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Wanted:
    """How experiments are run.

    quick : whether they are made small.
    data : the folder of public data; experiments that need a file are left out without it.
    out : the folder of results, from which an interrupted experiment is continued.
    limit_s : how long one experiment may take; what is finished by then is judged.
    missing : whether a verdict of other code is enough, so that only what has none is run.
    """

    out: Path
    quick: bool = False
    data: Path | None = None
    jobs: int | None = None
    limit_s: float = 3600.0
    missing: bool = False

    @property
    def size(self) -> str:
        return "quick" if self.quick else "full"


def run_paper(paper: Paper, experiments: Iterable[str], tests: Iterable[str], wanted: Wanted, tell: Tell) -> None:
    """Run these experiments and tests of a paper, and record what became of each at once."""
    scripts = {script.name: script for script in paper.scripts}
    for name in experiments:
        about = {
            "file": digest_of(what_is_run(paper, name, wanted.size)),
            "code": code_digest()[:16],
            "version": sfumato.__version__,
        }
        before = read_record(paper)["experiments"].get(name, {}).get(wanted.size)
        if _is_finished(before, about, wanted):
            tell(f"{paper.name}/{name}: finished on {before['date']}")
            continue
        begun = perf_counter()
        try:
            script = scripts.get(name)
            outcome = _run_experiment(paper, name, wanted) if script is None else _run_script(paper, script, wanted)
        except DataMissing as missing:
            tell(f"{paper.name}/{name}: {missing}")
            continue
        except KeyboardInterrupt:
            raise
        except Exception as error:  # whatever it is, the others are run
            outcome = {"failed": _sentence(error)}
        spent = perf_counter() - begun + _spent_before(before, about)
        outcome |= {**about, "date": today(), "seconds": round(spent, 1)}
        record = read_record(paper)
        record["experiments"].setdefault(name, {})[wanted.size] = outcome
        write_record(paper, record)
        tell(f"{paper.name}/{name}: {_words(outcome)}")
    folder = wanted.out / wanted.size
    run_tests(paper, sorted(set(tests)), folder, wanted.limit_s, tell)


def _spent_before(before: dict[str, Any] | None, about: dict[str, str]) -> float:
    """The seconds of runs that were stopped, which are continued.

    >>> _spent_before({"stopped": "3 of 9", "seconds": 5.0, "file": "a"}, {"file": "a"})
    5.0
    >>> _spent_before({"stopped": "3 of 9", "seconds": 5.0, "file": "a"}, {"file": "b"})
    0.0
    """
    is_continued = before is not None and before.get("stopped") and all(before[key] == about[key] for key in about)
    return float(before["seconds"]) if before is not None and is_continued else 0.0


def what_is_run(paper: Paper, name: str, size: str) -> str:
    """The text of an experiment, full or quick; of a script, its program and arguments."""
    if name in paper.experiments:
        text = paper.experiments[name].read_text(encoding="utf-8")
        if size == "full":
            return text
        return shrunk(text, {**paper.quick.get("every", {}), **paper.quick.get(name, {})})
    script = next(script for script in paper.scripts if script.name == name)
    given = (*script.arguments, *(script.quick if size == "quick" else ()))
    return "\n".join([(paper.folder / script.file).read_text(encoding="utf-8"), *given])


def _is_finished(before: dict[str, Any] | None, about: dict[str, str], wanted: Wanted) -> bool:
    """Whether nothing is left to do; of an experiment that was stopped, the runs that are missing are."""
    if before is None or before.get("failed") or before.get("stopped") or before["file"] != about["file"]:
        return False
    return wanted.missing or before["code"] == about["code"]


def _run_experiment(paper: Paper, name: str, wanted: Wanted) -> dict[str, Any]:
    """Run an experiment file with `compare`; of one that is stopped, the finished runs are judged.

    Fewer than one repetition is no basis for a verdict: then only is recorded that it was stopped.
    """
    work = wanted.out / wanted.size / paper.name
    work.mkdir(parents=True, exist_ok=True)
    text = what_is_run(paper, name, wanted.size)
    provide(paper, text, wanted.data, work)
    file, results = work / f"{name}.toml", work / "results" / name
    file.write_text(text, encoding="utf-8")
    results.parent.mkdir(exist_ok=True)
    runner = Runner(jobs=wanted.jobs)
    timer = threading.Timer(wanted.limit_s, runner.cancel)
    timer.start()
    stopped = ""
    try:
        comparison = _compared(file, results, runner)
    except SfumatoError as error:
        stopped = _sentence(error)
        if not (results / "plan.json").exists():
            raise
        comparison = so_far(results)
        if not comparison.results.height:
            raise
    finally:
        timer.cancel()
    outcome: dict[str, Any] = {"runs": comparison.runs}
    if stopped:
        missing = sum(state == "missing" for state, _ in comparison.states)
        outcome["stopped"] = f"{missing} of {len(comparison.states)} runs are missing: {stopped.partition(';')[0]}"
        if (len(comparison.states) - missing) * len(comparison.experiment.seeds) < len(comparison.states):
            return outcome
    outcome["charts"] = _findings(comparison)
    if _is_shown(paper, name, wanted):
        _draw(paper, name, comparison)
    notes = [*comparison.broken, *comparison.infeasible, *comparison.unmeasured, *comparison.unfit]
    return outcome | ({"notes": notes[:10]} if notes else {})


def _compared(file: Path, results: Path, runner: Runner) -> Comparison:
    """The comparison; results of other code or of another experiment are set aside first."""
    try:
        return compare(file, results, runner=runner, formats=())
    except OutputError:
        shutil.rmtree(results)
        return compare(file, results, runner=runner, formats=())


def _findings(comparison: Comparison) -> dict[str, list[dict[str, str]]]:
    charts = comparison.experiment.charts
    return {
        name: [
            {"claim": expects.claim or chart.claim, "verdict": finding.verdict, "sentence": f"{finding.sentence}."}
            for expects, finding in zip(chart.expects, findings, strict=True)
        ]
        for name, chart, findings in zip(chart_names(list(charts)), charts, comparison.findings, strict=True)
    }


def _is_shown(paper: Paper, name: str, wanted: Wanted) -> bool:
    """Whether pictures of this run belong on the page: those of the whole version stay there."""
    whole = read_record(paper)["experiments"].get(name, {}).get("full", {})
    return not (wanted.quick and whole.get("charts"))


def _draw(paper: Paper, name: str, comparison: Comparison) -> None:
    folder = paper.folder / "charts"
    folder.mkdir(exist_ok=True)
    experiment = comparison.experiment
    for chart_name, chart in zip(chart_names(list(experiment.charts)), experiment.charts, strict=True):
        lines: dict[str, list[tuple[Any, float]]] = {}
        for row in comparison.rows(chart.y):
            if row["median"] is not None and (not chart.of or row["configuration"] in chart.of):
                lines.setdefault(row["configuration"], []).append((row["setting"], row["median"]))
        if experiment.vary is None:
            lines = {name: [(name, value) for _, value in line] for name, line in lines.items()}
        label = "" if experiment.vary is None else experiment.vary.label
        drawn = picture(chart.title, label, chart.label, lines, log_x=chart.log_x, log_y=chart.log_y)
        (folder / f"{name}-{chart_name}.svg").write_text(drawn, encoding="utf-8")


def _run_script(paper: Paper, script: Script, wanted: Wanted) -> dict[str, Any]:
    """Run a program that writes findings.json: for each name, claims with their verdicts and sentences."""
    results = wanted.out / wanted.size / paper.name / script.name
    shutil.rmtree(results, ignore_errors=True)
    results.parent.mkdir(parents=True, exist_ok=True)
    given = (*script.arguments, *(script.quick if wanted.quick else ()))
    if wanted.data is None and any("{data}" in argument for argument in given):
        raise DataMissing("needs files of the data folder; no data folder was given")
    arguments = [argument.format(data=wanted.data, out=results) for argument in given]
    for argument, pattern in zip(arguments, given, strict=True):
        if pattern.startswith("{data}") and not Path(argument).exists():
            raise DataMissing(f"needs {pattern.removeprefix('{data}/')} of the data folder; it has none")
    program = [sys.executable, str(paper.folder / script.file), *arguments]
    found = os.pathsep.join([str(FOLDER.parent), os.environ.get("PYTHONPATH", "")])
    ran = subprocess.run(
        program,
        capture_output=True,
        text=True,
        timeout=wanted.limit_s,
        check=False,
        env={**os.environ, "PYTHONPATH": found},
    )
    if not (results / "findings.json").exists():
        raise RuntimeError((ran.stderr or ran.stdout).strip().splitlines()[-1])
    (paper.folder / "charts").mkdir(exist_ok=True)
    for drawn in results.glob("*.svg") if _is_shown(paper, script.name, wanted) else ():
        shutil.copyfile(drawn, paper.folder / "charts" / f"{script.name}-{drawn.name}")
    return {"charts": json.loads((results / "findings.json").read_text(encoding="utf-8")), "runs": 1}


def _sentence(error: BaseException) -> str:
    text = str(error).strip() or traceback.format_exception_only(error)[-1].strip()
    return f"{type(error).__name__}: {text.splitlines()[0]}"[:300]


def _words(outcome: dict[str, Any]) -> str:
    if "failed" in outcome:
        return f"failed after {outcome['seconds']} s: {outcome['failed']}"
    verdicts = [finding["verdict"] for findings in outcome.get("charts", {}).values() for finding in findings]
    counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(verdicts))
    return f"{outcome['seconds']} s; {counts}" + (f"; {outcome['stopped']}" if "stopped" in outcome else "")
