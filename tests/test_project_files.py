"""What strangers look for first: the picture of the rooms, the targets of make, the files of the project."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from docs.architecture import PICTURE, ROOMS, drawn, floors

ROOT = Path(__file__).parents[1]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
PAGES = ("SECURITY.md", "CODE_OF_CONDUCT.md", "GOVERNANCE.md", "CONTRIBUTING.md")


def test_the_picture_of_the_rooms_is_up_to_date() -> None:
    """If this fails: make architecture."""
    assert PICTURE.read_text("utf-8") == drawn()
    assert "docs/_static/architecture.svg" in CONTRIBUTING


def test_the_picture_shows_every_room() -> None:
    rooms = {room for floor in floors() for room in floor}
    package = ROOT / "src" / "sfumato"
    own = {path.name.removesuffix(".py") for path in package.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert rooms == own - {"__init__", "__main__", "__pycache__"} == set(ROOMS)


def test_every_target_of_make_is_explained() -> None:
    phony = re.search(r"(?m)^\.PHONY: (.+)$", (ROOT / "Makefile").read_text("utf-8"))
    assert phony is not None
    explained = set(re.findall(r"`make ([\w-]+)`", CONTRIBUTING.partition("## Run things")[2].partition("\n## ")[0]))
    assert explained >= set(phony[1].split())


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", (ROOT / page).read_text("utf-8")):
        assert (ROOT / target).is_file(), target


def test_the_governance_has_ten_lines() -> None:
    rules = re.findall(r"(?m)^(\d+)\. ", (ROOT / "GOVERNANCE.md").read_text("utf-8"))
    assert rules == [str(number) for number in range(1, 11)]


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml")), ids=lambda path: path.stem
)
def test_a_form_for_issues_asks_for_something(path: Path) -> None:
    form = yaml.safe_load(path.read_text("utf-8"))
    assert form.keys() >= {"name", "description", "body"}
    assert all(part["type"] == "markdown" or part["attributes"]["label"] for part in form["body"])
    assert any(part.get("validations", {}).get("required") for part in form["body"])
