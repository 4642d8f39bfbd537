"""Figures of a dataset: counts, histograms and the map, also of data that were stored without them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from sfumato.errors import DataError
from sfumato.web.workbench.datasets.figures import histogram_of
from sfumato.web.workbench.datasets.reading_job import read_upload
from sfumato.web.workbench.models import Member
from sfumato.web.workbench.versions import new_dataset


def figures_of(client: Any, version: Any) -> str:
    answer = client.get(reverse("data-figures", args=[version.dataset.project_id, version.dataset_id]))
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_baskets_are_uploaded_and_their_items_counted(client: Any, project: Any, work_here: Any) -> None:
    file = SimpleUploadedFile("b.dat", b"items a\nitems b\nb\n")
    page = client.post(reverse("data-new", args=[project.id]), {"file": file})
    work_here()
    looks = client.get(page.url).content.decode()
    assert "<dt>items</dt><dd>5</dd>" in looks
    client.post(page.url, {"name": "b", "kind": "transactions"})
    assert "<td>items</td>" in figures_of(client, project.datasets.get().latest)


def test_data_that_were_stored_without_figures_get_them(client: Any, version: Any) -> None:
    assert version.profile == {}
    assert "<dt>records</dt><dd>12</dd>" in figures_of(client, version)
    version.refresh_from_db()
    assert version.profile["figures"]["records"] == 12


def test_a_map_is_for_those_who_see_rows(client: Any, project: Any, django_user_model: Any) -> None:
    visits = pl.DataFrame({"trajectory": [1, 1], "location": ["a", "b"], "x": [0.0, 1.0], "y": [0.0, 1.0]})
    version = new_dataset(project, "visits", visits, {"kind": "trajectories"})
    picture = reverse("data-map", args=[project.id, version.dataset_id])
    assert picture in figures_of(client, version)
    assert client.get(picture).status_code == 200
    eve = django_user_model.objects.create_user("eve")
    Member.objects.create(project=project, user=eve, role="viewer")
    client.force_login(eve)
    assert picture not in figures_of(client, version)
    assert client.get(picture).status_code == 404


def test_a_text_in_another_encoding_is_read(client: Any, project: Any, work_here: Any) -> None:
    file = SimpleUploadedFile("towns.csv", "age,town\n30,Köln\n31,Graz\n".encode("cp1252"))
    page = client.post(reverse("data-new", args=[project.id]), {"file": file})
    work_here()
    assert "towns.csv, line 2: wanted text in UTF-8" in client.get(page.url).content.decode()
    page = client.post(page.url, {"kind": "", "encoding": "cp1252", "again": "1"})
    work_here()
    assert "Köln" in client.get(page.url).content.decode()
    client.post(page.url, {"kind": "table", "encoding": "cp1252", "name": "towns"})
    assert pl.read_parquet(project.datasets.get().latest.path)["town"].to_list() == ["Köln", "Graz"]
    assert not list((project.folder / "uploads").iterdir())


def test_a_refused_file_has_its_own_name_in_the_sentence(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.csv.gz").write_bytes(b"age\n1\n")
    with pytest.raises(DataError, match=r"^mine\.csv\.gz: wanted a gzip file"):
        read_upload(file="x.csv.gz", name="mine.csv.gz", options={}, roles={}, unpacked=10, progress=lambda *_: None)


def test_a_viewer_sees_what_five_persons_share_and_not_what_one_person_does_often(tmp_path: Path) -> None:
    visits = pl.DataFrame(
        {
            "trajectory": [*range(60), *range(60, 70)],
            "person": ["ann"] * 60 + [f"p{number}" for number in range(10)],
            "location": ["home of ann"] * 60 + ["market"] * 10,
            "time": range(70),
        }
    )
    visits.write_parquet(tmp_path / "visits.parquet")
    reading = {"kind": "trajectories"}
    shown = histogram_of(tmp_path / "visits.parquet", "location", reading, rows_visible=False)
    assert shown.bars == {"market": 10}
    assert histogram_of(tmp_path / "visits.parquet", "time", reading, rows_visible=False).bars == {}
    assert histogram_of(tmp_path / "visits.parquet", "location", reading, rows_visible=True).bars["home of ann"] == 60
