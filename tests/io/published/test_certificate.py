"""The certificate: what is parsed is written again byte for byte, in one order of fields."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

import sfumato
from sfumato.errors import FileError
from sfumato.io.published import directory as published
from sfumato.io.published.certificate import CERTIFICATE, Certificate, Guarantee
from sfumato.io.published.certificate_schema import FIELDS, KINDS, OPTIONAL_FIELDS

RELEASES = sorted(path for path in (Path(__file__).parents[2] / "releases").glob("*/*") if path.is_dir())
VERDICT = {"holds": True, "checked_from": "files", "measured": {}, "witnesses": []}
CLAIMED = Certificate(
    kind="trajectories",
    unit="record",
    method="seqanon",
    parameters={"k": 2, "m": 1},
    seeded=True,
    guarantees=(Guarantee("km", {"k": 2, "m": 1}, VERDICT),),
    records={"published": 3},
    not_covered=({"key": "times", "text": "when somebody was where"},),
)


@pytest.mark.parametrize("folder", RELEASES, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_every_release_is_written_as_it_was_parsed(folder: Path) -> None:
    raw = (folder / CERTIFICATE).read_bytes()
    found = Certificate.parse(raw, folder / CERTIFICATE)
    assert found.to_bytes() == raw
    assert found.to_json() == json.loads(raw)


def test_the_fields_have_one_order() -> None:
    whole = replace(CLAIMED, files={"data.csv": "0" * 64}, override=True, policy={"places": "visits"})
    assert list(whole.to_json()) == [
        "sfumato", "kind", "unit", "method", "parameters", "policy", "seeded", "guarantees", "records", "not_covered",
        "override", "files",
    ]  # fmt: skip
    assert set(whole.to_json()) == {*FIELDS, *OPTIONAL_FIELDS}
    turned = json.dumps(dict(reversed(whole.to_json().items()))).encode()
    assert Certificate.parse(turned, "c").to_bytes() == whole.to_bytes()


def test_what_is_not_there_is_not_written() -> None:
    assert not {"files", "override", "policy"} & CLAIMED.to_json().keys()
    assert "beyond" not in CLAIMED.to_json()["guarantees"][0]
    with pytest.raises(FileError, match=r"found no files$"):  # a directory lists its files
        Certificate.parse(CLAIMED.to_bytes(), "c")


def test_the_version_is_that_of_the_library() -> None:
    assert CLAIMED.version == sfumato.__version__
    with pytest.raises(FrozenInstanceError):
        CLAIMED.version = "9"  # type: ignore[misc]


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_original_was(kind: str) -> None:
    assert replace(CLAIMED, kind=kind).original_kind == ("transactions" if kind == "chunks" else kind)


def test_a_release_builds_what_its_directory_says(tmp_path: Path) -> None:
    walks = sfumato.Trajectories.from_lists(["ab", "ab", "b"], places={"a": (0, 0), "b": (1, 0)})
    release = sfumato.SeqAnon(k=2, m=1).anonymize(walks, seed=1)
    found = published.read(release.write(tmp_path / "out"))
    assert replace(found.certificate, files=None) == release.certificate()
    assert found.models == release.method.guarantees
    assert found.raw == (tmp_path / "out" / CERTIFICATE).read_bytes() == found.certificate.to_bytes()


def test_models_that_are_not_installed_are_left_out_and_wrong_parameters_refused(tmp_path: Path) -> None:
    walks = sfumato.Trajectories.from_lists(["ab", "ab"]).published()[0]
    strange = Guarantee("of-my-own", {"x": 1}, VERDICT)
    two = replace(CLAIMED, guarantees=(strange, *CLAIMED.guarantees))
    assert [model.name for model in published.read(published.write(walks, two, tmp_path / "two")).models] == ["km"]
    wrong = replace(CLAIMED, guarantees=(Guarantee("km", {"k": 2}, VERDICT),))
    found = published.read(published.write(walks, wrong, tmp_path / "wrong"))
    with pytest.raises(FileError, match=r"certificate\.json: KmAnonymity: m is required"):
        _ = found.models
