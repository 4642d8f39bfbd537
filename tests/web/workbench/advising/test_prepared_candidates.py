"""Candidates on prepared data: a click prepares and anonymizes, with the release that the command line writes."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from django.urls import reverse

from sfumato import KmSplit, SeqAnon
from sfumato.catalogue import measure_class
from sfumato.cli import main
from sfumato.experiments.advice.advice import Advice, Trial
from sfumato.experiments.advice.candidates import Candidate
from sfumato.methods.preparation_texts import text_of_step
from sfumato.prepare import Grid, RegionsOfInterest, SplitByDay, SplitByWeek, StaysAtPlaces
from sfumato.privacy import KmAnonymity
from sfumato.web.jobs.models import Job
from sfumato.web.workbench.advising.work import advice_figures
from sfumato.web.workbench.evaluation.commands import command_of
from sfumato.web.workbench.models import Run
from sfumato.web.workbench.releases.making import source_of
from sfumato.web.workbench.versions import new_dataset

pytestmark = pytest.mark.django_db
STEPS: list[tuple[Any, ...]] = [
    (Grid(cells=3),),
    (Grid(cells=3), SplitByDay()),
    (RegionsOfInterest(cells=3, density=0.25),),
    (SplitByWeek(offset_h=1.5),),
    (StaysAtPlaces(shortest_s=600),),
]


@pytest.fixture
def walks(project: Any) -> Any:
    """Thirty people, two days each, among 20 places; every second visit stays for 20 minutes."""
    rng = np.random.default_rng(3)
    where = rng.uniform(0, 1000, (20, 2)).round(1)
    rows = [
        {"id": person, "person": f"u{person}", "place": f"p{place:02}", "x": where[place, 0], "y": where[place, 1]}
        | {"time": 86_400 * day + 3600 * hour + minute * 60}
        for person in range(30)
        for day in range(2)
        for hour in (9, 15)
        for place in [int(rng.integers(0, 20))]
        for minute in (0, 20)
    ]
    reading = {"kind": "trajectories", "columns": {"trajectory": "id", "location": "place"}}
    return new_dataset(project, "walks", pl.DataFrame(rows), reading)


def advice(*steps: tuple[Any, ...]) -> dict[str, Any]:
    """An advice whose candidates are on prepared data; the first one is recommended."""
    trials = [
        Trial(
            Candidate(KmSplit(k=3, m=1), preparation=one),
            "ran",
            seconds=0.1,
            figures={"displacement": (float(at), "m")},
            front=at == 0,
            recommended=at == 0,
        )
        for at, one in enumerate(steps)
    ]
    measures = (measure_class("displacement")(),)
    found = Advice((KmAnonymity(k=3, m=1),), measures, tuple(trials), (), 0, 5.0, 1.0)
    return dict(json.loads(json.dumps(advice_figures(found))))


def test_a_click_runs_every_preparation_as_the_command_line_does(
    client: Any, project: Any, walks: Any, work_here: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run.objects.create(project=project, mode="advise", version=walks, summary=advice(*STEPS), title="Advice")
    page = client.get(reverse("run", args=[project.id, run.id])).content.decode()
    assert page.count("Take it<span") == len(STEPS)
    assert "km-split on a grid of 3 x 3 cells" in page
    for number, steps in enumerate(STEPS):
        answer = client.post(reverse("advise-take", args=[project.id, run.id]), {"candidate": number})
        work_here()
        made = Run.objects.get(pk=answer.url.rstrip("/").split("/")[-1])
        assert made.job.state == "done", made.job.sentence
        texts = [text_of_step(step) for step in steps]
        assert made.definition["preparation"] == source_of(made, walks)["preparation"] == texts
        shown = client.get(answer.url).content.decode()
        assert "On prepared data: " in shown
        lines = command_of(walks, made.definition)
        assert lines in unescape(shown)
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        pl.read_parquet(walks.path).write_parquet("walks.parquet")
        for line in lines.split(" && "):
            with pytest.raises(SystemExit) as left:
                main(shlex.split(line)[1:])
            assert left.value.code == 0, line
        for name in ("data.csv", "members.csv", "certificate.json"):
            theirs, ours = folder / "release" / name, made.folder / "release" / name
            assert theirs.exists() == ours.exists()
            assert not theirs.exists() or theirs.read_text() == ours.read_text(), (line, name)


def test_a_release_of_it_is_checked_with_the_prepared_data(
    client: Any, project: Any, walks: Any, work_here: Callable[[], None]
) -> None:
    run = Run.objects.create(project=project, mode="advise", version=walks, summary=advice(STEPS[0]))
    client.post(reverse("advise-take", args=[project.id, run.id]), {"candidate": 0})
    work_here()
    made = Run.objects.get(mode="evaluate")
    client.post(reverse("releases-make", args=[project.id, made.id]), {"title": "cells"})
    release = made.releases.get()
    client.post(reverse("release-verify", args=[project.id, release.id]), {"original": "1"})
    work_here()
    checked = Job.objects.exclude(kind="evaluate").exclude(arguments__source=None)
    assert [job.arguments["source"]["preparation"] for job in checked] == [["grid:cells=3"]]
    assert {job.state for job in Job.objects.all()} == {"done"}
    assert Job.objects.get(kind="verify").result == {"code": 0}


def test_a_candidate_can_be_changed_first_and_its_steps_left_out(client: Any, project: Any, walks: Any) -> None:
    run = Run.objects.create(project=project, mode="advise", version=walks, summary=advice(STEPS[1]))
    address = reverse("evaluate", args=[project.id])
    page = client.get(f"{address}?from={run.id}&candidate=0").content.decode()
    assert re.findall(r'name="preparation" value="([^"]+)" checked', page) == ["grid:cells=3", "split-by-day"]
    assert "sfumato prepare grid walks.parquet --cells 3" in unescape(page)
    fields = {"sent": "1", "version": str(walks.id), "method": "seqanon", "p-k": "3", "p-m": "1"}
    client.post(address, {**fields, "preparation": ["grid:cells=3"]})
    client.post(address, fields)
    kept = [made.definition["preparation"] for made in Run.objects.filter(mode="evaluate").order_by("created")]
    assert kept == [["grid:cells=3"], []]
    assert client.post(address, {**fields, "preparation": ["cube"]}).status_code == 404
    refused = client.post(reverse("evaluate-add", args=[project.id]), {**fields, "preparation": ["grid:cells=3"]})
    assert "wanted a configuration for the data as they are" in refused.content.decode()


def test_an_alternative_on_prepared_data_can_be_tried(client: Any, project: Any, walks: Any) -> None:
    definition = {"version": str(walks.id), "method": "seqanon", "parameters": SeqAnon(k=3, m=1).to_json()}
    definition |= {"measures": [], "promises": [], "seed": None, "vary": None}
    run = Run.objects.create(project=project, mode="evaluate", version=walks, definition=definition)
    run.folder.mkdir(parents=True)
    other = {"method": "seqanon", "parameters": definition["parameters"], "preparation": ["grid:cells=20"]}
    facts = {"heavy_losses": [{"sentence": "20 places -> 1 label", "alternatives": [other]}]}
    (run.folder / "evaluation.json").write_text(json.dumps(facts))
    page = client.get(f"{reverse('evaluate', args=[project.id])}?from={run.id}&loss=0&alternative=0").content.decode()
    assert 'name="preparation" value="grid:cells=20" checked' in page
