"""The pages of the site that scripts make: papers, gallery, examples."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from PIL import Image

from docs import example_list, gallery, notebook_pages, paper_pages
from replications.declarations import read_papers
from sfumato.catalogue import METHODS
from sfumato.cli import cli


def test_every_paper_has_a_page_and_every_page_a_paper() -> None:
    pages = {page.stem: page.read_text("utf-8") for page in paper_pages.PAGES.glob("*.md")}
    wanted = {paper.name: paper_pages.stub(paper.name) for paper in read_papers()}
    assert pages == wanted, "run python -m docs.paper_pages, and remove pages without a paper"


def test_the_page_of_a_paper_names_the_files_that_cite_it() -> None:
    page = paper_pages.paper_page("traffic_icba_2014")
    assert re.search(r"(?m)^- `Icba`: Publish .* In `src/sfumato/methods/trajectories/roads/icba.py`\.$", page)
    assert re.search(r"(?m)^- Strict k-anonymity: .* In `src/sfumato/privacy/strict_k.py`\.$", page)
    assert "**Icba.** Figures 3, 5 and 7 of [1]." in page
    assert "python -m replications traffic_icba_2014" in page


def test_every_paper_is_cited_by_some_code() -> None:
    for paper in read_papers():
        assert "No docstring cites" not in paper_pages.paper_page(paper.name), paper.name


def test_works_are_listed_once_with_all_that_is_built_on_them() -> None:
    table = paper_pages.works_table()
    line = next(line for line in table.splitlines() if "Local and global recoding methods" in line)
    assert all(name in line for name in ("`AprioriAnon`", "`Lra`", "`Vpa`"))
    assert "Traffic information publication" not in table, "this one has a page"


def test_the_gallery_has_every_picture_and_no_other() -> None:
    shown = gallery.pictures_of(gallery.PAGE.read_text("utf-8"))
    assert len(shown) == len(set(shown)) > 5
    assert {path.name for path in gallery.PICTURES.iterdir()} == set(shown), "run python -m docs.gallery"
    for name in shown:
        with Image.open(gallery.PICTURES / name) as picture:
            assert picture.width >= 600


def test_every_picture_of_the_gallery_is_what_a_command_writes() -> None:
    page = gallery.PAGE.read_text("utf-8")
    words = [word for command in gallery.commands_of(page) for word in command]
    assert set(gallery.pictures_of(page)) <= set(words)
    for command in gallery.commands_of(page):
        if command[0] == "sfumato":
            assert command[1] in cli.list_commands(click.Context(cli))
        if command[1] == "anonymize":
            assert command[2] in METHODS


def test_an_example_is_listed_once_with_its_first_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "walk.py").write_text('"""A walk.\n\nMore."""\n')
    (tmp_path / "walk.ipynb").write_text(
        '{"cells": [{"cell_type": "markdown", "source": ["# A walk in cells\\n", "x"]}]}'
    )
    (tmp_path / "shop.sh").write_text("#!/bin/sh\n# A shop.\n# More\n")
    monkeypatch.setattr(example_list, "FOLDER", tmp_path)
    assert [(file.name, example_list.about(file)) for file in example_list.examples()] == [
        ("shop.sh", "A shop."),
        ("walk.ipynb", "A walk in cells."),
    ]


def test_a_shell_script_is_listed_with_the_files_that_it_needs() -> None:
    (row,) = [line for line in example_list.table().splitlines() if "student.sh" in line]
    assert "comparison.toml" in row
    for file in example_list.examples():
        assert all(needed.is_file() for needed in example_list.files_beside(file))


def test_every_notebook_has_a_page_with_its_pictures() -> None:
    pages = {page.stem: page.read_text("utf-8") for page in notebook_pages.PAGES.glob("*.md")}
    assert pages == {name: notebook_pages.stub(name) for name in notebook_pages.notebooks()}, (
        "run python -m docs.notebook_pages, and remove pages without a notebook"
    )
    for name in pages:
        page = notebook_pages.notebook_page(name)
        assert page.startswith("# ")
        assert '<img src="data:image/svg+xml;base64,' in page


def test_a_chart_of_a_notebook_has_room_for_wider_letters() -> None:
    svg = '<svg width="80" height="40" viewBox="0 0 80 40"><rect width="80" height="40"/></svg>'
    wider = '<svg width="104" height="40" viewBox="0 0 104 40"><rect width="80" height="40"/></svg>'
    assert notebook_pages.with_margin(svg) == wider
