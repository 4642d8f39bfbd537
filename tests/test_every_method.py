"""The common trial: what every registered method must do, whatever its data kind."""

from __future__ import annotations

import json
import re
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from datasets import CORNERS, build, datasets, parameters, shuffled, with_k
from mutations import mutants
from oracles import HOLDS
from sfumato.catalogue import METHODS, MODELS, method_class, model_class
from sfumato.cli.anonymize import command as anonymize_command
from sfumato.cli.shared.options import sides_of
from sfumato.data import Persons, Policy, Transactions
from sfumato.errors import Infeasible
from sfumato.io.published import directory
from sfumato.methods import Method, Release
from sfumato.methods.read_back import same_data
from sfumato.privacy import Epsilon
from sfumato.verification import verify
from toys import TOYS

REGISTERED = [method_class(name) for name in METHODS]
EVERY = [pytest.param(method, id=method.name) for method in (*REGISTERED, *TOYS)]
SEED = 918273645
# words of a refusal for another reason than too few people, by the name of the method
EXCUSES: dict[str, tuple[str, ...]] = {
    "zga": ("allows the same sensitive location in at most one of",),
    "sga": ("allows the same sensitive location in at most one of",),
    "u-seqanon": ("would have to be suppressed",),
    **dict.fromkeys(("apriori", "lra", "vpa"), ("too large for these data",)),
    **dict.fromkeys(("incognito", "top-down", "bottom-up"), ("too large for these data",)),
    **dict.fromkeys(("cluster", "local"), ("too large for these data",)),
    **dict.fromkeys(("coat", "pcta"), ("would have to be suppressed",)),
    "cast": ("group_size",),
    **dict.fromkeys(("r-first", "t-first"), ("too large for these data",)),
    **dict.fromkeys(("rum-bound", "tum-bound"), ("too large for these data", "cannot be met")),
    **dict.fromkeys(("bf-p2ka", "icba", "cba"), ("leaves nothing to publish",)),
}

_TRANSACTIONS = ("sensitive", "privacy_policy", "utility_policy")  # the context of promises about sets of items
every_method = pytest.mark.parametrize("method", EVERY)
thorough = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
brief = settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


def smallest(method: type[Method]) -> dict[str, Any]:
    """The least demanding legal parameters."""
    least = {p.name: 1.0 if p.type is float else int(p.at_least or 1) for p in method.parameters()}
    return {p.name: p.default if not p.required else least[p.name] for p in method.parameters()}


def by_twin(release: Release) -> bool:
    """Whether every guarantee holds by its brute-force twin, counting persons where they are known."""
    guarantees = release.method.guarantees
    return all(HOLDS[type(model)](model, examined(model, release), release.original) for model in guarantees)


def examined(model: Any, release: Release) -> Any:
    """What tells whether a promise holds: the published records, or what the ledger has recorded of the noise."""
    if isinstance(model, Epsilon):
        return release.budget.spends
    return release.data.with_persons(release.persons)


def new_release(method: type[Method], people: bool = False) -> Release:
    """A release with something in it, from data large enough for every method."""
    chance = Random(5)
    rows = [[chance.choice("abcdef") for _ in range(chance.randint(1, 4))] for _ in range(40)]
    who = [f"person-{chance.randrange(25)}" for _ in rows] if people else None
    return method.from_json(smallest(method)).anonymize(build(method.kind, rows, who), seed=SEED)


a_release = cache(new_release)  # for the tests that look at one


def everything_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


@every_method
@thorough
@given(draw=st.data())
def test_the_promise_holds_by_the_twin_on_random_data_which_is_untouched(
    method: type[Method], draw: st.DataObject
) -> None:
    data = draw.draw(datasets(method.kind))
    before = _fingerprint(data)
    chosen = method.from_json(draw.draw(parameters(method)))
    try:
        release = chosen.anonymize(data, seed=SEED)
    except Infeasible:
        assume(False)
    assert by_twin(release)
    assert release.holds
    assert _fingerprint(data) == before


def _fingerprint(data: Any) -> tuple[Any, ...]:
    persons = None if data.persons is None else data.persons.codes.tobytes()
    if data.kind == "table":
        return (data.frame.hash_rows().to_list(), persons)
    if data.kind == "mixed":
        return (data.table.frame.hash_rows().to_list(), persons, *_fingerprint(data.items))
    return (data.codes.tobytes(), data.offsets.tobytes(), data.names, persons, data.ids.to_list(), dict(data.members))


@every_method
@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("step", [0, 1])
def test_the_promise_holds_in_every_corner(method: type[Method], corner: str, step: int) -> None:
    rows, who, k = CORNERS[corner]
    values = {
        p.name: value + step if p.type is int and p.or_word is None and value is not None else value
        for p in method.parameters()
        for value in (smallest(method)[p.name],)
    }
    data = build(method.kind, rows, who)
    try:
        release = method.from_json(with_k(values, k)).anonymize(data, seed=SEED)
    except Infeasible as refusal:
        crowd = (
            len(set(data.units[data.lengths > 0].tolist()))
            if hasattr(data, "lengths")
            else len(set(data.units.tolist()))
        )
        if any(excuse in str(refusal) for excuse in EXCUSES.get(method.name, ())):
            return
        assert crowd < k, "only too few people excuse a refusal here"
        assert str(k) in str(refusal)  # noqa: PT017
        return
    assert by_twin(release)
    assert release.holds


@every_method
@pytest.mark.parametrize("people", [False, True], ids=["records", "persons"])
def test_the_verifier_refuses_spoiled_releases(method: type[Method], people: bool) -> None:
    release = a_release(method, people)
    refused = 0
    for model in release.method.guarantees:
        check = model.check_spends if isinstance(model, Epsilon) else partial(model.check, original=release.original)
        ledger = examined(model, release) if isinstance(model, Epsilon) else release.data
        for tried, spoiled in enumerate(mutants(ledger, release.persons, Random(1), 300)):
            if tried >= 120 and refused >= 20:
                break
            expected = HOLDS[type(model)](model, spoiled, release.original)
            assert check(spoiled).holds is expected
            refused += not expected
    assert refused >= 20


@every_method
def test_a_seed_repeats_the_output(method: type[Method], tmp_path: Path) -> None:
    for name in ("one", "two"):
        new_release(method).write(tmp_path / name)
    assert everything_in(tmp_path / "one") == everything_in(tmp_path / "two")


@every_method
@brief
@given(draw=st.data())
def test_parameters_survive_json(method: type[Method], draw: st.DataObject) -> None:
    chosen = method.from_json(draw.draw(parameters(method)))
    assert method.from_json(json.loads(json.dumps(chosen.to_json()))) == chosen


@every_method
def test_a_method_says_who_it_is(method: type[Method]) -> None:
    chosen = method.from_json(smallest(method))
    assert method.promises == tuple(model.name for model in chosen.guarantees)
    assert all(model.name in MODELS and model_class(model.name) is type(model) for model in chosen.guarantees)
    assert method.title
    assert method.paper
    assert (method.__doc__ or "").partition("\n")[0].endswith(".")


PARAMETERS_OF = {
    "l > 1": {"l": 3},
    "l is given": {"l": 3},
    "t < 1": {"t": 0.3},
    "m = 0": {"m": 0, "transaction": "coat"},
}


@every_method
def test_a_further_promise_needs_the_parameters_that_are_named_for_it(method: type[Method]) -> None:
    for model, condition in method.promises_if.items():
        if condition == "privacy_policy = all:m":
            data = Transactions.from_lists([["a"]]).with_policies(Policy(size=2))
            guarantees = method.from_json(smallest(method)).guarantees_on(data)
        else:
            guarantees = method.from_json(smallest(method) | PARAMETERS_OF[condition]).guarantees
        assert model in {guarantee.name for guarantee in guarantees}, (method.name, model)


def test_every_promise_is_kept_by_a_method() -> None:
    assert {model for name in METHODS for model in method_class(name).possible_promises()} >= set(MODELS.built_in)


@pytest.mark.parametrize("name", METHODS)
def test_the_command_line_knows_every_parameter_and_need(name: str) -> None:
    method = method_class(name)
    assert method.name == name
    command = anonymize_command.get_command(None, name)  # type: ignore[arg-type]
    options = {option for parameter in command.params for option in parameter.opts}
    wanted = {f"--{parameter.name.replace('_', '-')}" for parameter in method.parameters()}
    wanted |= {f"--{side.replace('_', '-')}" for side in sides_of(method.needs, method.kind)}
    assert wanted | {"--out", "--report", "--measure", "--seed", "--person", "--columns", "--kind", "--json"} <= options


@every_method
@pytest.mark.parametrize("people", [False, True], ids=["records", "persons"])
def test_the_published_directory_is_sound(method: type[Method], people: bool, tmp_path: Path) -> None:
    release = a_release(method, people)
    release.write(tmp_path / "out", report=tmp_path / "report.json")
    files = everything_in(tmp_path / "out")
    context = {f"context/{name}.csv" for name in ("roles", "places", "taxonomy", "nodes", "roads", *_TRANSACTIONS)}
    tables = {"chunks.csv", "clusters.csv"} if release.data.kind == "chunks" else {"data.csv", "members.csv"}
    assert set(files) <= {*tables, "certificate.json"} | context
    everything = b"\n".join(files.values()).decode()
    for private in ("private-id", "person-", str(SEED), "second", 'seed"', 'origin"'):
        assert private not in everything
    certificate = json.loads(files["certificate.json"])
    assert certificate["seeded"] is True
    assert certificate["unit"] == ("person" if people else "record")
    assert set(certificate) - {"policy"} == {
        "sfumato", "kind", "unit", "method", "parameters", "seeded", "guarantees", "records", "not_covered", "files",
    }  # fmt: skip
    assert certificate["not_covered"]
    assert any("several records of one person" in limit["text"] for limit in certificate["not_covered"]) is not people
    if people:
        assert all(g["verdict"]["measured"] == {} for g in certificate["guarantees"])
    check = verify(tmp_path / "out")
    assert check.problems == ()
    installed = method.name in METHODS
    untold = people or method.counts_originals
    untold |= any(model.needs_original or isinstance(model, Epsilon) for model, _ in check.verdicts)
    assert check.code == (3 if untold or not installed else 0)
    for model, verdict in check.verdicts:
        by_files = not (people or method.counts_originals or model.needs_original or isinstance(model, Epsilon))
        assert verdict.holds == (True if by_files else "not checkable")
        if isinstance(model, Epsilon):  # soundness rule 3
            assert certificate["records"] == {"published": len(release.data)}
            assert any(limit["key"] == "seed-known" for limit in certificate["not_covered"])
    whole = verify(tmp_path / "out", original=release.original)
    assert all(verdict.holds is True for model, verdict in whole.verdicts if model.needs_original)
    assert whole.problems == ()
    if installed and release.origin is not None and not method.untruthful:
        told = verify(tmp_path / "out", original=release.original, report=tmp_path / "report.json")
        assert told.code == 0, told
    if release.data.kind == "chunks":
        assert release.data.published()[0].to_polars().equals(release.data.to_polars())
        return
    _assert_sorted(pl.read_csv(tmp_path / "out" / "data.csv"), method.kind)


def _assert_sorted(frame: pl.DataFrame, kind: str) -> None:
    """Records are numbered from 1 in the order of their content."""
    if kind in ("table", "mixed"):
        assert frame.equals(frame.sort(frame.columns, nulls_last=False))
        return
    if kind == "roads":
        frame = frame.with_columns((pl.col("interval") + "|" + pl.col("road") + pl.col("direction")).alias("whole"))
    number, label = frame.columns[0], frame.columns[-1]
    contents = frame.group_by(number, maintain_order=True).agg(pl.col(label))
    assert contents[number].to_list() == list(range(1, len(contents) + 1))
    assert contents[label].to_list() == sorted(contents[label].to_list())


@every_method
@pytest.mark.parametrize("people", [False, True], ids=["records", "persons"])
def test_both_formats_publish_the_same_release(method: type[Method], people: bool, tmp_path: Path) -> None:
    release = a_release(method, people)
    folders = {name: tmp_path / name for name in ("csv", "parquet", "again")}
    for name, folder in folders.items():
        release.write(folder, format="csv" if name == "csv" else "parquet")
    files = everything_in(folders["parquet"])
    assert files == everything_in(folders["again"])
    context = {name for name in files if name.startswith("context/")}
    shapes = {"chunks", "clusters"} if release.data.kind == "chunks" else {"data", "members"}
    assert set(files) - context <= {"certificate.json", *(f"{shape}.parquet" for shape in shapes)}
    for private in (b"private-id", b"person-", str(SEED).encode(), b"pandas"):
        assert not any(private in content for content in files.values())
    by_csv, by_parquet = (directory.read(folders[name]) for name in ("csv", "parquet"))
    assert by_parquet.problems == ()
    facts = {fact for model, _ in release.verdicts for fact in model.context}
    assert same_data(by_csv.data, by_parquet.data, facts)
    assert same_data(by_parquet.data, by_csv.data, facts)
    certificates = [{**published.certificate.to_json(), "files": None} for published in (by_csv, by_parquet)]
    assert certificates[0] == certificates[1]
    sides = (None, release.original)
    checks = [verify(folders[name], original=side) for name in ("csv", "parquet") for side in sides]
    assert [check.to_json() for check in checks[:2]] == [check.to_json() for check in checks[2:]]
    assert all(check.problems == () for check in checks)


@every_method
@brief
@given(draw=st.data())
def test_the_private_order_does_not_show(method: type[Method], draw: st.DataObject) -> None:
    data = draw.draw(datasets(method.kind))
    chosen = method.from_json(draw.draw(parameters(method)))
    order = np.array(draw.draw(st.permutations(range(len(data)))))
    try:
        one, two, other_seed = (
            chosen.anonymize(given, seed=seed)
            for given, seed in ((data, SEED), (shuffled(data, order), SEED), (data, SEED + 1))
        )
    except Infeasible:
        assume(False)
    if one.data.to_polars().equals(other_seed.data.to_polars()):  # no randomness in it
        assert one.data.to_polars().equals(two.data.to_polars())


@every_method
@brief
@given(draw=st.data())
def test_what_is_certified_is_never_denied_by_its_files(method: type[Method], draw: st.DataObject) -> None:
    """One person has three records, others may have several: the files alone show records."""
    data = draw.draw(datasets(method.kind).filter(lambda some: len(some) >= 4))
    who = draw.draw(st.lists(st.sampled_from("uvwxyz"), min_size=len(data), max_size=len(data)))
    data = data.with_persons(Persons.of([*"uuu", *who[3:]]))
    try:
        release = method.from_json(draw.draw(parameters(method))).anonymize(data, seed=SEED)
    except Infeasible:
        assume(False)
    assert release.holds
    with TemporaryDirectory() as folder:
        check = verify(release.write(Path(folder) / "out"))
        whole = verify(Path(folder) / "out", original=data)
    for found in (check, whole):
        assert found.problems == ()
        assert all(verdict.holds is not False for _, verdict in found.verdicts)


@every_method
@pytest.mark.parametrize("call", [1, 2, 3])
def test_a_killed_run_leaves_nothing(
    method: type[Method], call: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = a_release(method, False)
    calls = 0
    write_content = directory.write_content

    def killed(content: Any, path: Path) -> str:
        nonlocal calls
        calls += 1
        if calls == call:
            path.write_bytes(b"half a fi")
            raise KeyboardInterrupt
        return write_content(content, path)

    monkeypatch.setattr(directory, "write_content", killed)
    try:
        release.write(tmp_path / "out", report=tmp_path / "report.json")
    except KeyboardInterrupt:
        assert list(tmp_path.iterdir()) == []
    else:
        assert calls < call
        monkeypatch.undo()
        assert verify(tmp_path / "out").code != 1


def test_every_model_has_a_twin() -> None:
    assert set(HOLDS) == {model_class(name) for name in MODELS}


def test_every_method_has_a_test_file() -> None:
    files = {path.stem for path in (Path(__file__).parent / "methods").rglob("test_*.py")}
    for where in METHODS.values():
        module = re.sub(r".*\.", "", where.partition(":")[0])
        assert f"test_{module}" in files
