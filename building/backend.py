"""The build backend: setuptools, which needs the dependencies of the package too when it builds a wheel.

An editable installation needs nothing more: it compiles on first use.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """What must be installed to build a wheel: the package is run once to compile its kernels."""
    project = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
    return [*build_meta.get_requires_for_build_wheel(config_settings), *project["dependencies"]]
