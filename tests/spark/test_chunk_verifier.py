"""Reconstruction anonymity has the verdict of one machine on a cluster, in a run and on published files."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from sfumato import Chunks, Transactions
from sfumato.errors import DataError
from sfumato.io.published.chunks import chunk_rows
from sfumato.io.published.row_files import Rows
from sfumato.privacy import ReconstructionAnonymity
from sfumato.spark.itemsets import chunk_blocks
from sfumato.spark.itemsets.blocks import blocks_of
from sfumato.spark.itemsets.chunk_blocks import ChunkBlocks, numbered_chunks
from sfumato.spark.itemsets.chunk_rows import ChunkRows
from sfumato.spark.records import Records
from sfumato.spark.verifying import verify
from spark.data import in_files

MODEL = ReconstructionAnonymity(k=2, m=2)
LEFT = {"size": 4, "chunks": [[["a", "b"], ["a", "b"], ["a", "b"]], [["c"], ["c"]]], "terms": ["x"]}
RIGHT = {"size": 3, "chunks": [[["d"], ["d"], ["d"]]], "terms": ["y"]}
JOINT = {"size": 7, "children": [LEFT, RIGHT], "chunks": [[["e"], ["e", "f"], ["e", "f"]]]}
OUTER = {"size": 11, "children": [JOINT, LEFT], "chunks": [[["h"], ["h"], ["h"]]]}
GOOD = [JOINT, OUTER, {"size": 3, "chunks": [[["a"], ["a"], ["a"]]], "terms": []}] * 3


def random_cluster(chance: Random, items: str) -> dict[str, Any]:
    size, cut = chance.randint(2, 4), chance.randint(0, len(items))
    rows = [
        [row for row in ([i for i in part if chance.random() < 0.8] for _ in range(size)) if row]
        for part in (items[: cut // 2], items[cut // 2 : cut])
    ]
    return {"size": size, "chunks": [chunk for chunk in rows if chunk], "terms": list(items[cut:])}


def random_clusters(seed: int) -> list[dict[str, Any]]:
    """Clusters that no method made; most of them break something."""
    chance, clusters = Random(seed), []
    for _ in range(12):
        one, two = random_cluster(chance, "abc"), random_cluster(chance, "acd")
        shared = [chance.choice([["a"], ["e"], ["e"], ["c", "e"]]) for _ in range(chance.randint(0, 5))]
        joint = {"size": one["size"] + two["size"], "children": [one, two], "chunks": [shared] if shared else []}
        clusters += [joint, random_cluster(chance, "bcde")]
    return clusters


def written(files: dict[str, Rows], folder: Path) -> Path:
    folder.mkdir()
    for stem, rows in files.items():
        with (folder / f"{stem}.parquet").open("wb") as file:
            rows.write(file, "parquet")
    return folder


def blocks(spark: Any, chunks: Chunks, original: Records | None = None) -> ChunkBlocks:
    numbers, starts = blocks_of(chunks)
    column = pa.ListArray.from_arrays(pa.array(starts.astype(np.int32)), pa.array(numbers))
    side = replace(Chunks.of([], sensitive=chunks.sensitive), names=chunks.names)
    return ChunkBlocks(spark.createDataFrame(pa.table({"codes": column})), side, original)


def broken_in(change: Any) -> list[dict[str, Any]]:
    """The good clusters, one of which is changed."""
    nested = deepcopy(GOOD)
    change(nested)
    return nested


PLANTED: Sequence[Any] = (
    lambda n: n[4]["children"][1].update(size=1),
    lambda n: n[4].update(size=12),
    lambda n: n[3]["children"][0]["chunks"][0][0].append("g"),
    lambda n: n[4]["children"][0]["children"][1]["terms"].append("h"),  # listed two levels above
    lambda n: n[8].update(chunks=[[["a"], ["a"]]]),
    lambda n: n[4]["chunks"].append([["d"], ["d", "g"], ["d", "g"]]),
    lambda n: n[3]["chunks"].append([["d"]] * 3),
)


def test_published_files_have_the_verdict_of_one_machine(spark: Any, tmp_path: Path) -> None:
    """Clusters with one planted violation, two levels below the other end of it, and clusters that no method made."""
    model = ReconstructionAnonymity(k=2, m=1, l=4)
    chunks = Chunks.of(broken_in(PLANTED[3]) + random_clusters(1), sensitive=["b", "x"])
    rows = ChunkRows.read(spark, written(chunk_rows(chunks), tmp_path / "published"))
    assert len(rows) == len(chunks)
    verdict = verify(model, replace(rows, side=replace(rows.side, sensitive=chunks.sensitive)))
    assert verdict == model.check(chunks)
    assert verdict.holds is False


@pytest.mark.parametrize("number", range(len(PLANTED)))
def test_a_planted_violation_is_found_in_clusters_checked_apart(number: int) -> None:
    """As tasks check them, without a session: the witnesses of one machine, from any division of the clusters."""
    from sfumato.privacy.checks.chunk_conditions import broken_conditions, first_witnesses, rarest_in_chunks

    nested, violations, first = broken_in(PLANTED[number]), [], 0
    for cluster in nested:
        part = Chunks.of([cluster])
        numbers = np.arange(first + 1, first + 1 + len(part.sizes))
        violations += broken_conditions(part, rarest_in_chunks(part, 2), 2, 2, 1, numbers)
        first += len(part.sizes)
    expected = MODEL.check(Chunks.of(nested))
    assert expected.witnesses
    assert first_witnesses(violations[::-1]) == expected.witnesses


def test_runs_have_the_verdict_of_one_machine(spark: Any, tmp_path: Path) -> None:
    """Equal clusters are checked a few times, and count as often as they are there."""
    nested = random_clusters(2) + [{"size": 1, "chunks": [[["a"], ["a"]]], "terms": []}] * 9
    chunks = Chunks.of(nested).published()[0]
    assert verify(MODEL, blocks(spark, chunks)) == MODEL.check(chunks)
    few = Chunks.of([{"size": 2, "chunks": [[["a"], ["a"]]], "terms": ["b"]}] * 3)
    people = Transactions.from_lists([["a"], ["a", "b"], ["b"]] * 2, persons=["u", "v", "w", "u", "v", "x"])
    records = Records.read(spark, in_files(people, tmp_path / "in"), kind="transactions")
    verdict = verify(MODEL, blocks(spark, few, records))
    assert verdict == MODEL.check(few, people)
    assert [witness["broken"] for witness in verdict.witnesses] == [
        "more records than persons",
        "an item of more records than persons have it",
    ]


def test_contradictory_files_are_refused(spark: Any, tmp_path: Path) -> None:
    good = Chunks.of(GOOD)
    frames = {stem: next(iter(rows.batches())) for stem, rows in chunk_rows(good).items()}
    clusters, chunks = frames["clusters"], frames["chunks"]
    parents = clusters["parent"].to_list()
    cases = (
        ({"clusters": clusters.with_columns(parent=pl.Series([99, *parents[1:]]))}, "wanted another cluster as the"),
        ({"clusters": clusters.with_columns(parent=pl.Series([2, *parents[1:]]))}, "found a cluster inside itself"),
        ({"clusters": clusters.reverse()}, "wanted the clusters numbered from 1, found another number"),
        ({"chunks": chunks.with_columns(kind=chunks["kind"].replace("shared", "record"))}, "wanted shared chunks in"),
    )
    for number, (changed, sentence) in enumerate(cases):
        folder = written({stem: Rows.of(frame) for stem, frame in (frames | changed).items()}, tmp_path / str(number))
        with pytest.raises(DataError, match=sentence):
            ChunkRows.read(spark, folder)


def test_blocks_are_shown_as_often_as_they_occur(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some at a time, whatever their lengths: the numbers of clusters follow each other."""
    chunks = Chunks.of(random_clusters(3)).published()[0]
    numbers, starts = blocks_of(chunks)
    chance = Random(3)
    times = np.array([chance.choice([1, 1, 2, 7]) for _ in starts[1:]])
    counts = numbers[starts[1:] - 1]
    first = np.concatenate(([0], np.cumsum(times * counts)))[:-1]
    column = pa.ListArray.from_arrays(pa.array(starts.astype(np.int32)), pa.array(numbers))
    batch = pa.RecordBatch.from_pydict({"codes": column, "times": pa.array(times), "first": pa.array(first)})
    for at_once in (1, 100, 1 << 20):
        monkeypatch.setattr(chunk_blocks, "_AT_ONCE", at_once)
        parts = list(numbered_chunks(batch, chunks))
        assert np.concatenate([part.numbers for part in parts]).tolist() == list(
            range(1, int((times * counts).sum()) + 1)
        )
        assert sum(len(part.chunks) for part in parts) == sum(
            int(size) * int(often) for size, often in zip(chunks.sizes[chunks.parents < 0], times, strict=True)
        )
        few = list(numbered_chunks(batch, chunks, 2))
        assert sum(int(part.weights.sum()) for part in few) == int((times * counts).sum())
        assert sum(len(part.numbers) for part in few) == int((np.minimum(times, 2) * counts).sum())
