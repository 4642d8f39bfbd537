"""What a script of a replication hands back: claims with their verdicts, and a picture for each of its charts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from replications.drawing import picture
from sfumato.experiments.claims import Point, judge
from sfumato.experiments.definition.experiment import Expectation

__all__ = ["Findings"]


class Findings:
    """Claims about charts, by the name of the chart; `write` puts them where the runner looks for them."""

    def __init__(self) -> None:
        self._charts: dict[str, list[dict[str, str]]] = {}
        self._pictures: dict[str, str] = {}

    def add(self, chart: str, claim: str, verdict: str, sentence: str) -> None:
        """A claim that the script judged itself."""
        self._charts.setdefault(chart, []).append({"claim": claim, "verdict": verdict, "sentence": sentence})

    def judge(
        self,
        chart: str,
        lines: Mapping[str, Mapping[Any, float]],
        claims: Iterable[tuple[str, Expectation]],
        *,
        title: str,
        x: str,
        y: str,
        log_y: bool = False,
    ) -> None:
        """Claims about lines of figures, judged and drawn as those of an experiment file are.

        lines : for each configuration, its figure at each setting.
        """
        points = {(name, at): Point(value, value, value) for name, line in lines.items() for at, value in line.items()}
        settings: Sequence[Any] = list(dict.fromkeys(at for line in lines.values() for at in line))
        for claim, expects in claims:
            finding = judge(expects, points, settings, x)
            self.add(chart, claim, finding.verdict, f"{finding.sentence}.")
        self._pictures[chart] = picture(
            title, x, y, {name: list(line.items()) for name, line in lines.items()}, log_y=log_y
        )

    def write(self, folder: str | Path) -> None:
        """Write findings.json and the pictures."""
        out = Path(folder)
        out.mkdir(parents=True, exist_ok=True)
        (out / "findings.json").write_text(json.dumps(self._charts, indent=1, ensure_ascii=False), encoding="utf-8")
        for chart, drawn in self._pictures.items():
            (out / f"{chart}.svg").write_text(drawn, encoding="utf-8")
