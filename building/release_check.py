"""Everything that a release needs and the tests have no time for: real builds in real, empty environments.

python -m building.release_check [--python PROGRAM ...] [--extra NAME ...]

1. The source distribution is built, and from it the wheel with machine code.
2. For each extra alone, an empty environment is made, pip installs the wheel with it, and `installed.py` tries it.
3. For each other interpreter, pip builds and installs the source distribution without machine code, and tries it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
TRIAL = Path(__file__).with_name("installed.py")
OF_DEVELOPERS = ("docs", "dev")


def main() -> str | None:
    """Build, install and try everything; prints a line a step and returns what failed, if anything did."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [extra for extra in project["optional-dependencies"] if extra not in OF_DEVELOPERS]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--python", nargs="*", default=[], metavar="PROGRAM", help="other interpreters")
    parser.add_argument("--extra", nargs="*", default=["", *extras], metavar="NAME", help="extras; without it, all")
    asked = parser.parse_args()
    for sentence in missing_addresses(project):
        print(sentence, flush=True)
    with tempfile.TemporaryDirectory(prefix="sfumato-release-") as folder:
        work = Path(folder)
        step("build", [sys.executable, "-m", "build", "--outdir", str(work / "dist"), str(ROOT)], work)
        wheel, source = next(work.glob("dist/*.whl")), next(work.glob("dist/*.tar.gz"))
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB; {source.name}: {source.stat().st_size / 1e6:.1f} MB")
        failures = [
            f"extra {extra or 'none'}" for extra in asked.extra if not tried(wheel, extra, sys.executable, work)
        ]
        failures += [program for program in asked.python if not tried(source, "", program, work, compiled=False)]
    return f"failed: {', '.join(failures)}" if failures else None


def missing_addresses(project: dict[str, Any]) -> list[str]:
    """What a package index and a citation should say about where the project is, and do not say yet."""
    sentences = []
    if not project.get("urls"):
        sentences.append("pyproject.toml: no [project.urls]; add the public addresses before the package is published")
    if "repository-code:" not in (ROOT / "CITATION.cff").read_text("utf-8"):
        sentences.append("CITATION.cff: no repository-code; add the public address before the package is published")
    return sentences


def tried(archive: Path, extra: str, program: str, work: Path, *, compiled: bool = True) -> bool:
    """Install an archive with an extra into an empty environment, and try it in an empty folder."""
    name = f"{Path(program).parent.parent.name}-{Path(program).name}-{extra or 'base'}"
    environment, folder = work / f"venv-{name}", work / f"run-{name}"
    folder.mkdir()
    python = str(environment / "bin" / "python")
    wanted = f"{archive}[{extra}]" if extra else str(archive)
    more = {"XDG_CACHE_HOME": str(folder / "cache"), "XDG_DATA_HOME": str(folder / "data")}
    more |= {} if compiled else {"SFUMATO_COMPILE": "0"}
    (folder / TRIAL.name).write_bytes(TRIAL.read_bytes())
    return (
        step(f"{name}: environment", [program, "-m", "venv", str(environment)], folder)
        and step(f"{name}: install", [python, "-m", "pip", "install", "--quiet", wanted], folder, more)
        and step(f"{name}: check", [python, "-m", "pip", "check"], folder, more)
        and step(f"{name}: run", [python, TRIAL.name, *([extra] if extra else [])], folder, more)
    )


def step(name: str, words: list[str], folder: Path, more: dict[str, str] | None = None) -> bool:
    """Run a command and print how long it took; its output is shown only if it fails."""
    kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "NUMBA_CACHE_DIR")}
    begun, before = time.monotonic(), _processor_seconds()
    done = subprocess.run(words, cwd=folder, env=kept | (more or {}), capture_output=True, text=True, check=False)
    state = "ok" if done.returncode == 0 else f"exit code {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    spent = f"{time.monotonic() - begun:.0f} s, {_processor_seconds() - before:.0f} s of processor time"
    print(f"{name}: {state} ({spent})", flush=True)
    return done.returncode == 0


def _processor_seconds() -> float:
    """The processor time of all commands that have ended."""
    times = os.times()
    return times.children_user + times.children_system


if __name__ == "__main__":
    sys.exit(main())
