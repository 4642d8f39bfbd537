"""Compiled kernels are kept by content, shared between processes, and compiled again where an entry does not fit."""

from __future__ import annotations

import ast
import gc
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sfumato
from sfumato.kernels import compiled, compiling
from sfumato.kernels.compiling import BEFORE_COMPILING

KERNELS = Path(sfumato.__file__).parent / "kernels"
PROGRAM = """
import json, sys
import numpy as np
from sfumato.kernels.compiling import BEFORE_COMPILING
from sfumato.kernels.tables import equivalence_classes
from sfumato.kernels import compiled
if len(sys.argv) > 1:
    from pathlib import Path
    compiled.SHIPPED = Path(sys.argv[1])
times = []
BEFORE_COMPILING.append(lambda: times.append(1))
found = equivalence_classes.distinct_pairs(np.array([1, 1, 2], np.int32), np.array([3, 3, 3], np.int32))
print(json.dumps([len(times), found.tolist()]))
"""


def run(cache: Path, *arguments: str, **more: str) -> list[object]:
    surroundings = os.environ | {"NUMBA_CACHE_DIR": str(cache)} | more
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], env=surroundings, check=True, stdout=subprocess.PIPE, text=True
    )
    answer: list[object] = json.loads(ended.stdout)
    return answer


def entries(cache: Path) -> list[Path]:
    return sorted(path for path in cache.rglob("*") if path.is_file())


def test_the_second_process_compiles_nothing_and_a_damaged_entry_is_compiled_again(tmp_path: Path) -> None:
    expected = [True, False, True]
    assert run(tmp_path) == [1, expected]
    kept = entries(tmp_path)
    assert [path.name.partition("-")[0] for path in kept] == ["distinct_pairs"]
    assert run(tmp_path) == [0, expected]
    kept[0].write_bytes(kept[0].read_bytes()[:100])
    assert run(tmp_path) == [1, expected]
    assert run(tmp_path) == [0, expected]


def test_a_wheel_brings_entries_for_any_processor_of_its_platform(tmp_path: Path) -> None:
    run(tmp_path / "built", NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    shipped = tmp_path / "built" / "sfumato" / "kernels"
    assert run(tmp_path / "empty", str(shipped)) == [0, [True, False, True]]
    assert entries(tmp_path / "empty") == []


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert run(tmp_path / "file") == [1, [True, False, True]]


def test_the_key_of_a_module_covers_all_that_it_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {
        "sfumato.a": b"from sfumato.b import (\n    one,\n    two,\n)",
        "sfumato.b": b"import sfumato.c.d\n",
        "sfumato.c.d": b"x = 1",
        "sfumato.e": b"x = 1",
    }

    def keys() -> dict[str, str]:
        return {name: compiled._key.__wrapped__(name) for name in sources}

    monkeypatch.setattr(compiled, "_source", sources.__getitem__)
    before = keys()
    assert len(set(before.values())) == 4
    sources["sfumato.c.d"] = b"x = 2"
    after = keys()
    assert {name for name in sources if before[name] != after[name]} == {"sfumato.a", "sfumato.b", "sfumato.c.d"}
    monkeypatch.setattr(compiled, "_VERSIONS", "others")
    assert not set(keys().values()) & set(after.values())


def test_garbage_is_collected_again_after_a_compilation_that_failed() -> None:
    @compiled.njit()
    def impossible(x):
        return x.nothing_of_this_name

    assert gc.isenabled()
    with pytest.raises(Exception, match="nothing_of_this_name"):
        impossible(np.zeros(1))
    assert gc.isenabled()


def test_entries_of_the_user_lie_where_the_platform_puts_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert compiling._chosen_folder() == Path("/caches/sfumato")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert compiling._chosen_folder() == Path.home() / "Library" / "Caches" / "sfumato"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert compiling._chosen_folder() == Path("/local/sfumato/Cache")


def test_nobody_listens_by_default() -> None:
    assert BEFORE_COMPILING == []


def test_kernels_take_njit_from_here() -> None:
    others = {
        path.name
        for path in KERNELS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "numba"
    }
    assert others == set()
