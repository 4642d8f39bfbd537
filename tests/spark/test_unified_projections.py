"""GSUP on a cluster suppresses what one machine suppresses, although the driver holds only what can change."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sfumato import Gsup, Places, Trajectories
from sfumato.errors import Infeasible
from sfumato.io.published import directory
from sfumato.methods.read_back import same_data
from sfumato.spark.anonymizing import anonymize
from sfumato.spark.records import Records
from spark.data import in_files

OWNED = Places.from_frame({"location": [f"p{n:02}" for n in range(12)], "owner": ["A", "B", "C", ""] * 3})


def visits_of_owners(seed: int, n: int, persons: int) -> Trajectories:
    """Short trajectories to a few places, most of them to the same ones, so that many have no problem."""
    rng = np.random.default_rng(seed)
    lengths = rng.choice([1, 2, 3, 4], n, p=[0.5, 0.3, 0.1, 0.1])
    rows = [[f"p{code:02}" for code in np.minimum(11, rng.zipf(1.5, length) - 1)] for length in lengths]
    people = [f"u{code}" for code in rng.integers(0, persons, n)] if persons else None
    return Trajectories.from_lists(rows, persons=people, places=OWNED)


def test_the_output_is_that_of_one_machine(spark: Any, tmp_path: Path) -> None:
    data, method = visits_of_owners(1, 400, 300), Gsup(threshold=0.5)
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories", places=OWNED)
    release, expected = anonymize(method, records), method.anonymize(data)
    assert expected.counts["suppressed_visits"] > 0
    assert release.counts == expected.counts
    assert [verdict for _, verdict in release.verdicts] == [verdict for _, verdict in expected.verdicts]
    release.write(tmp_path / "out")
    assert same_data(directory.read(tmp_path / "out").data, expected.data)
    limit = r"^gsup: on Spark it takes at most 100 visits and counts, of these data it would take \d+ visits of"
    with pytest.raises(Infeasible, match=limit):
        anonymize(method, records, most_elements=100)
