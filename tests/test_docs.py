"""The documentation: every example runs as it stands, everything public is named, and the site builds.

On a page, in this order and in one empty directory:

- a block with a caption is a file, and is written;
- a ``pycon`` block is run as a doctest; the names of a page are shared by its blocks;
- a ``console`` block is run command by command.  It must exit with 0, or as ``# exits with 1`` behind it says, and must
  print what stands below it, if something does; ``...`` stands for anything.  A backslash continues a command.

A page that adds files to the package runs its commands on a copy of the package.  A `pyproject.toml` in a folder is a
package that counts as installed from there on.
"""

from __future__ import annotations

import doctest
import html
import os
import posixpath
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import click
import pytest

import sfumato
from commands import run_here
from docs.decision_tree import command_of
from replications.declarations import read_papers
from replications.verdicts import judged, read_record
from sfumato import catalogue, errors, registry
from sfumato.cli import cli
from sfumato.methods.choosing import WHICH_PROMISE
from sfumato.privacy import Verdict

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PACKAGES = Path("packages")  # of a page; what lies in the current directory itself does not count as installed
NOT_RUN = {"sh", "text", "{toctree}", "{eval-rst}", "{include}"}


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    line: int
    language: str
    caption: str | None
    body: str


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in re.finditer(r"^```(?P<head>[^\n`]+)\n(?P<body>.*?)^```$", text, flags=re.MULTILINE | re.DOTALL):
        head, body = found["head"].strip(), found["body"]
        options = re.match(r"(:[\w-]+:[^\n]*\n)*\n?", body)[0] if head.startswith("{code-block}") else ""
        caption = re.search(r"^:caption: (.+)$", options, flags=re.MULTILINE)
        line = text[: found.start("body")].count("\n") + options.count("\n")
        language = head.removeprefix("{code-block} ").partition(" ")[0]
        yield Block(line, language, caption[1] if caption else None, body.removeprefix(options))


# --- the examples ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_example_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    request.addfinalizer(lambda: _forget(tmp_path))
    found = list(blocks(page))
    copied = any(block.caption and block.caption.startswith("src/") for block in found)
    if copied:
        _copy_the_house(tmp_path)
    names = {"__name__": "__main__"}
    for block in found:
        if block.caption:
            _write_file(block)
        elif block.language == "pycon":
            _run_doctest(block, page, names)
        elif block.language == "console":
            _run_console(block, page, _in_copy if copied else _here)
        else:
            assert block.language in NOT_RUN, f"{page.name}, line {block.line}: nobody runs a {block.language} block"


def _write_file(block: Block) -> None:
    path = Path(block.caption)
    if path == Path("src/sfumato/catalogue.py"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("METHODS = {\n", "METHODS = {\n" + block.body, 1), encoding="utf-8")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.body, encoding="utf-8")
    if path.name == "pyproject.toml":
        _install(tomllib.loads(block.body)["project"])


def _install(project: dict[str, Any]) -> None:
    """What an installer leaves of a package whose modules lie here already: its metadata, on the path."""
    info = PACKAGES / f"{project['name']}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    lines = [line for group, named in groups for line in (f"[{group}]", *(f"{key} = {named[key]}" for key in named))]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    sys.path[:0] = [str(PACKAGES.resolve()), str(Path.cwd())]
    registry._entry_points.cache_clear()


def _forget(folder: Path) -> None:
    """Modules and entry points of a page are not those of the next one."""
    registry._entry_points.cache_clear()
    registry._loaded.cache_clear()
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]


def _copy_the_house(into: Path) -> None:
    shutil.copytree(ROOT / "src" / "sfumato", into / "src" / "sfumato")
    shutil.copytree(ROOT / "tests", into / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", into)


def _run_doctest(block: Block, page: Path, names: dict[str, object]) -> None:
    test = doctest.DocTestParser().get_doctest(block.body, names, page.stem, page.name, block.line)
    test.globs = names
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    result = runner.run(test, out=said.append, clear_globs=False)
    assert result.attempted, f"{page.name}, line {block.line}: no example in a pycon block"
    assert not result.failed, "".join(said)


def _run_console(block: Block, page: Path, run) -> None:
    commands = [f"$ {part}" for part in re.split(r"^\$ ", block.body, flags=re.MULTILINE)[1:]]
    assert "".join(commands) == block.body, f"{page.name}, line {block.line}: wanted '$ ' before the first command"
    for command in commands:
        asked, _, wanted = command.removeprefix("$ ").replace("\\\n", "").partition("\n")
        asked, _, code = asked.partition("  # exits with ")
        exit_code, printed = run(shlex.split(asked))
        assert exit_code == int(code or 0), f"{page.name}: {asked}\n{printed}"
        if wanted:
            wanted, printed = _trimmed(wanted), _trimmed(printed)
            same = doctest.OutputChecker().check_output(wanted, printed, doctest.ELLIPSIS)
            assert same, f"{page.name}: {asked}\nwanted:\n{wanted}\nprinted:\n{printed}"


def _trimmed(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.rstrip().splitlines())


def _here(words: list[str]) -> tuple[int, str]:
    """Run `sfumato` inside this process, other commands in their own."""
    if words[0] != "sfumato":
        return _in_copy(words)
    return run_here(words[1:])


def _in_copy(words: list[str]) -> tuple[int, str]:
    """Run `sfumato` and `pytest` on the copy of the package in the current directory."""
    programs = {
        "sfumato": [sys.executable, "-m", "sfumato"],
        "pytest": [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--no-cov"],
    }
    return _process([*programs.get(words[0], words[:1]), *words[1:]])


def _process(words: list[str]) -> tuple[int, str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    env |= {
        "PYTHONPATH": os.pathsep.join(map(str, (Path("src").resolve(), PACKAGES.resolve(), Path.cwd(), ROOT / "src"))),
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(words, env=env, capture_output=True, encoding="utf-8", timeout=300, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_readme_begins_with_the_two_commands() -> None:
    first = next(blocks(ROOT / "README.md"))
    assert re.findall(r"^make \w+", first.body, flags=re.MULTILINE) == ["make demo", "make test"]


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 120


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES[1:]], ids=lambda page: page.name)
def test_every_make_target_exists(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?:^|`)make ([\w-]+)", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_outside_the_site_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\((?!https?://)([^)#]+)[^)]*\)", (ROOT / name).read_text(encoding="utf-8")):
        assert (ROOT / target).is_file(), target


# --- the site --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built with warnings as errors, once for all processes that run the tests."""
    several = "PYTEST_XDIST_WORKER" in os.environ
    out = tmp_path_factory.getbasetemp().parent / "site" if several else tmp_path_factory.mktemp("site")
    try:
        out.mkdir(exist_ok=not several)
    except FileExistsError:
        return _built_elsewhere(out)
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-d", str(out / "doctrees")]
    build += ["-D", "toc_object_entries=0"]  # the names of the reference in the contents of every page: a third of it
    done = subprocess.run(
        [*build, str(ROOT / "docs"), str(out / "html")], capture_output=True, encoding="utf-8", timeout=300, check=False
    )
    problems = (done.stdout + done.stderr or "sphinx failed") if done.returncode else ""
    (out / "problems.part").write_text(problems, encoding="utf-8")
    (out / "problems.part").rename(out / "problems")
    assert not problems
    return out / "html"


def _built_elsewhere(out: Path) -> Path:
    """The site that another process builds, when it is ready."""
    latest = time.monotonic() + 310
    while not (out / "problems").exists():
        assert time.monotonic() < latest, "the process that builds the site did not end"
        time.sleep(0.2)
    problems = (out / "problems").read_text(encoding="utf-8")
    assert not problems
    return out / "html"


def sections(page: Path) -> dict[str, str]:
    """The text under each heading."""
    article = re.search(r"<article.*?</article>", page.read_text(encoding="utf-8"), flags=re.DOTALL)[0]
    found = {}
    for part in re.split(r"<h[1-6]>", article)[1:]:
        heading, _, rest = part.partition('<a class="headerlink"')
        found[_text(heading)] = _text(rest)
    return found


def _text(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


def test_the_site_has_every_page(site: Path) -> None:
    for page in PAGES[1:]:
        assert (site / f"{page.stem}.html").is_file()
    assert not [page.name for page in site.glob("*.html") if "generated: " in page.read_text(encoding="utf-8")]


# --- the pages that are built ----------------------------------------------------------------------------------------


def pages_of(site: Path) -> dict[str, str]:
    """Every page that a reader sees, by its path in the site."""
    return {
        page.relative_to(site).as_posix(): page.read_text(encoding="utf-8")
        for page in site.rglob("*.html")
        if "_static" not in page.parts
    }


def broken_links(pages: dict[str, str], is_file: Callable[[str], bool]) -> list[str]:
    """Links inside the site to a page, file or anchor that is not there."""
    anchors = {name: set(re.findall(r'\b(?:id|name)="([^"]+)"', text)) for name, text in pages.items()}
    broken = []
    for name, text in pages.items():
        for link in set(re.findall(r'\b(?:href|src)="([^"]+)"', text)):
            address, _, anchor = html.unescape(link).partition("#")
            if re.match(r"\w+:|//", address):
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(address.partition("?")[0])))
            target = target if address else name
            if target in pages:
                if anchor and unquote(anchor) not in anchors[target]:
                    broken.append(f"{name}: {link}")
            elif not is_file(target):
                broken.append(f"{name}: {link}")
    return broken


def test_every_link_and_anchor_of_the_site_leads_somewhere(site: Path) -> None:
    assert broken_links(pages_of(site), lambda target: (site / target).is_file()) == []


def test_a_broken_link_is_found() -> None:
    pages = {
        "a.html": '<p id="x"></p><a href="#x"></a><a href="b/c.html#y"></a><a href="https://x"></a><img src="p.png">',
        "b/c.html": '<a href="../a.html#z"></a><a href="d.html"></a>',
    }
    found = broken_links(pages, lambda target: target == "p.png")
    assert sorted(found) == ["a.html: b/c.html#y", "b/c.html: ../a.html#z", "b/c.html: d.html"]


def test_the_site_needs_no_network(site: Path) -> None:
    for name, text in pages_of(site).items():
        loaded = re.findall(r'<(?:script|img|iframe|source)\b[^>]*\bsrc="((?:https?:)?//[^"]+)"', text)
        loaded += re.findall(
            r'<link\b[^>]*\brel="(?:stylesheet|preload|icon)"[^>]*\bhref="((?:https?:)?//[^"]+)"', text
        )
        assert not loaded, f"{name} loads {loaded[0]}"


def test_every_picture_says_what_it_shows(site: Path) -> None:
    for name, text in pages_of(site).items():
        article = re.search(r"<article.*?</article>", text, flags=re.DOTALL)
        for picture in re.findall(r'<img\b(?![^>]*class="toggler")[^>]*>', article[0] if article else ""):
            assert re.search(r'alt="[^"]*\w \w[^"]*"', picture), f"{name}: {picture}"


def test_the_page_of_a_paper_has_every_figure_with_its_verdict(site: Path) -> None:
    for paper in read_papers():
        page = (site / "papers" / f"{paper.name}.html").read_text(encoding="utf-8")
        record = read_record(paper)
        shown = [
            tuple(map(_text, row))
            for row in re.findall(r"<tr[^>]*><td><p>(.*?)</p></td>\s*<td><p>([a-z ]+?)(?: \(|<)", page)
        ]
        for row in paper.rows:
            assert (row.figure, judged(row, record).verdict) in shown, f"{paper.name}, {row.figure}"


def test_the_decision_tree_leads_to_every_promise(site: Path) -> None:
    page = (site / "which-promise.html").read_text(encoding="utf-8")
    for name in catalogue.MODELS:
        assert f'href="models.html#{name}"' in page, name
    for choice in WHICH_PROMISE.choices():
        assert html.escape(choice.attacker, quote=False) in page
        assert command_of(choice) in page


def _commands(context: click.Context) -> Iterator[click.Context]:
    for name in context.command.list_commands(context):
        below = click.Context(context.command.get_command(context, name), info_name=name, parent=context)
        yield below
        if isinstance(below.command, click.Group):
            yield from _commands(below)


def test_every_command_and_option_is_named(site: Path) -> None:
    found = sections(site / "command-line.html")
    everywhere = "".join(found.values())
    for context in _commands(click.Context(cli, info_name="sfumato")):
        assert context.command_path in found
        for parameter in context.command.get_params(context):
            shown = everywhere if "--help" in parameter.opts else found[context.command_path]
            for flag in parameter.opts:
                word = flag if isinstance(parameter, click.Option) else parameter.make_metavar(context)
                assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", shown), f"{context.command_path}: {word}"
    for option in cli.get_params(click.Context(cli)):
        assert any(flag in everywhere for flag in option.opts)


@pytest.mark.parametrize(
    ("page", "table", "load"),
    [
        ("methods.html", catalogue.METHODS, catalogue.method_class),
        ("models.html", catalogue.MODELS, catalogue.model_class),
        ("measures.html", catalogue.MEASURES, catalogue.measure_class),
        ("attacks.html", catalogue.ATTACKS, catalogue.attack_class),
    ],
)
def test_everything_in_the_catalogue_is_named(site: Path, page: str, table: dict[str, str], load) -> None:
    found = sections(site / page)
    reference = (site / "reference.html").read_text(encoding="utf-8")
    for name in table:
        declared = load(name)
        assert name in found, f"{page} does not name {name}"
        assert declared.title.lower() in found[name].lower()
        for parameter in declared.parameters():
            assert parameter.name in found[name]
            assert parameter.wanted in found[name]
            assert parameter.help in found[name]
        for fact in ("formula", "unit", "paper"):
            assert getattr(declared, fact, "") in found[name]
        for sentence in getattr(declared, "not_covered", ()):
            assert sentence in found[name]
        assert re.search(rf'id="sfumato\.([\w.]+\.)?{declared.__name__}"', reference)


def test_every_public_name_and_error_is_in_the_reference(site: Path) -> None:
    reference = (site / "reference.html").read_text(encoding="utf-8")
    for name in sfumato.__all__:
        assert f'id="sfumato.{name}"' in reference, name
    for name in errors.__all__:
        if isinstance(getattr(errors, name), type):
            assert f'id="sfumato.errors.{name}"' in reference, name


def test_every_field_of_certificate_report_and_verdict_is_named() -> None:
    page = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
    walks = sfumato.Trajectories.from_lists([["a"], ["a"]], places={"a": (0, 0)})
    release = sfumato.SeqAnon(k=2, m=1).anonymize(walks)
    verdict = Verdict("not checkable", "original", reason="because").to_json()
    for field in [*release.certificate().to_json(), *release.report(), *verdict, *release.certificate().records]:
        assert f"`{field}`" in page, field
