"""Answers of a moment become a dataset of the workbench, and that becomes a release without anything identifying."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato import anonymize, verify
from sfumato.errors import CallerError
from sfumato.web.accounts.models import Event
from sfumato.web.studies.models import Entry, Membership
from sfumato.web.studies.releasing.definition import Definition
from sfumato.web.studies.releasing.snapshots import content_now, made_of, releases_of, take_snapshot
from sfumato.web.workbench.loading import load
from sfumato.web.workbench.models import Member, Project, Run
from sfumato.web.workbench.releases.making import make_release
from sfumato.web.workbench.releases.work import publish_work

SECRET = "Secretopoulou"
ROLES = {"admitted": "known", "drugs": "sensitive"}


def everything_in(folder: Path) -> str:
    return "\n".join(path.read_text("utf-8") for path in folder.rglob("*") if path.is_file())


def evaluated(snapshot: Any, user: Any, **parameters: Any) -> Any:
    """A run of the workbench that has ended, made by the library directly."""
    version = snapshot.version
    project = version.dataset.project
    run = Run.objects.create(project=project, mode="evaluate", version=version, by=user)
    run.definition = {"source": version.source()}
    run.save()
    run.folder.mkdir(parents=True)
    release = anonymize(load(version.source(), project.folder), "cluster", **parameters)
    release.write(run.folder / "release", report=run.folder / "report.json")
    return run


def test_a_snapshot_is_mixed_data_with_labels_texts_and_hierarchies(filled: Any, owner: Any) -> None:
    snapshot = take_snapshot(filled, owner, Definition(roles=ROLES))
    version = snapshot.version
    assert snapshot.entries.count() == 60
    assert filled.project == version.dataset.project
    data: Any = load(version.source(), filled.project.folder)
    assert data.kind == "mixed"
    assert data.column == "Items"
    assert data.table.quasi_identifiers == ("Age", "Town", "Gender", "Admitted")
    assert data.table.sensitive == ("Received drugs", "Drug name")
    assert data.table.frame.columns == [
        "Age", "Town", "Gender", "Temperature (°C)", "Admitted", "Received drugs", "Drug name",
    ]  # fmt: skip
    assert set(data.table["Gender"].drop_nulls()) == {"female", "male"}
    assert data.table["Admitted"].dtype == pl.Date
    assert data.table.hierarchies["Town"].ancestors("Piraeus") == ("Attica", "Greece", "*")
    assert data.table.hierarchies["Age"].ancestors("37")[0] == "[35:39]"
    assert data.table.hierarchies["Age"].rule == ""
    assert data.taxonomy.ancestors("Candida") == ("Microorganisms", "*")
    assert data.taxonomy.ancestors("urinary_tract_infection") == ("Episode:_Diagnosis", "*")
    assert data.taxonomy.rule  # free texts of the answers are private
    assert "sepsis" in data.sensitive
    assert "Candida" not in data.sensitive
    assert len(data.persons.names) == 60
    assert not {str(entry) for entry in snapshot.entries.values_list("id", flat=True)} & set(data.persons.names)
    assert "other" in set(data.table["Drug name"])
    assert SECRET not in version.path.read_bytes().decode("latin-1")
    assert [event.verb for event in Event.objects.filter(project_id=filled.id, verb="snapshot")] == ["snapshot"]


def test_the_published_files_name_nobody(filled: Any, owner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = take_snapshot(filled, owner, Definition(roles=ROLES | {"organisms": "out", "diagnosis": "out"}))
    run = evaluated(snapshot, owner, k=3)
    release = make_release(run, owner, name="First")
    assert verify(release.folder, original=load(snapshot.version.source(), filled.project.folder)).holds
    monkeypatch.chdir(filled.project.folder)
    result = publish_work(
        source=snapshot.version.source(), folder=release.file, report=release.report, override=False,
        progress=lambda *_: None,
    )  # fmt: skip
    assert result["number"] == 1
    texts = everything_in(release.folder)
    assert "Athens" in texts or "Attica" in texts
    pseudonyms = pl.read_parquet(snapshot.version.path)["person"].to_list()
    assert not [name for name in pseudonyms if name in texts]
    for private in (SECRET, "Aspasia", "Old question", "Patient name", str(filled.id)):
        assert private not in texts
    made = made_of(filled)[0]
    assert (made.snapshot.people, made.gone, made.runs, made.releases) == (60, 0, 1, [release])
    second = take_snapshot(filled, owner, Definition(roles=ROLES | {"organisms": "out", "diagnosis": "out"}))
    again = make_release(evaluated(second, owner, k=4), owner, name="Second")
    result = publish_work(
        source=second.version.source(), folder=again.file, report=again.report, override=False,
        progress=lambda *_: None,
    )  # fmt: skip
    assert len(result.get("earlier", ())) == 1 or "release 1" in result["refused"]  # attacked with the first one
    assert list(releases_of(snapshot)) == [release]


def test_summaries_and_coarser_values(filled: Any, owner: Any) -> None:
    definition = Definition(
        roles={"from": "known", "to": "plain", "dose": "plain", "diagnosis": "sensitive", "@centre": "known"},
        summaries={"from": "first", "to": "last", "dose": "count", "diagnosis": "last"},
        coarser={"from": "month", "age": "10", "to": "year", "temperature": "1"},
    )
    frame = pl.read_parquet(take_snapshot(filled, owner, definition).version.path)
    assert frame.columns[8:] == [
        "Episode: Diagnosis (last)", "Episode: From (first, month)", "Episode: To (last, year)",
        "Episode: Dose (count, mg)", "Centre", "Microorganisms",
    ]  # fmt: skip
    people = {entry.answers["values"]["name"]: entry for entry in filled.entries.all()}
    entry = next(entry for entry in people.values() if len(entry.answers["episodes"].get("episode", ())) > 2)
    rows = [row["values"] for row in entry.answers["episodes"]["episode"]]
    order = [str(person) for person in filled.entries.order_by("created", "id").values_list("id", flat=True)]
    row = frame.row(order.index(str(entry.id)), named=True)
    starts = sorted(values["from"] for values in rows if "from" in values)
    assert row["Episode: From (first, month)"] == starts[0][:7]
    assert row["Episode: Dose (count, mg)"] == sum("dose" in values for values in rows)
    assert set(frame["Centre"]) == {"Attiko"}
    assert all(age is None or age % 10 == 0 for age in frame["Age"])
    assert frame["Episode: To (last, year)"].dtype == pl.Int64


def test_rare_texts_leave_only_if_somebody_says_so_and_identifying_answers_never(filled: Any, owner: Any) -> None:
    known = {"drug": "known"}
    frame = content_now(filled, Definition(roles=known)).frame
    assert not [text for text in frame["Drug name"].drop_nulls() if SECRET in text]
    counts = frame["Drug name"].drop_nulls().value_counts()
    assert counts.filter(pl.col("Drug name") != "other")["count"].min() >= 5  # type: ignore[operator]
    entered = content_now(filled, Definition(roles=known, coarser={"drug": ""})).frame
    assert [text for text in entered["Drug name"].drop_nulls() if SECRET in text]
    with pytest.raises(CallerError, match="the form says that this question is identifying"):
        content_now(filled, Definition(roles={"name": "known"}))


def test_items_alone_are_transactions_and_columns_alone_a_table(filled: Any, owner: Any) -> None:
    out = dict.fromkeys(("age", "town", "gender", "temperature", "admitted", "drugs", "drug"), "out")
    sets = take_snapshot(filled, owner, Definition(roles=out))
    assert load(sets.version.source(), filled.project.folder).kind == "transactions"
    table = take_snapshot(filled, owner, Definition(roles={"organisms": "out", "diagnosis": "out"}))
    assert load(table.version.source(), filled.project.folder).kind == "table"
    with pytest.raises(CallerError, match="at least one question"):
        take_snapshot(filled, owner, Definition(roles={**out, "organisms": "out", "diagnosis": "out"}))


def test_drafts_withdrawn_deleted_and_second_entries_are_not_in_it(
    study: Any, enter: Any, bob: Any, eve: Any, owner: Any
) -> None:
    from django.utils import timezone

    entries = [enter(bob, {"age": str(20 + number)}) for number in range(6)]
    now = timezone.now()
    Entry.objects.filter(pk__in=[entry.pk for entry in entries[1:]]).update(complete=now)
    Entry.objects.filter(pk=entries[1].pk).update(withdrawn=now)
    Entry.objects.filter(pk=entries[2].pk).update(deleted=now)
    Entry.objects.filter(pk=entries[3].pk).update(double_of=entries[4])
    assert set(take_snapshot(study, owner, Definition()).entries.all()) == {entries[4], entries[5]}
    assert take_snapshot(study, owner, Definition(drafts=True)).entries.count() == 3
    chosen = {"is": "age", "test": {"between": ["25", ""]}}
    from sfumato.web.studies.filtering.conditions import Between, Is, to_json

    chosen = to_json(Is("age", Between("25", "")))
    assert list(take_snapshot(study, owner, Definition(condition=chosen)).entries.all()) == [entries[5]]


def test_the_project_belongs_to_the_administrators_of_the_study(
    filled: Any, owner: Any, eve: Any, django_user_model: Any
) -> None:
    partner = django_user_model.objects.create_user("partner")
    membership = Membership.objects.create(study=filled, user=partner, role="administrator")
    take_snapshot(filled, owner, Definition())
    project = Project.objects.get()
    assert project.role_of(partner) == project.role_of(owner) == "owner"
    assert project.role_of(eve) is None
    membership.role = "participant"
    membership.save()
    take_snapshot(filled, owner, Definition())
    assert Project.objects.count() == 1
    assert not Member.objects.exists()
