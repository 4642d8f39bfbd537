"""Set-up: extras that have a user, and install lines that work from a checkout as well as from a package index."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
import yaml

import sfumato

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
OWN = {"docs", "dev"}  # for those who work on the project
TEXTS = [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
MODULES = {
    "vl-convert-python": "vl_convert",
    "typst": "typst",
    "pillow": "PIL",
    "Pillow": "PIL",
    "Django": "django",
    "django-allauth": "allauth",
    "django-csp": "csp",
    "django-ninja": "ninja",
    "argon2-cffi": "argon2",
}  # where a package is imported under another name


def test_every_extra_has_a_user() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    for extra in EXTRAS.keys() - OWN:
        assert re.search(rf'MissingExtra\([^)]*"{extra}"\)', code), f"no code asks for the extra {extra}"
        for requirement in EXTRAS[extra]:
            package = re.match(r"[\w.-]+", requirement)
            assert package is not None
            module = MODULES.get(package[0], package[0].replace("-", "_"))
            assert re.search(rf'(?:import|from) {module}\b|"{module}"', code), f"nothing imports {package[0]}"


def test_every_extra_is_in_the_tables() -> None:
    for page in ("README.md", "docs/dependencies.md"):
        text = (ROOT / page).read_text("utf-8")
        rows = [line for line in text.splitlines() if line.startswith("| `")]
        for extra in EXTRAS:
            assert any(f"`{extra}`" in row.split("|")[1] for row in rows), f"{page} does not name {extra}"
    listed = re.findall(r"(?m)^\| `(\w+)` \|", (ROOT / "docs/dependencies.md").read_text("utf-8"))
    assert set(listed) <= set(EXTRAS)


@pytest.mark.parametrize("extra", sorted(EXTRAS.keys() - {"dev"}))
def test_every_package_is_in_the_tables(extra: str) -> None:
    text = (ROOT / "docs/dependencies.md").read_text("utf-8")
    row = next(row for row in text.splitlines() if row.startswith(f"| `{extra}` |"))
    shown = row if extra != "web" else row + text.partition("### The workbench")[2]
    for requirement in EXTRAS[extra]:
        name, _, options = re.split(r"[\]<>=;]", requirement)[0].partition("[")
        for shown_name in options.split(",") if name == "sfumato" else [name]:
            assert shown_name in shown, f"{extra}: docs/dependencies.md does not name {shown_name}"


def test_install_lines_work_from_a_checkout_too() -> None:
    seen = 0
    for path in TEXTS:
        for line in path.read_text("utf-8").splitlines():
            for extra in re.findall(r"pip install 'sfumato\[([\w{},]+)\]'", line):
                seen += 1
                assert f"pip install '.[{extra}]'" in line, f"{path.name}: {line.strip()}"
                assert extra in ("{extra}", "NAME") or extra in EXTRAS
    assert seen >= 5


def test_the_environment_of_the_demo_draws() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    recipe = makefile.partition("$(VENV)/.demo: ")[2].partition("\n\n")[0]
    assert "'.[report]'" in recipe


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_compiles_all_methods_once_in_the_background(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called = tmp_path / "called"
    for program in ("sfumato", "python"):
        file = tmp_path / "bin" / program
        file.parent.mkdir(exist_ok=True)
        file.write_text(f'#!/bin/sh\necho {program} "$@" $NUMBA_CPU_NAME >> {called}\n')
        file.chmod(0o700)
    (tmp_path / ".demo").touch()
    monkeypatch.delenv("NUMBA_CPU_NAME", raising=False)
    words = ["make", f"VENV={tmp_path}", "demo"]
    first = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "Compiling all methods in the background, once" in first.stdout
    ends = time.monotonic() + 60
    while len(called.read_text().splitlines()) < 2:  # the second is in the background
        assert time.monotonic() < ends, "the background run did not start within a minute"
        time.sleep(0.01)
    second = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "Compiling" not in second.stdout
    assert sorted(called.read_text().splitlines()) == [
        "python -m building.first_runs generic",
        "sfumato demo",
        "sfumato demo",
    ]


def test_the_documented_completion_names_this_program() -> None:
    text = (ROOT / "docs/command-line.md").read_text("utf-8")
    name = next(iter(PROJECT["scripts"]))
    for shell in ("bash", "zsh", "fish"):
        assert f"_{name.upper()}_COMPLETE={shell}_source {name}" in text


def test_there_is_one_version() -> None:
    """The package states it; what is built, cited and listed has the same."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "sfumato.__version__"}
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.findall(r"(?m)^version: (.+)$", citation) == [sfumato.__version__]
    changes = re.findall(r"(?m)^## (\S+) - (\d{4}-\d\d-\d\d)$", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert changes[0] in [(sfumato.__version__, date) for date in re.findall(r"(?m)^date-released: (.+)$", citation)]


def test_the_citation_says_what_the_package_says() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert cited["cff-version"] == "1.2.0"
    assert cited["abstract"] == PROJECT["description"]
    assert (cited["license"], cited["keywords"]) == (PROJECT["license"], PROJECT["keywords"])
    assert cited["authors"] == PROJECT["authors"]
    assert cited.keys() >= {"message", "title", "type"}


def test_every_file_beside_the_code_is_installed() -> None:
    package = ROOT / "src" / "sfumato"
    others = {
        str(path.relative_to(package))
        for path in package.rglob("*")
        if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["sfumato"]
    installed = [{str(path.relative_to(package)) for path in package.glob(pattern)} for pattern in patterns]
    assert all(installed)
    assert set().union(*installed) == others


def test_a_wheel_is_built_with_all_that_its_kernels_need(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package is run while a wheel is built; an editable installation waits for nothing of this."""
    monkeypatch.chdir(ROOT)
    backend = import_module("building.backend")
    monkeypatch.setattr(backend.build_meta, "get_requires_for_build_wheel", lambda _settings: ["first"])
    assert backend.get_requires_for_build_wheel() == ["first", *PROJECT["dependencies"]]
    assert "building" in (ROOT / "MANIFEST.in").read_text("utf-8").split()


def test_a_first_run_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    first_runs = import_module("building.first_runs")
    monkeypatch.setitem(first_runs.COMMANDS, "broken", [["describe", "missing.csv"]])
    assert first_runs.run("broken").startswith("broken: ")
    monkeypatch.setitem(first_runs.COMMANDS, "works", [["glossary"]])
    assert first_runs.run("works") == ""
