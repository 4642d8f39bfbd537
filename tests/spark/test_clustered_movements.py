"""ZGA and SGA on a cluster make the clusters of one machine and publish the same records."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from sfumato import Places, Sga, Trajectories, Zga
from sfumato.cli import cli
from sfumato.errors import Infeasible
from sfumato.io.published import directory
from sfumato.methods.read_back import same_data
from sfumato.methods.record_orders import gray_order
from sfumato.spark.anonymizing import anonymize
from sfumato.spark.movements.ordered_units import _rising
from sfumato.spark.records import Records
from sfumato.verification import verify
from spark.data import in_files

NAMES = [f"p{number:02}" for number in range(30)]


def city(seed: int, n: int, persons: int) -> Trajectories:
    rng = np.random.default_rng(seed)
    where = {name: (float(rng.integers(0, 40)), float(rng.integers(0, 40))) for name in NAMES}
    rows = [[NAMES[i] for i in (rng.zipf(1.4, rng.integers(1, 5)) - 1) % 30] for _ in range(n)]
    people = [f"u{code}" for code in rng.integers(0, persons, n)] if persons else None
    return Trajectories.from_lists(rows, places=Places.planar(where).with_sensitive(NAMES[7::10]), persons=people)


def run(*words: Any) -> dict[str, Any]:
    result = CliRunner().invoke(cli, [str(word) for word in (*words, "--engine", "spark", "--json")])
    assert result.exit_code in (0, 3), result.output
    return dict(json.loads(result.stdout))


def test_zga_halves_clusters_where_one_machine_does(spark: Any, tmp_path: Path) -> None:  # noqa: ARG001
    data = city(3, 160, 0)
    expected = Zga(k=3, l=2, m=2).anonymize(data)
    assert expected.counts["clusters"] > 1
    members = list(expected.data.members.values())
    assert len({place for group in members for place in group}) < sum(map(len, members))  # labels overlap
    assert data.places is not None
    folder, places, out = in_files(data, tmp_path / "in"), tmp_path / "places.csv", tmp_path / "out"
    data.places.frame.select("location", "x", "y", "sensitive").write_csv(places)
    promise = ("--k", 3, "--l", 2, "--m", 2)
    facts = run("anonymize", "zga", folder, *promise, "--places", places, "--out", out)
    assert facts["holds"] is True
    assert facts["certificate"]["guarantees"][0]["verdict"]["holds"] is True
    published = directory.read(out)
    assert same_data(published.data, expected.data)
    assert [path.name for path in (out / "data").iterdir()] == ["part-00001.parquet"]
    assert verify(out).code == 0


def test_sga_joins_clusters_and_suppresses_as_one_machine_does(spark: Any, tmp_path: Path) -> None:
    data, method = city(9, 30, 20), Sga(k=9, l=2, m=3, clusters=2, top=5)
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories", places=data.places)
    expected, release = method.anonymize(data), anonymize(method, records)
    assert expected.counts["suppressed_visits"] > 0
    assert release.counts == expected.counts
    assert [verdict for _, verdict in release.verdicts] == [verdict for _, verdict in expected.verdicts]
    release.write(tmp_path / "out")
    expected.write(tmp_path / "one", format="parquet")
    assert same_data(directory.read(tmp_path / "out").data, expected.data)
    check, other = verify(tmp_path / "out"), verify(tmp_path / "one")
    assert (check.problems, check.verdicts) == ((), other.verdicts)
    with pytest.raises(Infeasible, match=r"^sga: on Spark a cluster has at most 20 visits, one of these would have"):
        anonymize(method, records, most_elements=20)
    few = Sga(k=9, l=2, m=3, clusters=3)
    with pytest.raises(Infeasible, match=r"^sga: clusters=3 of at least k=9 persons need 27 persons with") as refused:
        anonymize(few, records)
    with pytest.raises(Infeasible) as expected_refusal:
        few.anonymize(data)
    assert str(refused.value) == str(expected_refusal.value)


def test_words_rise_where_keys_come_in_gray_order() -> None:
    rng = np.random.default_rng(3)
    keys = [sorted(rng.choice(6, rng.integers(0, 6), replace=False).tolist(), reverse=True) for _ in range(200)]
    offsets = np.concatenate(([0], np.cumsum([len(key) for key in keys])))
    ones = np.array([one for key in keys for one in key])
    starts, letters = _rising(offsets, ones)
    words = [letters[start:end].tolist() for start, end in pairwise(starts)]
    order = gray_order(offsets, ones, np.arange(200))
    assert [words[key] for key in order] == sorted(words)
