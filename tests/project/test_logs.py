"""Log lines."""

import json
import logging
import sys

from courtpiece.project.logs import JsonFormatter


def record_of(**extra: object) -> logging.LogRecord:
    made = logging.LogRecord("scoring", logging.WARNING, __file__, 1, "deal %d is late", (7,), None)
    vars(made).update(extra)
    return made


def test_a_line_is_one_json_object() -> None:
    line = json.loads(JsonFormatter().format(record_of(tournament="سہ")))

    assert line["message"] == "deal 7 is late"
    assert (line["level"], line["logger"], line["tournament"]) == ("warning", "scoring", "سہ")
    assert line["time"].endswith("+00:00")


def test_an_exception_stays_on_its_line() -> None:
    made = record_of()
    try:
        [].pop()
    except IndexError:
        made.exc_info = sys.exc_info()

    text = JsonFormatter().format(made)

    assert "\n" not in text
    assert "pop from empty list" in json.loads(text)["exception"]


def test_what_is_no_json_is_written_as_text() -> None:
    assert json.loads(JsonFormatter().format(record_of(seats={"N"})))["seats"] == "{'N'}"
