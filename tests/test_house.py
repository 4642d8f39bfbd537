"""The house plan: import arrows, exact exports, light start."""

from __future__ import annotations

import ast
import pkgutil
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import sfumato
from sfumato.catalogue import ATTACKS, MEASURES, METHODS, MODELS
from sfumato.cli import COMMANDS, module_of

SOURCE = Path(sfumato.__file__).parent
TESTS = Path(__file__).parent
MOST_FILES = 20  # of a folder, without its __init__.py

# rooms in one set do not import each other; everything may import what stands before it
FLOORS = (
    {"remedies", "lazy_names"},
    {"errors"},
    {"registry", "threads"},
    {"catalogue", "html", "params"},
    {"kernels"},
    {"data"},
    {"io"},
    {"prepare", "generate", "mining"},
    {"utility", "privacy", "semantics"},
    {"attacks"},
    {"verification"},
    {"methods"},
    {"experiments"},
    {"api"},
    {"web", "spark"},
    {"cli"},
)
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
OPTION = re.compile(r"(?<![\w-])--[a-z]")
MODULES = sorted(
    path for path in SOURCE.rglob("*.py") if path.name != "__main__.py" and path.parent.name != "migrations"
)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def imports(path: Path) -> frozenset[str]:
    """Every sfumato module that a file imports, also inside functions."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return frozenset(name for name in found if name.startswith("sfumato."))


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def test_imports_point_one_way() -> None:
    wrong = [
        f"{name_of(path)} must not import {name}"
        for path in MODULES
        if (room := room_of(path)) != "__init__"
        for name in sorted(imports(path))
        if (other := name.split(".")[1]) not in ("__version__", room) and not FLOOR[other] < FLOOR[room]
    ]
    assert wrong == []


def test_only_verifiers_and_attacks_use_verifying_kernels() -> None:
    others = [path for path in MODULES if room_of(path) not in ("privacy", "attacks", "verification", "kernels")]
    uses = [
        f"{name_of(path)} imports {name}"
        for path in others
        for name in imports(path)
        if name.startswith("sfumato.kernels.verify")
    ]
    assert uses == []


def test_only_kernels_import_inner_kernels() -> None:
    """Inner kernels have no wrapper for Python: a call from elsewhere would end the process."""
    hidden = set()
    for path in (SOURCE / "kernels").rglob("*.py"):
        module = ".".join(("sfumato", *path.relative_to(SOURCE).with_suffix("").parts))
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and any(ast.unparse(one) == "inner" for one in node.decorator_list):
                hidden.add(f"{module}.{node.name}")
    assert hidden
    for path in (*MODULES, *TESTS.rglob("*.py")):
        if SOURCE / "kernels" not in path.parents and b"kernels" in path.read_bytes():
            assert not hidden & imports(path), path


def test_every_module_says_what_it_is_and_what_it_offers() -> None:
    """A module begins with its idea, and one with public names lists them."""
    assert [name_of(path) for path in MODULES if not ast.get_docstring(tree_of(path))] == []
    assert [name_of(path) for path in MODULES if not _lists_its_names(tree_of(path))] == []


def _lists_its_names(tree: ast.Module) -> bool:
    offered = [node for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"]
    defined = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_"]
    return bool(offered) or not defined


@pytest.mark.parametrize(
    "folder", sorted({path.parent for path in MODULES}), ids=lambda path: path.relative_to(SOURCE).as_posix()
)
def test_a_folder_is_neither_crowded_nor_lonely(folder: Path) -> None:
    modules = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
    rooms = [path for path in folder.iterdir() if (path / "__init__.py").exists()]
    assert len(modules) <= MOST_FILES
    assert len(modules) + len(rooms) > 1 or folder.name == "templatetags"  # a name of Django's
    assert (folder / "__init__.py").exists()


def modules_with_a_test() -> set[str]:
    """Every method, model, measure, attack, reader and command."""
    tables = (METHODS, MODELS, MEASURES, ATTACKS)
    entries = {where.partition(":")[0] for table in tables for where in table.built_in.values()}
    commands = {module_of(name) for name in COMMANDS}
    readers = {
        ".".join(("sfumato", *path.relative_to(SOURCE).with_suffix("").parts))
        for path in (SOURCE / "io").rglob("*.py")
        if path.name != "__init__.py"
        and any(
            isinstance(node, ast.FunctionDef) and node.name.startswith("read")
            for node in ast.parse(path.read_text()).body
        )
    }
    return entries | commands | readers


@pytest.mark.parametrize("module", sorted(modules_with_a_test()))
def test_a_test_file_has_the_name_of_what_it_tests(module: str) -> None:
    _, *folders, name = module.split(".")
    assert TESTS.joinpath(*folders, f"test_{name}.py").exists()


def test_tests_mirror_the_source() -> None:
    rooms = {path.parent.relative_to(SOURCE) for path in MODULES}
    own = {"examples", "papers", "trials", "twins", "releases", "typed"}
    folders = {path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py") if "browser" not in path.parts}
    assert not {folder for folder in folders if folder.parts and folder.parts[0] not in own} - rooms


def test_the_public_names_are_exact() -> None:
    nouns = {
        "advise", "anonymize", "audit", "compare", "describe", "draw_map", "evaluate", "Dataset",
        "Chunks", "Constraints", "read_constraints", "Policy", "read_policy",
        "Workplaces", "read_workplaces", "Graph", "read_graph",
        "Mixed", "Network", "Persons", "Places", "Positions", "Release", "RoadTrajectories", "Stops", "Table",
        "Taxonomy", "Trajectories", "Transactions", "Verdict", "read", "read_hierarchies", "read_network",
        "read_places", "read_positions", "read_taxonomy", "report", "use_threads", "verify", "write",
    }  # fmt: skip
    methods = {where.partition(":")[2] for where in METHODS.built_in.values()}
    assert set(sfumato.__all__) == nouns | methods
    assert len(sfumato.__all__) == len(set(sfumato.__all__))
    for name in sfumato.__all__:
        assert getattr(sfumato, name).__name__ == name
    assert {name for name in dir(sfumato) if not name.startswith("__")} == set(sfumato.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = sfumato.nonsense


def test_type_checkers_and_the_lazy_table_know_the_same_names() -> None:
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    assert ast.unparse(guarded.test) == "TYPE_CHECKING"
    typed = {alias.name: node.module for node in guarded.body for alias in node.names}  # type: ignore[attr-defined]
    assert typed == sfumato._MODULE_OF
    assert [name for name, where in sfumato._MODULE_OF.items() if not hasattr(import_module(where), name)] == []


def test_no_module_shares_a_public_name() -> None:
    modules = {module.name for module in pkgutil.iter_modules(sfumato.__path__)}
    assert "data" in modules
    assert not modules & set(sfumato.__all__)


@pytest.mark.parametrize("room", sorted({room_of(path) for path in MODULES} - {"__init__"}))
def test_every_module_can_be_imported(room: str) -> None:
    for path in MODULES:
        if room_of(path) == room:
            import_module(f"sfumato.{name_of(path).removesuffix('.py').replace('/', '.').removesuffix('.__init__')}")


def test_import_is_light() -> None:
    code = "import sys, sfumato; print([name for name in ('numpy', 'polars', 'numba') if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from sfumato.cli import cli; cli.main(['--help'], standalone_mode=False); "
        "print([name for name in ('numba', 'polars', 'numpy', 'rich') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_only_the_command_line_speaks_of_options() -> None:
    """Elsewhere a sentence carries the key of a remedy, which other front doors translate in their own way."""
    quoted = [
        (name_of(path), node.lineno, node.value)
        for path in MODULES
        if room_of(path) not in ("cli", "web")  # a page shows the command that repeats it
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and OPTION.search(node.value)
    ]
    assert not [(name, line, text) for name, line, text in quoted if "<style>" not in text]
