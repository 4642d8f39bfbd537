"""The registry: what is built in, what installed packages add, and classes of the user's own on the command line."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import run_here
from sfumato import registry
from sfumato.catalogue import ATTACKS, GENERATORS, MEASURES, METHODS, MINERS, MODELS, SECTIONS
from sfumato.cli import OWN_CODE
from sfumato.errors import ParameterError
from sfumato.registry import own_code, own_code_is_allowed

HERE = Path(__file__).parent
COMPILED = {name: os.environ[name] for name in ("NUMBA_CACHE_DIR",) if name in os.environ}
TABLES = [METHODS, MODELS, MEASURES, ATTACKS, GENERATORS, MINERS, SECTIONS]
ADDED = {
    "sfumato.methods": ("well-visited", "WellVisited"),
    "sfumato.models": ("visited", "Visited"),
    "sfumato.measures": ("mean-length", "Lengths"),
    "sfumato.attacks": ("blind-guess", "Guess"),
    "sfumato.generators": ("loops", "Loops"),
    "sfumato.miners": ("pairs", "Pairs"),
    "sfumato.sections": ("thanks", "Thanks"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty directory with the classes of `outside.py` as the module `strolls`; nothing is left of it afterwards."""
    shutil.copy(HERE / "outside.py", tmp_path / "strolls.py")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    sys.modules.pop("strolls", None)
    forget()


def forget() -> None:
    registry._entry_points.cache_clear()
    registry._loaded.cache_clear()


def install(folder: Path, package: str, entries: dict[str, dict[str, str]]) -> None:
    """What an installer leaves of a package: its module and its metadata, on the path."""
    packages = folder / "packages"
    packages.mkdir(exist_ok=True)
    shutil.copy(HERE / "outside.py", packages / "strolls.py")
    write_metadata(packages, package, entries)
    if str(packages) not in sys.path:
        sys.path.insert(0, str(packages))
    forget()


def write_metadata(packages: Path, package: str, entries: dict[str, dict[str, str]]) -> None:
    info = packages / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    text = "".join(
        f"[{group}]\n" + "".join(f"{name} = {where}\n" for name, where in named.items())
        for group, named in entries.items()
    )
    (info / "entry_points.txt").write_text(text)


@pytest.fixture
def installed(folder: Path) -> Path:
    install(folder, "strolling", {group: {name: f"strolls:{cls}"} for group, (name, cls) in ADDED.items()})
    return folder


# --- installed packages ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.what)
def test_every_built_in_class_is_what_an_outside_one_has_to_be(table: registry.Registry) -> None:
    for name in table.built_in:
        declared = table.load(name)
        assert table._problem(declared) == "", name
        assert declared.name == name
        assert table.name_of(declared) == name
        assert table.package_of(name) is None


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.what)
def test_an_installed_package_adds_its_classes(table: registry.Registry) -> None:
    name, cls = ADDED[table.group]
    assert name in table
    assert [*table] == [*table.built_in, name]
    assert len(table) == len(table.built_in) + 1
    assert table[name] == f"strolls:{cls}"
    assert table.load(name).__name__ == cls
    assert table.package_of(name) == "strolling"
    assert table.problems == []


def test_a_name_that_is_built_in_is_found_without_reading_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_entry_points", lambda: pytest.fail("entry points were read"))
    assert "seqanon" in METHODS
    assert METHODS.load("seqanon").name == "seqanon"


def test_a_built_in_name_is_never_shadowed(folder: Path) -> None:
    install(folder, "taking", {"sfumato.methods": {"seqanon": "strolls:Taken"}})
    assert METHODS.load("seqanon").__module__ == "sfumato.methods.trajectories.seqanon.seqanon"
    assert METHODS["seqanon"] == METHODS.built_in["seqanon"]
    assert [*METHODS] == [*METHODS.built_in]
    assert METHODS.problems == [
        "package taking: the entry 'seqanon' of sfumato.methods is ignored: sfumato itself has a method of this name"
    ]


def test_two_packages_with_one_name(folder: Path) -> None:
    install(folder, "first", {"sfumato.methods": {"well-visited": "strolls:WellVisited"}})
    install(folder, "second", {"sfumato.methods": {"well-visited": "strolls:Bare"}})
    sentence = "packages first and second: both add a method called 'well-visited'; uninstall one of them"
    assert METHODS.problems == [sentence]
    assert "well-visited" not in METHODS
    with pytest.raises(ParameterError, match=f"^{sentence}$"):
        METHODS.load("well-visited")


@pytest.mark.parametrize(
    ("name", "where", "sentence"),
    [
        ("gone", "nowhere_at_all:Gone", "cannot be loaded (ModuleNotFoundError: No module named 'nowhere_at_all')"),
        ("gone", "strolls:Gone", "cannot be loaded (AttributeError: module 'strolls' has no attribute 'Gone')"),
        ("visited", "strolls:Visited", "wanted a class that inherits from sfumato.methods.base.Method"),
        ("other", "strolls:WellVisited", "the class is called 'well-visited', and both names must be the same"),
        ("unfinished", "strolls:Unfinished", "the class lacks title, kind, paper, promises, guarantees, transform"),
        ("bare", "strolls:Bare", "wanted a class with @dataclass(frozen=True, kw_only=True), found one without"),
    ],
)
def test_a_broken_entry_costs_one_sentence(folder: Path, name: str, where: str, sentence: str) -> None:
    install(folder, "broken", {"sfumato.methods": {name: where}})
    (problem,) = METHODS.problems
    assert problem.startswith(f"package broken: the entry {name!r} of sfumato.methods ")
    assert sentence in problem
    assert name not in METHODS
    assert [*METHODS] == [*METHODS.built_in]
    with pytest.raises(ParameterError) as refusal:
        METHODS.load(name)
    assert str(refusal.value) == problem


# --- classes of the user's own ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
def test_own_code_is_off_unless_it_is_allowed() -> None:
    assert not own_code_is_allowed()
    with pytest.raises(ParameterError, match="module:Class works only on the command line"):
        METHODS.choose("strolls:WellVisited")
    assert "strolls" not in sys.modules
    with own_code():
        assert METHODS.choose("strolls:WellVisited").name == "well-visited"
        assert METHODS.name_of(METHODS.choose("strolls:WellVisited")) == "strolls:WellVisited"
        with pytest.raises(ParameterError, match="no method is called 'strolls:WellVisited'"):
            METHODS.load("strolls:WellVisited")
        assert "strolls:WellVisited" not in METHODS
    assert not own_code_is_allowed()


@pytest.mark.parametrize(
    ("reference", "sentence"),
    [
        ("strolls:", "wanted module:Class, such as walks:WellVisited"),
        ("../strolls:WellVisited", "wanted module:Class, such as walks:WellVisited"),
        ("elsewhere:WellVisited", "no module is called 'elsewhere' in this directory or among the installed packages"),
        ("strolls:Nobody", "module 'strolls' has no class 'Nobody'"),
        ("strolls:Visited", "wanted a class that inherits from sfumato.methods.base.Method"),
        ("strolls:Taken", "the name 'seqanon' is taken by an installed method; give the class another"),
        ("strolls:Unfinished", "the class lacks title, kind, paper, promises, guarantees, transform"),
        ("failing:Class", r"module 'failing' cannot be imported (ValueError: not today)"),
        ("needing:Class", r"module 'needing' cannot be imported (No module named 'nowhere_at_all')"),
    ],
)
def test_own_code_that_cannot_be_used(folder: Path, reference: str, sentence: str) -> None:
    (folder / "failing.py").write_text("raise ValueError('not today')\n")
    (folder / "needing.py").write_text("import nowhere_at_all\n")
    with own_code(), pytest.raises(ParameterError) as refusal:
        METHODS.choose(reference)
    assert sentence in str(refusal.value)


def test_the_current_directory_adds_no_entry_points(folder: Path) -> None:
    """A directory that somebody else wrote may hold what looks like an installed package."""
    write_metadata(folder, "planted", {"sfumato.methods": {"planted": "strolls:Bare"}})
    forget()
    with own_code():
        METHODS.choose("strolls:WellVisited")
        assert str(folder) in sys.path
        assert METHODS.problems == []
        assert [*METHODS] == [*METHODS.built_in]


def test_only_the_command_line_and_its_workers_allow_own_code() -> None:
    source = Path(registry.__file__).parent
    users = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if re.search(r"(?<!no_)own_code\(\)|import own_code,|allow_own_code", path.read_text())
    }
    assert users == {"registry.py", "cli/__init__.py", "experiments/worker.py"}
    assert not {"serve", "worker"} & set(OWN_CODE)


# --- the command line ------------------------------------------------------------------------------------------------


def sfumato(*words: object, code: int = 0) -> str:
    """Run the command line in the current directory."""
    errors = io.StringIO()
    left, printed = run_here(words, errors)
    assert left == code, printed + errors.getvalue()
    return printed if code == 0 else printed + errors.getvalue()


def sfumato_alone(*words: object, code: int = 0) -> str:
    """Run the command line in a process of its own, in the current directory."""
    program = "import sys; from sfumato.cli import main; sys.path.remove(''); main(sys.argv[1:])"
    ran = subprocess.run(
        [sys.executable, "-c", program, *map(str, words)],
        env={"PYTHONPATH": str(Path(registry.__file__).parents[1]), "PATH": "", "HOME": "/nonexistent", **COMPILED},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code, ran.stdout + ran.stderr
    return ran.stdout if code == 0 else ran.stdout + ran.stderr


@pytest.fixture
def visits(folder: Path) -> Path:
    rows = ["dace", "baec", "ade", "bdec", "dc", "dez"] * 2
    lines = ["trajectory,location", *(f"t{number},{spot}" for number, row in enumerate(rows) for spot in row)]
    path = folder / "visits.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_an_own_method_and_model_run_everywhere(visits: Path) -> None:
    ours = "strolls:WellVisited"
    said = sfumato("anonymize", ours, visits, "--k", 4, "--out", "out", "--measure", "strolls:Lengths")
    assert "✓ well-visited locations(k=4) holds" in said
    certificate = json.loads(Path("out/certificate.json").read_text())
    assert certificate["method"] == "well-visited"
    assert certificate["guarantees"][0]["model"] == "visited"
    # neither is installed, so that neither can be checked; no leak is found
    said = json.loads(sfumato("verify", "out", "--json", code=3))
    assert said["problems"] == []
    assert [name in " ".join(said["unchecked"]) for name in ("'visited'", "'well-visited'")] == [True, True]
    said = sfumato("audit", visits, "--against", "out", "--attack", "leaks", "--attack", "strolls:Guess")
    assert "Nothing in the directory reveals more than its data." in said
    assert "blind-guess" in said
    assert "1 of 2 promises were not measured; the others hold in these attacks." in said
    said = sfumato("evaluate", visits, "out", "--measure", "strolls:Lengths")
    assert "mean-length" in said
    sfumato("verify", visits, "--model", "strolls:Visited", "--k", 2)
    assert "DOES NOT HOLD" in sfumato("verify", visits, "--model", "strolls:Visited", "--k", 5, code=1)
    options = ("--promise", "strolls:Visited", "--k", 4, "--care", "strolls:Lengths", "--jobs", 1, "--json")
    said = json.loads(sfumato("advise", visits, *options, "--method", ours))
    assert said["recommended"] == "well-visited"
    assert said["command"].startswith(f"sfumato anonymize {ours} ")
    assert "mean-length" in json.dumps(said["trials"])


@pytest.mark.usefixtures("folder")
def test_an_own_method_in_an_experiment() -> None:
    Path("compare.toml").write_text(
        'title = "Ours"\nrepetitions = 1\nmeasures = ["strolls:Lengths"]\n'
        '[data]\ngenerate = "strolls:Loops"\nparameters = { people = 9 }\n'
        '[[configuration]]\nmethod = "strolls:WellVisited"\n'
        '[[configuration]]\nmethod = "seqanon"\nparameters = { m = 1 }\n'
        '[vary]\nparameter = "k"\nvalues = [2, 3]\n'
    )
    said = json.loads(sfumato("compare", "compare.toml", "--out", "out", "--jobs", 1, "--json"))
    assert {row["configuration"] for row in said["summary"]} == {"well-visited", "seqanon"}
    assert any(row["figure"] == "mean-length" for row in said["summary"])
    from sfumato.errors import FileError
    from sfumato.experiments.comparison import compare

    with pytest.raises(FileError, match="module:Class works only on the command line"):
        compare("compare.toml", "elsewhere")


@pytest.mark.usefixtures("folder")
def test_own_generators_and_miners() -> None:
    sfumato_alone("generate", "strolls:Loops", "--people", 3, "--out", "loops.csv")
    assert "a & b & c" in sfumato_alone("mine", "strolls:Pairs", "loops.csv", "--support", 3)
    assert "the class lacks kind, mine" in sfumato_alone("mine", "strolls:Loops", "loops.csv", code=2)


@pytest.mark.usefixtures("installed")
def test_an_installed_method_and_model_are_checked(visits: Path) -> None:
    said = sfumato("methods")
    assert "well-visited" in said
    assert "strolling" in said
    assert "mean-length" in sfumato("measures")
    sfumato("anonymize", "well-visited", visits, "--k", 4, "--out", "out")
    assert "✓ the files match" in sfumato("verify", "out")
    said = sfumato("audit", visits, "--against", "out")
    assert "blind guess" in said
    assert "Every promise holds in these attacks." in said
    # another version of the package may say its limits in other words
    path = Path("out/certificate.json")
    path.write_text(path.read_text().replace("an attacker who knows two visits", "knowledge of two visits"))
    said = json.loads(sfumato("verify", "out", "--json", code=3))
    assert said["problems"] == []
    assert said["unchecked"] == [
        "the limits that the certificate names are not those of the packages here, so they cannot be checked"
    ]
    path.write_text(path.read_text().replace('"k": 4', '"k": 4, "seed": 3'))
    assert json.loads(sfumato("verify", "out", "--json", code=1))["problems"]


# --- published directories -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", ["-m sfumato verify .", "-c import(sfumato)"])
def test_a_directory_that_looks_like_a_package_is_none(tmp_path: Path, start: str) -> None:
    """The current directory counts for Python (`-m`, `-c`), but packages in a published directory are not installed."""
    from sfumato import SeqAnon, Trajectories

    walks = Trajectories.from_lists([["a"], ["a"]], places={"a": (0, 0)})
    out = SeqAnon(k=2, m=1).anonymize(walks).write(tmp_path / "out").path
    path = out / "certificate.json"
    path.write_text(path.read_text().replace('"method": "seqanon"', '"method": "planted"'))
    write_metadata(out, "planted", {"sfumato.methods": {"planted": "planted:Planted"}})
    for module in ("planted", "polars", "click"):
        (out / f"{module}.py").write_text("open('ran', 'w').close()\n")
    words = start.split()
    if words[0] == "-c":
        for module in ("polars", "click"):  # Python itself reads these where a script imports them
            (out / f"{module}.py").unlink()
        words = ["-c", "import sfumato, sys; sys.exit(sfumato.verify('.').code)"]
    run = subprocess.run([sys.executable, *words], cwd=out, capture_output=True, text=True, check=False)
    assert run.returncode in (1, 3), run.stderr
    assert not (out / "ran").exists()


@pytest.mark.parametrize("forged", ["method", "model", "parameter"])
def test_a_certificate_imports_nothing(visits: Path, forged: str) -> None:
    """The names of a certificate are looked up among what is installed, also where own code is allowed."""
    (visits.parent / "evil.py").write_text("open('ran', 'w').close()\n")
    from sfumato import SeqAnon, Trajectories
    from sfumato.attacks.leaks.search import find_leaks
    from sfumato.attacks.view.setting import Exposed
    from sfumato.verification import verify

    walks = Trajectories.from_lists([["a"], ["a"]], places={"a": (0, 0)})
    out = SeqAnon(k=2, m=1).anonymize(walks).write(visits.parent / "out")
    path = out / "certificate.json"
    certificate = json.loads(path.read_text())
    if forged == "method":
        certificate["method"] = "evil:system"
    elif forged == "model":
        certificate["guarantees"][0]["model"] = "evil:system"
    else:
        certificate |= {"method": "r-first", "parameters": {"k": 2, "m": 1, "relational": "evil:system"}}
    path.write_text(json.dumps(certificate, indent=2) + "\n")
    before = set(sys.modules)
    with own_code():
        check = verify(out)
        find_leaks(out, walks)
        if forged != "parameter":
            Exposed.read(out)
    assert check.code in (1, 3)
    assert check.unchecked or forged == "parameter"
    assert not Path("ran").exists()
    assert not {name for name in set(sys.modules) - before if not name.startswith(("sfumato", "numba", "llvmlite"))}
