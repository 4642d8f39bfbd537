"""Methods on a cluster give the output of one machine, in a directory that one machine verifies."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato import Constraints, SeqAnon, Taxonomy
from sfumato.errors import CallerError, Infeasible
from sfumato.io.published import directory
from sfumato.methods.read_back import same_data
from sfumato.methods.trajectories.owners.lsup import Lsup
from sfumato.methods.trajectories.seqanon.sd_seqanon import SdSeqAnon
from sfumato.methods.trajectories.seqanon.seqanon_f import SeqAnonF
from sfumato.methods.trajectories.seqanon.u_seqanon import USeqAnon
from sfumato.spark.anonymizing import anonymize
from sfumato.spark.describing import describe
from sfumato.spark.records import Records
from sfumato.verification import verify
from spark.data import PLACES, in_files, walks

NUMBERED = list(enumerate(sorted(PLACES.frame["location"])))
KNOWLEDGE = {
    "places": PLACES,
    "taxonomy": Taxonomy(
        {"any": None, **{f"row{n}": "any" for n in range(3)}, **{p: f"row{n // 4}" for n, p in NUMBERED}}
    ),
    "constraints": Constraints({place: f"column{number % 4}" for number, place in NUMBERED}),
}


@pytest.mark.parametrize(
    ("persons", "method"),
    [
        (True, SeqAnon(k=5, m=2)),
        (False, SeqAnon(k=4, m=5)),
        (False, SeqAnon(k=6, m=2, suppression=0.3)),
        (True, SeqAnonF(k=5, m=2)),
        (True, SdSeqAnon(k=5, m=2)),
        (True, USeqAnon(k=9, m=2, delta=90)),
    ],
    ids=str,
)
def test_the_output_is_that_of_one_machine(spark: Any, persons: bool, method: Any, tmp_path: Path) -> None:
    data = replace(walks(7, persons=persons), **KNOWLEDGE)
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories", **KNOWLEDGE)
    release = anonymize(method, records)
    expected = method.anonymize(data)
    assert release.holds
    assert release.counts == expected.counts
    certificate = release.write(tmp_path / "out", part_records=60)
    published = directory.read(tmp_path / "out")
    assert not published.problems
    assert same_data(published.data, expected.data)
    assert certificate.to_json()["records"] == expected.certificate().to_json()["records"]
    check = verify(tmp_path / "out", original=data)
    assert check.problems == ()
    assert check.code == (3 if persons and expected.counts.get("suppressed_locations") else 0)
    rows = release.to_frame().orderBy("trajectory", "step").toArrow()
    assert pl.DataFrame(rows).rows() == pl.read_parquet(tmp_path / "out" / "data" / "*.parquet").rows()


def test_a_dataframe_of_a_session_goes_in(spark: Any) -> None:
    rows = [(str(record), step, place) for record in range(12) for step, place in enumerate(("p00", "p01"))]
    frame = spark.createDataFrame(rows, "id string, time int, location string")
    places = walks(1, persons=False, n=4).places
    release = anonymize("seqanon", frame, k=3, m=2, columns={"trajectory": "id"}, places=places)
    assert release.holds
    assert release.to_frame().count() == 24


def test_a_description(spark: Any, tmp_path: Path) -> None:
    data = walks(2, persons=True, n=50)
    figures = describe(Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories"))
    assert figures["records"] == 50
    assert figures["visits"] == len(data.codes)
    assert figures["persons"] == len(data.persons)


def test_refusals(spark: Any, tmp_path: Path) -> None:
    data = walks(2, persons=False, n=20)
    records = Records.read(spark, in_files(data, tmp_path / "in"), kind="trajectories", places=data.places)
    with pytest.raises(CallerError, match=r"^spark: lsup does not run on Spark"):
        anonymize(Lsup(), records)
    with pytest.raises(Infeasible, match=r"k=50 needs at least 50 records with a visit, these data have 20"):
        anonymize(SeqAnon(k=50, m=2), records)
