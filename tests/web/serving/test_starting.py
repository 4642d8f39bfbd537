"""The start of a server: its key, its port, its settings."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from sfumato.errors import CallerError, ParameterError
from sfumato.web.jobs.limits import job_limits, whole_number
from sfumato.web.serving import ports
from sfumato.web.serving.starting import kept_key, set_up_team
from sfumato.web.serving.team import _tls


def test_the_key_is_made_once_and_is_private(tmp_path: Path) -> None:
    key = kept_key(tmp_path / "key")
    assert len(key) >= 64
    assert kept_key(tmp_path / "key") == key
    assert oct((tmp_path / "key").stat().st_mode)[-3:] == "600"


def test_a_key_that_was_not_written_whole_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("abc")
    assert len(kept_key(tmp_path / "key")) >= 64


def test_the_next_free_port_is_taken_if_none_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr(ports, "FIRST_PORT", port)
        with ports.listening(None) as chosen:
            assert chosen.getsockname()[0] == "127.0.0.1"
            assert chosen.getsockname()[1] != port
        with pytest.raises(CallerError, match=f"port {port} is in use"):
            ports.listening(port)


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "²"])
def test_a_limit_is_a_whole_number(text: str) -> None:
    with pytest.raises(ParameterError, match="SFUMATO_JOB_DAYS: wanted a whole number of at least 1"):
        whole_number({"SFUMATO_JOB_DAYS": text}, "SFUMATO_JOB_DAYS", 30)


def test_a_job_may_use_most_of_the_machine_if_nothing_else_is_said() -> None:
    limits = job_limits({})
    assert limits["seconds"] == 86_400
    assert limits.get("memory", 2**30) >= 2**28


def test_tls_needs_a_certificate_and_its_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _tls() == {}
    file = tmp_path / "pem"
    file.touch()
    monkeypatch.setenv("SFUMATO_TLS_CERTIFICATE", str(file))
    with pytest.raises(ParameterError, match="TLS needs both files"):
        _tls()
    monkeypatch.setenv("SFUMATO_TLS_KEY", str(tmp_path / "nothing"))
    with pytest.raises(ParameterError, match="SFUMATO_TLS_KEY: wanted a file"):
        _tls()
    monkeypatch.setenv("SFUMATO_TLS_KEY", str(file))
    monkeypatch.setenv("SFUMATO_CLIENT_CA", str(file))
    assert _tls() == {"certfile": str(file), "keyfile": str(file), "ca_certs": str(file), "cert_reqs": 1}


@pytest.mark.parametrize("missing", ["SFUMATO_HOME", "SFUMATO_DATABASE_URL", "SFUMATO_SECRET", "SFUMATO_HOSTS"])
def test_a_setting_that_a_team_lacks_is_one_sentence(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SFUMATO_HOME", "SFUMATO_DATABASE_URL", "SFUMATO_SECRET", "SFUMATO_HOSTS"):
        monkeypatch.setenv(name, "" if name == missing else "x" * 40)
    with pytest.raises(ParameterError, match=f"^{missing}: a team's server needs ") as refusal:
        set_up_team()
    assert "\n" not in str(refusal.value)


def test_a_key_of_a_team_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SFUMATO_HOME", "SFUMATO_DATABASE_URL", "SFUMATO_SECRET", "SFUMATO_HOSTS"):
        monkeypatch.setenv(name, "short")
    with pytest.raises(ParameterError, match="SFUMATO_SECRET: wanted at least 32 random characters, found fewer"):
        set_up_team()
