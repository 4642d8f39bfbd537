"""`sfumato.advise`: a promise by its name or as an object."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from api.walks import walks
from sfumato import advise
from sfumato.errors import ParameterError
from sfumato.privacy import KmAnonymity


def test_by_name_and_as_an_object() -> None:
    by_name = advise(walks(), "km", ["generalized"], k=2, m=1, seconds=120, jobs=1)
    by_object = advise(walks(), KmAnonymity(k=2, m=1), ["generalized"], seconds=120, jobs=1)
    assert by_name.recommended is not None
    assert by_object.recommended is not None
    assert by_name.recommended.name == by_object.recommended.name
    assert by_name.to_pandas().shape == by_name.to_polars().shape
    assert json.loads(json.dumps(by_name.to_json()))["promise"] == "km"
    assert by_name.sentences[0] in by_name._repr_html_()
    assert "hconcat" in by_name.chart().to_dict()


def test_parameters_go_with_a_name() -> None:
    with pytest.raises(ParameterError, match="km has its parameters already; leave 'k' out"):
        advise(walks(), KmAnonymity(k=2, m=1), k=2)


SCRIPT = """
from sfumato import Trajectories, advise

walks = Trajectories.from_lists(["ab", "ab", "ac"], places={"a": (0, 0), "b": (5, 0), "c": (6, 0)})
print(advise(walks, "km", k=2, m=1, seconds=60).recommended is not None)
"""


def test_a_script_needs_no_guard(tmp_path: Path) -> None:
    """Worker processes run nothing of the script that starts them."""
    (tmp_path / "script.py").write_text(SCRIPT)
    ran = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "True\n"), ran.stderr
