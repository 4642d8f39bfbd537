"""The files of an audit: complete, offline, and about nobody."""

from __future__ import annotations

import builtins
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato import Trajectories, Transactions
from sfumato.attacks import Audit, Findings
from sfumato.errors import MissingExtra, OutputError
from sfumato.experiments.reports.audit_chart import draw_audit, summary
from sfumato.experiments.reports.audit_page import figures_frame, known_rows, write_audit
from sfumato.generate import Checkins

NAMES = [f"name-{number}" for number in range(6)]


@pytest.fixture(scope="module")
def exact() -> Findings:
    rows = [list(row) for row in ("dace", "baec", "ade", "bdec", "dc", "de")]
    return Audit(known=2).run(Trajectories.from_lists(rows, persons=NAMES, ids=[f"id-{name}" for name in NAMES]))


@pytest.fixture(scope="module")
def sampled() -> Findings:
    town = Checkins(trajectories=600, locations=15, mean_length=6, persons=300).make(seed=1)
    return Audit(known=3, budget=0).run(town, seed=1)


def values(chart: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The data of every layer of every panel; equal ones are shared by a panel."""
    return [layer.get("data", panel.get("data"))["values"] for panel in chart["hconcat"] for layer in panel["layer"]]


def test_the_summary_says_it_in_one_sentence(exact: Findings, sampled: Findings) -> None:
    assert summary(exact) == (
        "Of 6 persons, 67% are unique to an attacker who knows their worst 2 visits, "
        "and 17% to one who knows 2 random visits."
    )
    assert re.search(r"about [\d.]+% or more are unique .* worst 3 visits, and about [\d.]+% to", summary(sampled))
    baskets = Audit(known=1).run(Transactions.from_lists([["a"], ["a"]]))
    assert summary(baskets) == (
        "Of 2 records, 0% are unique to an attacker who knows their worst 1 item, "
        "and 0% to one who knows 1 random item."
    )


def test_the_chart_shows_the_figures(exact: Findings) -> None:
    drawn = draw_audit(exact, "walks.csv").to_dict()
    assert drawn["title"]["text"] == "walks.csv"
    curve = {(row["known"], row["figure"]): row["value"] for row in values(drawn)[0]}
    assert curve == {
        (known, figure): exact.figure(figure, known)
        for known in (1, 2, 3, 4)
        for figure in ("unique_worst", "unique_random")
    }
    bars = {row["anonymity_set"]: row["value"] for row in values(drawn)[-1]}
    assert bars == pytest.approx({"1": 4 / 6, "2": 0, "3-4": 2 / 6})
    assert "rule" not in str(drawn["hconcat"][0]["layer"])


def test_samples_show_their_intervals(sampled: Findings) -> None:
    drawn = draw_audit(sampled).to_dict()
    for panel in drawn["hconcat"]:
        assert any(layer["mark"]["type"] == "rule" for layer in panel["layer"])
    assert "drawn at random" in " ".join(drawn["title"]["subtitle"])
    assert re.fullmatch(r"\d+(\.\d)?% \(\d+(\.\d)?-\d+(\.\d)?\)", known_rows(sampled)[2][1])


@pytest.mark.parametrize("ending", ["html", "png", "svg", "pdf", "csv"])
def test_every_format_and_nobody_in_it(exact: Findings, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"audit.{ending}"
    write_audit(exact, path, title="<walks>.csv")
    content = path.read_bytes()
    assert content[:4] == {"html": b"<!do", "png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF", "csv": b"know"}[ending]
    assert b"name-" not in content
    assert b"id-name" not in content
    if ending == "html":
        page = content.decode()
        assert "<title>Audit of &lt;walks&gt;.csv</title>" in page
        outside = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
        assert "<h2>How to read it</h2>" in outside
        assert not re.search(r"<script|src=|href=|url\(", outside)
        assert "<walks>" not in page.partition('vegaEmbed("#chart"')[2]
    if ending == "csv":
        found = pl.read_csv(path, schema_overrides={"anonymity_set": pl.String, "low": pl.Float64, "high": pl.Float64})
        assert found.equals(figures_frame(exact))


def test_an_audit_of_nobody_is_drawn(tmp_path: Path) -> None:
    found = Audit().run(Trajectories.from_lists([]))
    write_audit(found, tmp_path / "audit.svg")
    assert (tmp_path / "audit.svg").stat().st_size > 0


def test_refusals(exact: Findings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OutputError, match=r"audit\.gif: wanted a file that ends in \.html, \.png"):
        write_audit(exact, tmp_path / "audit.gif")
    with pytest.raises(OutputError, match=r"the directory .* does not exist; make it first"):
        write_audit(exact, tmp_path / "nowhere" / "audit.csv")
    real = builtins.__import__

    def without_altair(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "altair":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_altair)
    with pytest.raises(MissingExtra, match=r"^altair is not installed: pip install 'sfumato\[report\]', or in a "):
        write_audit(exact, tmp_path / "audit.png")
    write_audit(exact, tmp_path / "audit.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["audit.csv"]
