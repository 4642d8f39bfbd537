"""Anonymity sets in chunks, by looking up every set of items."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from sfumato import Disassociate
from sfumato.attacks import AttackSetting, Reidentify
from sfumato.attacks.attack_report import AttackReport, attack_releases, attack_row
from sfumato.attacks.view.chunk_view import ChunkView
from sfumato.data import Chunks
from sfumato.experiments.reports.board import facts
from sfumato.experiments.reports.board.attacks import attack_blocks
from sfumato.generate import Baskets


def test_every_set_of_items_is_looked_up_in_chunks() -> None:
    baskets = Baskets(records=60, items=12).make(seed=3)
    setting = AttackSetting.of(baskets, Disassociate(k=3, m=2).anonymize(baskets, seed=1))
    found = Reidentify(known=2).run(setting, seed=1)
    worst, random, smallest = [], [], []
    for record in range(len(baskets)):
        items = baskets.codes[baskets.offsets[record] : baskets.offsets[record + 1]].tolist()
        longest = min(2, len(items))
        sizes = {known: setting.seen.may_hold(known) for size in (1, 2) for known in combinations(items, size)}  # type: ignore[attr-defined]
        worst.append(max((1 / size for size in sizes.values() if size), default=0.0))
        chances = [1 / size if size else 0.0 for known, size in sizes.items() if len(known) == longest]
        random.append(float(np.mean(chances)))
        smallest += [size for size in sizes.values() if size]
    assert found.successes.tolist() == pytest.approx(worst)
    assert found.facts["random_mean"] == pytest.approx(np.mean(random))
    assert (found.facts["smallest_anonymity_set"], found.exact) == (min(smallest), True)
    some = Reidentify(known=2, budget=200_000, targets=2).run(setting, seed=1)
    assert (some.tried, some.of, some.exact) == (2, 60, False)
    assert some.worst <= found.worst  # the largest of a sample bounds from below only
    assert (some.bound("worst"), some.bound("mean"), found.bound("worst")) == ("at least ", "about ", "at most ")
    row = attack_row(some)
    assert row[1].startswith("~ ")
    assert row[2].startswith("≥ ")
    shown = "".join(str(block) for block in attack_blocks(AttackReport((some,))))
    assert "≥ " in shown
    assert "≤ " not in shown


@pytest.mark.parametrize("seed", range(4))
def test_sets_in_chunks_are_counted_as_each_cluster_lists_them(seed: int) -> None:
    baskets = Baskets(records=80, items=9, mean_size=3).make(seed=seed)
    chunks = Disassociate(k=3, m=2).anonymize(baskets, seed=seed).data
    seen = ChunkView(chunks, baskets)
    for size in (1, 2, 3):
        for known in combinations(range(len(baskets.names)), size):
            assert seen.may_hold(known) == _literal_count(chunks, {baskets.names[item] for item in known}), known


def _literal_count(chunks: Chunks, known: set[str]) -> int:
    """As the class describes it, cluster by cluster, by the names of the items."""
    names, total = chunks.names, 0
    for simple in np.flatnonzero(~chunks.joint).tolist():
        chain = [simple]
        while chunks.parents[chain[-1]] >= 0:
            chain.append(int(chunks.parents[chain[-1]]))
        sources: dict[str, set[int]] = {}  # of each item the chunks that list it; -1 for a term chunk
        subrecords: dict[int, list[set[str]]] = {}
        for cluster in chain:
            terms = chunks.term_codes[chunks.term_offsets[cluster] : chunks.term_offsets[cluster + 1]]
            for code in terms.tolist():
                sources.setdefault(names[code], set()).add(-1)
            for chunk in np.flatnonzero(chunks.chunk_clusters == cluster).tolist():
                rows = range(chunks.chunk_offsets[chunk], chunks.chunk_offsets[chunk + 1])
                parts = [chunks.codes[chunks.offsets[row] : chunks.offsets[row + 1]].tolist() for row in rows]
                subrecords[chunk] = [{names[code] for code in part} for part in parts]
                for name in set().union(*subrecords[chunk]):
                    sources.setdefault(name, set()).add(chunk)
        if not known <= sources.keys():
            continue
        counts = [int(chunks.sizes[simple])]
        for chunk, parts_of_chunk in subrecords.items():
            here = {name for name in known if sources[name] == {chunk}}
            if here:
                counts.append(sum(here <= part for part in parts_of_chunk))
        total += min(counts)
    return total


def test_every_command_draws_the_same_targets() -> None:
    baskets = Baskets(records=60, items=12).make(seed=3)
    release = Disassociate(k=3, m=2).anonymize(baskets, seed=1)
    first, second = (
        attack_releases(baskets, [release], ["reidentify"], parameters={"budget": 0, "targets": 9}, seed=seed)
        for seed in (None, facts.SEED)
    )
    assert first.findings[0].to_json() == second.findings[0].to_json()
    assert f"The seed of this sample is {facts.SEED}." in first.findings[0].sentences
