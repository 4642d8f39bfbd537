"""Records as texts, and the original record of each published one."""

from __future__ import annotations

import numpy as np

from sfumato import Disassociate, Mixed, SeqAnon, Table, Trajectories, Transactions, anonymize
from sfumato.experiments.record_frames import original_records, records_frame


def test_long_and_empty_records_are_lines() -> None:
    data = Trajectories.from_lists([["a"] * 42, [], ["b", "a"]])
    lines = records_frame(data)["visits"].to_list()
    assert lines[0].endswith("a, and 2 more")
    assert lines[0].count("a,") == 40
    assert lines[1:] == ["", "b, a"]


def test_a_table_and_mixed_records_keep_their_columns() -> None:
    rows = {"age": [30, 31], "bought": [["tea", "ale"], ["ale"]]}
    mixed = Mixed.from_frame(rows, items="bought", quasi_identifiers=("age",))
    assert records_frame(mixed).to_dicts() == [{"age": "30", "bought": "ale, tea"}, {"age": "31", "bought": "ale"}]
    assert records_frame(Table({"age": [30, None]})).rows() == [("30",), (None,)]


def test_each_published_record_names_its_original() -> None:
    walks = Trajectories.from_lists(["ac", "ab", "ab"], places={"a": (0, 0), "b": (5, 0), "c": (6, 0)})
    release = SeqAnon(k=2, m=1).anonymize(walks)
    origin = original_records(walks, release.data, release.origin)
    assert origin is not None
    assert sorted(origin.tolist()) == [0, 1, 2]
    table = Table({"age": [30, 31, 50, 52]}, quasi_identifiers=("age",))
    rows = anonymize(table, "cluster", k=2)
    places = original_records(table, rows.data, rows.origin)
    assert places is not None
    assert set(np.asarray(table["age"])[places[:2]]) == {30, 31}


def test_chunks_are_rows_of_no_record() -> None:
    baskets = Transactions.from_lists([["tea", "ale"], ["tea"], ["ale", "tea"]])
    release = Disassociate(k=2, m=1).anonymize(baskets)
    assert original_records(baskets, release.data, release.origin) is None
    assert "tea" in str(records_frame(release.data).rows())
