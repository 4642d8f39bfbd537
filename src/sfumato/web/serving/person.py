"""The server of one person: on this machine only, without accounts, opened by a link that works once."""

from __future__ import annotations

import socket
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from sfumato.web.home import private_folder
from sfumato.web.serving.ports import listening
from sfumato.web.serving.starting import migrate, require_packages, set_up_person
from sfumato.web.serving.supervising import KeptWorker

__all__ = ["PersonServer", "prepared"]

_THREADS = 8


class PersonServer(NamedTuple):
    """A server that is ready to run; `link` signs in once."""

    home: Path
    address: str
    link: str
    socket: socket.socket

    def run(self, ready: Callable[[], Any] = lambda: None) -> None:
        """Serve until interrupted."""
        from django.conf import settings
        from waitress.server import create_server

        from sfumato.web.wsgi import application

        tempfile.tempdir = str(private_folder(self.home / "temporary"))  # large uploads arrive there, not in memory
        worker = KeptWorker()
        worker.start()
        server = create_server(
            application,
            sockets=[self.socket],
            threads=_THREADS,
            ident=None,
            clear_untrusted_proxy_headers=True,
            max_request_body_size=settings.SFUMATO_QUOTAS["upload_bytes"] + 2**20,
        )
        for work in (ready, partial(import_module, settings.ROOT_URLCONF)):  # the socket listens already
            threading.Thread(target=work, daemon=True).start()
        try:
            server.run()
        except KeyboardInterrupt:
            pass
        finally:
            server.close()
            worker.stop()


def prepared(port: int | None, home: Path | None = None) -> PersonServer:
    """Bring the database up to date, make the examples, and make a link."""
    require_packages()
    listener = listening(port)  # a port in use is refused before anything is written
    try:
        folder = set_up_person(home)
        migrate()

        from sfumato.web.accounts.one_time_links import new_link, the_person
        from sfumato.web.studies.examples.study import first_example
        from sfumato.web.workbench.examples.projects import first_examples

        first_examples(the_person())
        first_example(the_person())
        token = new_link()
    except BaseException:
        listener.close()
        raise
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    return PersonServer(folder, address, f"{address}/start/{token}/", listener)
