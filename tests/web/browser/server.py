"""The server of the browser tests: a process with its own folder and database, the web and a worker in two threads.

It writes one line of JSON (its port), then answers lines of JSON on its standard input, each the name of a function of
`web.browser.scenes` and its arguments.  It ends when its standard input is closed, so that none outlives a test run.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from contextlib import suppress


def main() -> None:
    """Start, say where, answer until the input ends."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "sfumato.web.settings"
    answers, sys.stdout = sys.stdout, sys.stderr
    import django

    django.setup()
    from django.core.management import call_command
    from waitress import create_server

    from sfumato.web.jobs.worker import Worker
    from sfumato.web.wsgi import application
    from web.browser import scenes  # before the threads start, which import as well

    call_command("migrate", verbosity=0, interactive=False)
    server = create_server(application, host="127.0.0.1", port=0, threads=6, max_request_body_size=8 << 30)
    stop = threading.Event()
    worker = threading.Thread(target=Worker("browser-tests").run, args=(stop.is_set,))
    worker.start()
    threading.Thread(target=server.run, daemon=True).start()
    _write(answers, {"port": server.effective_port})

    for line in sys.stdin:
        order = json.loads(line)
        try:
            _write(answers, {"answer": getattr(scenes, order["scene"])(**order["arguments"])})
        except Exception as error:  # told to the test, which fails with it
            _write(answers, {"error": f"{type(error).__name__}: {error}"})
    stop.set()
    worker.join(10)
    with suppress(OSError):
        server.close()
    os._exit(0)


def _write(answers: object, line: dict[str, object]) -> None:
    answers.write(json.dumps(line) + "\n")  # type: ignore[attr-defined]
    answers.flush()  # type: ignore[attr-defined]


if __name__ == "__main__":
    try:
        main()
    except BaseException:
        traceback.print_exc()
        os._exit(1)  # the threads do not keep a process that answers nobody
