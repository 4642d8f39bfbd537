"""chunks.csv and clusters.csv: what is written comes back, and what cannot be meant is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.data import Chunks
from sfumato.errors import DataError, FileError
from sfumato.io.published.chunks import chunk_rows, read_chunks
from sfumato.io.published.row_files import write_content

NESTED = [
    {
        "size": 6,
        "children": [
            {"size": 3, "chunks": [[["a"], ["a", "b"]]], "terms": ["c"]},
            {"size": 3, "chunks": [], "terms": ["d, e"]},
        ],
        "chunks": [[["f"], ["f"]]],
    },
    {"size": 2, "chunks": [], "terms": []},
]


def written(folder: Path, **changed: str) -> Path:
    for stem, rows in chunk_rows(Chunks.of(NESTED)).items():
        write_content(changed.get(stem, rows), folder / f"{stem}.csv")
    return folder


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_chunks_come_back(tmp_path: Path, format: str) -> None:
    for stem, rows in chunk_rows(Chunks.of(NESTED)).items():
        write_content(rows, tmp_path / f"{stem}.{format}")
    assert read_chunks(tmp_path).to_nested() == NESTED


def test_the_order_of_rows_does_not_matter(tmp_path: Path) -> None:
    head, *rows = (written(tmp_path) / "chunks.csv").read_text(encoding="utf-8").splitlines()
    folder = written(tmp_path, chunks="\n".join([head, *rows[::-1]]) + "\n")
    assert read_chunks(folder).to_nested() == NESTED


HEAD = "cluster,chunk,kind,subrecord,item\n"


@pytest.mark.parametrize(
    ("chunks", "sentence"),
    [
        ("cluster,kind\n1,record\n", "wanted the columns cluster, chunk, kind, subrecord, item, found cluster, kind"),
        (HEAD + "2,1,record,1,\n", "line 2: wanted an item, found nothing"),
        (HEAD + "2,1,odd,1,a\n", "line 2: wanted one of the kinds record, shared, term, found another"),
        (HEAD + "2,1,record,1,a\n9,1,record,1,a\n", "line 3: wanted a cluster of clusters.csv, found another"),
        (HEAD + "x,1,record,1,a\n", "line 2: wanted a whole number of at least 1 as the cluster, found something else"),
        (
            HEAD + "2,1,record,,a\n",
            "line 2: wanted a whole number of at least 1 as the subrecord, found something else",
        ),
        (HEAD + "2,1,term,1,a\n", "line 2: wanted no subrecord in a term chunk, found one"),
        (
            HEAD + "1,1,record,1,a\n",
            "line 2: wanted shared chunks in joint clusters and nowhere else, found another kind of chunk",
        ),
        (HEAD + "2,1,record,1,a\n2,1,term,,b\n", "line 2: wanted one kind in a chunk, found two"),
        (HEAD + "2,1,term,,a\n2,2,term,,b\n", "line 2: wanted one term chunk in a cluster, found two"),
    ],
)
def test_bad_chunks_are_refused(tmp_path: Path, chunks: str, sentence: str) -> None:
    with pytest.raises(FileError) as refusal:
        read_chunks(written(tmp_path, chunks=chunks))
    assert str(refusal.value).endswith(sentence)


@pytest.mark.parametrize(
    ("clusters", "sentence"),
    [
        ("cluster,size\n1,2\n", "wanted the columns cluster, size, parent, found cluster, size"),
        ("cluster,size,parent\n2,6,\n", "line 2: wanted the clusters numbered from 1, found another number"),
        (
            "cluster,size,parent\n1,0,\n",
            "line 2: wanted a whole number of at least 1 as the size, found something else",
        ),
        (
            "cluster,size,parent\n1,6,1\n",
            "line 2: wanted another cluster as the parent, found an unknown cluster or the cluster itself",
        ),
        (
            "cluster,size,parent\n1,6,7\n",
            "line 2: wanted another cluster as the parent, found an unknown cluster or the cluster itself",
        ),
    ],
)
def test_bad_clusters_are_refused(tmp_path: Path, clusters: str, sentence: str) -> None:
    with pytest.raises(FileError) as refusal:
        read_chunks(written(tmp_path, clusters=clusters))
    assert str(refusal.value).endswith(sentence)


def test_clusters_inside_each_other_are_refused(tmp_path: Path) -> None:
    clusters = "cluster,size,parent\n1,6,2\n2,6,1\n"
    with pytest.raises(DataError, match="found a cluster inside itself"):
        read_chunks(written(tmp_path, clusters=clusters, chunks=HEAD))
