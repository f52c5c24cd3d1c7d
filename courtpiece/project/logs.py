"""How the site's log lines look: plain for a person, JSON for a machine."""

import json
import logging
from datetime import UTC, datetime
from typing import Any, Final

_OWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class JsonFormatter(logging.Formatter):
    """Write a record as one JSON object a line, with whatever was given as ``extra``."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of ``record``."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, tz=UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line.update({name: value for name, value in vars(record).items() if name not in _OWN})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def logging_config(*, level: str, form: str, requests: bool) -> dict[str, Any]:
    """Return the configuration of :mod:`logging`: everything to the standard error, in ``form``.

    ``requests`` also writes down every request and task.
    """
    quiet = "INFO" if requests else "WARNING"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {"()": JsonFormatter},
            "text": {"format": "%(asctime)s %(levelname)-7s %(name)s: %(message)s", "datefmt": "%H:%M:%S"},
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": form}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django.server": {"handlers": [], "level": "INFO", "propagate": True},
            "uvicorn": {"handlers": [], "level": quiet, "propagate": True},
            "uvicorn.access": {"handlers": [], "level": quiet, "propagate": True},
            "celery": {"handlers": [], "level": quiet, "propagate": True},
            "kombu": {"handlers": [], "level": "WARNING", "propagate": True},
            "amqp": {"handlers": [], "level": "WARNING", "propagate": True},
            "asyncio": {"handlers": [], "level": "WARNING", "propagate": True},
        },
    }
