"""`sfumato kb visits`, and from there to releases that are verified and attacked with the knowledge base."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato import audit
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from tests.cli.conftest import Run
from tests.semantics.publishing.small_city import city_movement, turtle

FILES = ("visits.csv", "places.csv", "taxonomy.csv")


@pytest.fixture(scope="module")
def city(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knowledge base, and a movement that is linked to it."""
    folder = tmp_path_factory.mktemp("city")
    (folder / "city.ttl").write_text(turtle())
    with KnowledgeBase.create(folder / "kb", ontology=False) as base:
        base.load(folder / "city.ttl")
    city_movement(people=20, accounts=2).write(folder / "movement")
    return folder


@pytest.fixture
def files(run: Run, city: Path, tmp_path: Path) -> list[Path]:
    visits, places, taxonomy = (tmp_path / name for name in FILES)
    ran = run(
        "kb", "visits", city / "movement", "--kb", city / "kb", "--out", visits, "--places-out", places,
        "--taxonomy-out", taxonomy,
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert "of 20 persons in 80 trajectories" in ran.out
    assert "visits.csv is private" in ran.out
    return [visits, places, taxonomy]


@pytest.mark.parametrize(
    ("method", "options", "context"),
    [
        ("cast", ["--taxonomy", "{2}", "--c", "0.5", "--group-size", "5"], {"taxonomy.csv"}),
        ("sd-seqanon", ["--places", "{1}", "--taxonomy", "{2}", "--k", "3", "--m", "2"], set()),
        ("zga", ["--places", "{1}", "--k", "2", "--l", "2", "--m", "2"], {"places.csv"}),
    ],
)
def test_from_links_to_an_attacked_release(
    run: Run, city: Path, files: list[Path], tmp_path: Path, method: str, options: list[str], context: set[str]
) -> None:
    visits, release, report = files[0], tmp_path / "release", tmp_path / "private.json"
    sides = [option.format(*files) for option in options]
    assert run("anonymize", method, visits, *sides, "--out", release, "--report", report).code == 0
    known = [side for side in sides if side.startswith(("--places", "--taxonomy")) or side.endswith(".csv")]
    assert run("verify", release, "--original", visits, "--report", report, *known).code == 0
    published = {path.relative_to(release).as_posix() for path in release.rglob("*") if path.is_file()}
    assert published - {"certificate.json", "data.csv", "members.csv"} == {f"context/{name}" for name in context}
    assert "o0/" not in (release / "data.csv").read_text()  # the names of trails
    ran = run(
        "audit",
        visits,
        "--against",
        release,
        "--report",
        report,
        "--kb",
        city / "kb",
        "--attack",
        "enrichment",
        "--json",
    )
    assert ran.code == 0, ran.err
    [finding] = json.loads(ran.out)["attacks"]
    assert finding["true_places_known"]
    assert finding["known_places"] == finding["places"]
    assert set(finding["by_knowledge"]) == {"nothing", "times", "category", "event", "everything"}
    assert finding["mean"] == finding["by_knowledge"]["times"]
    assert finding["described"]["enriched"]["mean"] >= finding["described"]["plain"]["mean"]


def test_a_release_without_its_original_and_in_python(run: Run, city: Path, files: list[Path], tmp_path: Path) -> None:
    release = tmp_path / "release"
    run(
        "anonymize",
        "sd-seqanon",
        files[0],
        "--places",
        files[1],
        "--taxonomy",
        files[2],
        "--k",
        3,
        "--m",
        2,
        "--out",
        release,
    )
    ran = run("audit", release, "--kb", city / "kb")
    assert ran.code == 0, ran.err
    assert "The true places are not known here" in ran.out
    [finding] = audit(release, kb=city / "kb").findings
    assert f"{finding.mean:.2%} on average" in ran.out
    report = audit(files[0], against=release, attacks=["enrichment"], kb=city / "kb", knowledge="category")
    assert "the category of each visited place" in report.findings[0].knows


def test_without_a_knowledge_base_the_attack_says_so(run: Run, files: list[Path], tmp_path: Path) -> None:
    release = tmp_path / "release"
    run(
        "anonymize",
        "sd-seqanon",
        files[0],
        "--places",
        files[1],
        "--taxonomy",
        files[2],
        "--k",
        3,
        "--m",
        2,
        "--out",
        release,
    )
    ran = run("audit", files[0], "--against", release, "--attack", "enrichment")
    assert ran.code == 2
    assert "enrichment needs a knowledge base with facts about places" in ran.err
    ran = run("audit", files[0], "--against", release, "--knowledge", "times")
    assert (ran.code, "--knowledge needs a knowledge base" in ran.err) == (2, True)


def test_mistakes(run: Run, city: Path, tmp_path: Path) -> None:
    ran = run("kb", "visits", city / "movement", "--kb", city / "kb", "--out", city / "kb" / "kb.json")
    assert ran.code == 2
    assert "would replace a file in the input" in ran.err
    ran = run("kb", "visits", tmp_path / "nothing", "--kb", city / "kb", "--out", tmp_path / "visits.csv")
    assert ran.code == 2
    assert not (tmp_path / "visits.csv").exists()
    ran = run("kb", "visits", city / "movement", "--kb", city / "kb", "--out", tmp_path / "v.csv", "--choose", "best")
    assert "must be one of 'near', 'similar', 'drop'" in ran.err
