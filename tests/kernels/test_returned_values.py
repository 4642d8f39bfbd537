"""What compiled code gives to Python: never a named tuple.

Numba makes one by calling Python, where a waiting interruption is raised: then the process crashes instead of ending.
A kernel that Python calls returns the fields, and its caller names them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import sfumato

SOURCE = Path(sfumato.__file__).parent
KERNELS = SOURCE / "kernels"


def functions_and_tuples() -> tuple[dict[str, ast.FunctionDef], dict[str, set[str]]]:
    """The functions of all kernels, and the fields of their named tuples, by name."""
    functions, tuples = {}, {}
    for path in KERNELS.rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                functions[node.name] = node
            elif isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "NamedTuple" for base in node.bases):
                tuples[node.name] = {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}  # type: ignore[union-attr]
    return functions, tuples


def names_of_tuples(function: ast.FunctionDef, makers: set[str], fields: set[str]) -> set[str]:
    """The names in a function that hold named tuples: parameters whose fields it reads, and what makers return."""
    parameters = {argument.arg for argument in function.args.args}
    names = {
        node.value.id
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in fields
    } & parameters
    for _ in range(3):
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and holds_tuple(node.value, makers, names):
                names |= {part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    return names


def holds_tuple(value: ast.expr, makers: set[str], names: set[str]) -> bool:
    if isinstance(value, ast.Tuple):
        return any(holds_tuple(part, makers, names) for part in value.elts)
    if isinstance(value, ast.Call):
        return ast.unparse(value.func) in makers
    return isinstance(value, ast.Name) and value.id in names


def returning_tuples() -> set[str]:
    """The functions that return named tuples, found by following calls until nothing is added."""
    functions, tuples = functions_and_tuples()
    fields = set().union(*tuples.values())
    found: set[str] = set()
    while True:
        makers = found | set(tuples)
        added = {
            name
            for name, function in functions.items()
            if name not in found and any(returned(function, makers, names_of_tuples(function, makers, fields)))
        }
        if not added:
            return {name for name in found if functions[name].decorator_list}  # the others are not compiled
        found |= added


def returned(function: ast.FunctionDef, makers: set[str], names: set[str]) -> Iterator[bool]:
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None:
            yield holds_tuple(node.value, makers, names)


def called_from_python() -> set[str]:
    """What modules outside of kernels/ import from it."""
    return {
        alias.name
        for path in SOURCE.rglob("*.py")
        if KERNELS not in path.parents
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sfumato.kernels")
        for alias in node.names
    }


def test_python_gets_no_named_tuple_from_compiled_code() -> None:
    compiled = returning_tuples()
    assert len(compiled) > 10, "the search finds none any more"
    assert not compiled & called_from_python()
