"""How the tests run: no deadlines on shared machines, the same examples on every machine of a build, and nothing is
compiled or rewritten twice.
"""

import gc
import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from _pytest.assertion import rewrite
from _pytest.doctest import DoctestModule
from hypothesis import settings

os.environ.setdefault("NUMBA_CPU_NAME", "generic")  # as the command line: both share what was compiled

# the processes that tests start read the modules and kernels that were compiled before, whatever their home is
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

from sfumato.kernels.compiling import folder_of_user  # noqa: E402

if (kept := folder_of_user()) is not None:
    os.environ.setdefault("NUMBA_CACHE_DIR", str(kept.parents[1]))

if "PYTEST_XDIST_WORKER" in os.environ:  # a core for each worker; processes that a test starts have all of them
    os.environ["POLARS_MAX_THREADS"] = "1"
    import polars  # noqa: F401

    del os.environ["POLARS_MAX_THREADS"]

for profile in ("thorough", "sfumato"):
    settings.register_profile(profile, deadline=None, derandomize="CI" in os.environ)
settings.load_profile("sfumato")

gc.disable()  # until everything is collected

collect_ignore = ["typed/user_script.py"]  # for mypy alone


def pytest_sessionstart(session: pytest.Session) -> None:
    """Of several processes, each rewrites the assertions of its share of the files, and finds the others done."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None:
        return
    named = [Path(argument.partition("::")[0]) for argument in session.config.args]
    files = sorted({file for path in named for file in ([path] if path.is_file() else path.rglob("test_*.py"))})
    try:
        for file in files[int(worker.removeprefix("gw")) :: int(os.environ["PYTEST_XDIST_WORKER_COUNT"])]:
            kept = rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}"
            if rewrite._read_pyc(file, kept) is None and rewrite.try_makedirs(kept.parent):
                source, code = rewrite._rewrite_test(file, session.config)
                rewrite._write_pyc(session.config.stash[rewrite.assertstate_key], code, source, kept)
    except (AttributeError, KeyError, TypeError):
        return  # a pytest that does this otherwise: each process rewrites all files for itself


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[Any], list[Any]]:
    """Examples are looked for in modules that have some: to look everywhere takes a third of the time to collect."""
    found = yield
    if file_path.suffix == ".py" and b">>>" not in file_path.read_bytes():
        return [collector for collector in found if not isinstance(collector, DoctestModule)]
    return found


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests draw half of their random examples, and all of them with `--hypothesis-profile=thorough`."""
    if settings.get_current_profile_name() == "thorough":
        return
    functions = {id(function): function for item in items if (function := getattr(item, "obj", None))}
    for function in functions.values():
        if (stated := getattr(function, "_hypothesis_internal_use_settings", None)) is not None:
            halved = settings(stated, max_examples=(stated.max_examples + 1) // 2)
            function._hypothesis_internal_use_settings = halved


def pytest_collection_finish() -> None:
    """What was collected stays to the end; without this, a quarter of the time goes into looking for garbage there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()
