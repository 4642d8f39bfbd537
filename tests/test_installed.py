"""The package as strangers get it: built from the sources, installed without them, and run elsewhere.

To save time, the wheel has no machine code, and the dependencies are those of this environment: `make release-check`
saves neither.
"""

from __future__ import annotations

import email
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import numpy as np

import sfumato
from building import installed, release_check

ROOT = Path(__file__).parents[1]
SOURCES = ("src", "building", "pyproject.toml", "MANIFEST.in", "README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE")


def test_what_is_built_installs_and_runs_outside_of_the_checkout(tmp_path: Path) -> None:
    dist = built(tmp_path / "sources")
    check_the_source_distribution(next(dist.glob("*.tar.gz")))
    check_the_wheel(wheel := next(dist.glob("*.whl")))
    check_the_installation(wheel, tmp_path)


def built(copied: Path) -> Path:
    """Where the source distribution is, and the wheel that was built from it."""
    copied.mkdir()
    for name in SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, copied / name)
    words = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(copied / "dist"), str(copied)]
    run(words, copied, SFUMATO_COMPILE="0")
    return copied / "dist"


def run(words: list[str], folder: Path, **more: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(words, cwd=folder, env=kept | more, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def check_the_source_distribution(path: Path) -> None:
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "CITATION.cff", "CHANGELOG.md", "LICENSE", "building/machine_code.py"} <= names
    assert not [name for name in names if name.endswith(".pyc") or name.startswith("tests")]


def check_the_wheel(path: Path) -> None:
    information = f"sfumato-{sfumato.__version__}.dist-info"
    with zipfile.ZipFile(path) as wheel:
        names = {name for name in wheel.namelist() if not name.startswith(information)}
        metadata = email.message_from_bytes(wheel.read(f"{information}/METADATA"))
    package = ROOT / "src" / "sfumato"
    own = {path.relative_to(package.parent).as_posix() for path in package.rglob("*") if path.is_file()}
    assert names == {name for name in own if "__pycache__" not in name}
    assert metadata["Version"] == sfumato.__version__
    assert metadata["License-Expression"] == "Apache-2.0"


def check_the_installation(wheel: Path, folder: Path) -> None:
    venv.create(folder / "environment", symlinks=True)
    python = str(folder / "environment" / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile", "--no-index"]
    run([*pip, "--no-deps", str(wheel)], folder)
    packages = next(folder.glob("environment/lib/python*/site-packages"))
    (packages / "dependencies.pth").write_text(f"{Path(np.__file__).parents[1]}\n")
    trial = shutil.copy(ROOT / "building" / "installed.py", folder)
    assert f"sfumato {sfumato.__version__} in {packages}" in run([python, str(trial)], folder)


def test_addresses_that_are_missing_are_named_before_a_release() -> None:
    without = release_check.missing_addresses({})
    assert without[0].startswith("pyproject.toml: no [project.urls]")
    assert without[0] not in release_check.missing_addresses({"urls": {"Source": "https://example.org"}})


def test_every_extra_of_users_is_tried_by_the_check_of_a_release() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = set(project["optional-dependencies"]) - set(release_check.OF_DEVELOPERS)
    assert extras <= {*installed.COMMANDS, *installed.CHECKS}
    assert installed._tried("another") == ["extra another: nothing tries it"]
