"""Machine code of the kernels for the generic processor of this platform."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

ROOT = Path(__file__).parent.parent


def add_machine_code(library: Path) -> None:
    """Compile what the commands need from the modules in `library`, and lay it beside the kernels."""
    with tempfile.TemporaryDirectory() as cache:
        surroundings = os.environ | {
            "NUMBA_CACHE_DIR": cache,
            "NUMBA_CPU_NAME": "generic",
            "PYTHONPATH": os.pathsep.join([str(library), str(ROOT), *sys.path]),
        }
        words = [sys.executable, "-P", "-m", "building.first_runs"]
        if subprocess.run(words, cwd=cache, env=surroundings).returncode:
            warnings.warn("not every kernel was compiled; the others compile on first use", stacklevel=1)
        target = library / "sfumato" / "kernels" / "machine_code"
        shutil.rmtree(target, ignore_errors=True)  # of an earlier build
        if (compiled := Path(cache) / "sfumato" / "kernels").exists():
            shutil.copytree(compiled, target)
