"""One Spark session for all tests of this folder: a cluster of two executors on this machine."""

import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
MASTER = "local-cluster[2,1,1024]"
PATIENT = {  # a machine that is busy with other tests is slow, not broken
    "spark.worker.timeout": "900",
    "spark.executor.heartbeatInterval": "300s",
    "spark.sql.shuffle.partitions": "3",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
}
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # to compile Java code takes longer than to run it once on few rows
JAVA += " -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
QUICK = {  # Spark's classes were verified by those who built them
    "spark.driver.extraJavaOptions": JAVA,
    "spark.executor.extraJavaOptions": JAVA,
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """These tests come first: workers get neighbours and take from each other's end, so one worker runs all of them."""
    items.sort(key=lambda item: HERE not in item.path.parents)


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    from sfumato.spark.session import start

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Spark does not know the newest pandas, which nothing here uses
        session = start(MASTER, PATIENT | QUICK)
        yield session
        session.stop()
