"""Processes of a server in tests: their environment."""

from __future__ import annotations

import os
from pathlib import Path

import sfumato

SOURCE = str(Path(sfumato.__file__).parents[1])


def clean_environment(**more: str) -> dict[str, str]:
    """The environment without settings of a server, with those that are given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SFUMATO_", "DJANGO_"))}
    return {**kept, "PYTHONPATH": SOURCE, "SFUMATO_WARM": "0", **more}
