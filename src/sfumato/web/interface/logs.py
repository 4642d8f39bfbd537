"""Logs without texts of errors or of requests, which may quote data."""

from __future__ import annotations

import logging
from typing import Any

__all__ = ["WithoutTexts"]


class WithoutTexts(logging.Filter):
    """Leaves the name of the logger, the class of the error, and the file and line where it was raised."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace the message."""
        where = ""
        if record.exc_info and record.exc_info[0] is not None:
            trace = record.exc_info[2]
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            place = "" if trace is None else f" in {trace.tb_frame.f_code.co_name} line {trace.tb_lineno}"
            where = f" {record.exc_info[0].__name__}{place}"
        request = getattr(record, "request", None)
        path = "" if request is None else f" {request.method} {_route(request)}"
        status = getattr(record, "status_code", "")
        record.msg, record.args = f"{record.levelname} {record.name} {status}{path}{where}", ()
        record.exc_info = record.exc_text = record.stack_info = None
        return True


def _route(request: Any) -> str:
    """The pattern of the address and its ids; the address itself may hold a token, or what somebody typed."""
    match = getattr(request, "resolver_match", None)
    if match is None:
        return "-"
    ids = [f"{name}={value}" for name, value in match.kwargs.items() if name.endswith("_id")]
    return " ".join([f"/{match.route}", *ids])
