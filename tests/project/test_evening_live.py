"""An evening on a laptop: a sheet of paper is uploaded, and a second browser sees it count."""

import json
import re
from http.cookiejar import CookieJar
from pathlib import Path
from textwrap import dedent
from typing import Final
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener
from uuid import uuid4

from websockets.sync.client import connect

from tests.processes import ROOT, free_port, process, wait_until_well

README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
FORM: Final = "application/x-www-form-urlencoded"


def sheet_of_the_tour() -> str:
    """Return the sheet of paper that the README asks its reader to upload."""
    (block,) = re.findall(r"```\n( *\[Event.*?)```", README, re.DOTALL)
    return dedent(block)


class Browser:
    """A visitor with cookies."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.opener: OpenerDirector = build_opener(HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> str:
        with self.opener.open(self.address + path, timeout=20) as answer:
            return str(answer.read().decode())

    def post(self, path: str, fields: dict[str, str], *, file: tuple[str, str] | None = None) -> str:
        """Send the form at ``path`` as a browser does; ``file`` is a name and a text."""
        secret = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.get(path))[0]
        fields = {"csrfmiddlewaretoken": secret, **fields}
        body, kind = (multipart(fields, file)) if file else (urlencode(fields).encode(), FORM)
        headers = {"Content-Type": kind, "Referer": self.address + path, "Origin": self.address}
        with self.opener.open(Request(self.address + path, body, headers), timeout=30) as answer:
            return str(answer.read().decode())


def multipart(fields: dict[str, str], file: tuple[str, str]) -> tuple[bytes, str]:
    border = uuid4().hex
    parts = [
        f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}' for name, value in fields.items()
    ]
    parts.append(f'Content-Disposition: form-data; name="files"; filename="{file[0]}"\r\n\r\n{file[1]}')
    text = "".join(f"--{border}\r\n{part}\r\n" for part in parts) + f"--{border}--\r\n"
    return text.encode(), f"multipart/form-data; boundary={border}"


def test_a_sheet_of_paper_counts_before_the_eyes_of_a_second_browser(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "log"
    variables = {"PORT": str(port), "DATABASE_URL": f"sqlite:///{tmp_path}/site.sqlite3"}
    page = "/tournaments/gulmohar-evening/"

    with process("manage.py", "serve", variables=variables, log=log) as site:
        wait_until_well(port, site=site, seconds=240, log=log)
        said = log.read_text()
        email, password = (re.findall(rf"{word} +(\S+)\n", said)[0] for word in ("director:", "the password"))
        director, visitor = Browser(f"http://127.0.0.1:{port}"), Browser(f"http://127.0.0.1:{port}")
        assert "Asif Khan" not in visitor.get(page)
        director.post("/accounts/login/", {"login": email, "password": password})
        with connect(f"ws://127.0.0.1:{port}/ws{page}") as socket:
            before = json.loads(socket.recv(timeout=10))["version"]
            report = director.post(f"{page}upload/", {}, file=("paper.pcn", sheet_of_the_tour()))
            after = before
            while after <= before:
                after = json.loads(socket.recv(timeout=10))["version"]

        assert f"DATABASE_URL={variables['DATABASE_URL']} .venv/bin/python manage.py changepassword" in said
        assert "Asif Khan" in report
        assert "Asif Khan" in visitor.get(page)
    assert "Traceback" not in log.read_text()
