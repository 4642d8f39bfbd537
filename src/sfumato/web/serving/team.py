"""The server of a team: gunicorn with several processes, accounts, and a database that others manage."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from sfumato.errors import CallerError, MissingExtra, ParameterError
from sfumato.web.serving.starting import migrate, pending_migrations, set_up_person, set_up_team

__all__ = ["first_invitation", "migrate_team", "prepared_restore", "prepared_worker", "ready_team", "serve_team"]

_WORKER_NEEDS = ("SFUMATO_HOME", "SFUMATO_DATABASE_URL")
_TLS = {"SFUMATO_TLS_CERTIFICATE": "certfile", "SFUMATO_TLS_KEY": "keyfile", "SFUMATO_CLIENT_CA": "ca_certs"}
_OPTIONAL = 1  # ssl.CERT_OPTIONAL: a client without a certificate signs in otherwise


def migrate_team() -> int:
    """Bring the database of a team to this version, and say how many changes were made."""
    set_up_team()
    return migrate()


def ready_team() -> Path:
    """The private folder of a team whose database has all migrations."""
    folder = set_up_team()
    _require_migrated()
    return folder


def first_invitation() -> str | None:
    """The path of an invitation for the first IT administrator; nothing if there is one already."""
    from django.urls import reverse

    from sfumato.web.accounts.invitations.making import administrator_invitation
    from sfumato.web.accounts.models import Invitation, User

    if User.objects.filter(is_ita=True, is_active=True).exists():
        return None
    Invitation.objects.filter(inviter=None, role="ita", accepted=None).delete()  # those of earlier starts
    path: str = reverse("invite", args=[administrator_invitation()])
    return path


def prepared_worker() -> Path:
    """The private folder, with Django ready: of a team if its database is in the environment, otherwise of a person."""
    folder = _set_up()
    _require_migrated()
    return folder


def prepared_restore() -> Path:
    """The same for a database that is empty."""
    return _set_up(with_key=False)


def _set_up(*, with_key: bool = True) -> Path:
    if os.environ.get("SFUMATO_DATABASE_URL"):
        return set_up_team(needs=_WORKER_NEEDS)
    return set_up_person(with_key=with_key)


def serve_team(bind: str, processes: int, threads: int = 8) -> None:
    """Serve until SIGTERM, or SIGINT."""
    if sys.platform == "win32":
        raise CallerError("a team's server needs a Unix system; on Windows run it in a container or in WSL")
    try:
        from gunicorn.app.base import BaseApplication
    except ImportError as error:
        raise MissingExtra("gunicorn", "web") from error

    options: dict[str, Any] = {
        "bind": bind,
        "workers": processes,
        "threads": threads,
        "worker_class": "gthread",
        "timeout": 120,
        "graceful_timeout": 30,
        "max_requests": 10_000,
        "max_requests_jitter": 1_000,
        "proc_name": "sfumato",
        "accesslog": None,
        "control_socket_disable": True,
        **_tls(),
    }

    class Application(BaseApplication):
        """Gunicorn, with these options and no file of its own."""

        def load_config(self) -> None:
            for name, value in options.items():
                if name in self.cfg.settings:
                    self.cfg.set(name, value)

        def load(self) -> Any:
            from sfumato.web.wsgi import application

            return application

    from django.db import connections

    connections.close_all()  # a connection does not survive a fork
    Application().run()


def _tls() -> dict[str, Any]:
    """The options of a server that speaks TLS itself, and asks for client certificates if an authority is named."""
    chosen = {option: os.environ[name] for name, option in _TLS.items() if os.environ.get(name)}
    if chosen and not {"certfile", "keyfile"} <= chosen.keys():
        raise ParameterError("SFUMATO_TLS_CERTIFICATE, SFUMATO_TLS_KEY: TLS needs both files, found one or none")
    for name, option in _TLS.items():
        if option in chosen and not Path(chosen[option]).is_file():
            raise ParameterError(f"{name}: wanted a file, found none")
    return {**chosen, "cert_reqs": _OPTIONAL} if "ca_certs" in chosen else chosen


def _require_migrated() -> None:
    pending = pending_migrations()
    if pending:
        how = "back up, then run `sfumato serve --team --migrate` once"
        if os.environ.get("SFUMATO_TEAM") != "1":
            how = "start `sfumato serve` once"
        raise CallerError(f"the database lacks {len(pending)} migrations of this version; {how}")
