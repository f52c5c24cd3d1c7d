"""One process that serves, works and keeps time: `manage.py serve`."""

import socket
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import pytest

from courtpiece.project import embedded
from tests.processes import ROOT, free_port, process, variables_of, wait_until_well


def test_it_serves_works_and_stops(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "log"
    variables = {"PORT": str(port), "DATABASE_URL": f"sqlite:///{tmp_path}/site.sqlite3", "DEMO": "0"}

    with process("manage.py", "serve", variables=variables, log=log) as site:
        wait_until_well(port, site=site, seconds=240, log=log)
        with urlopen(f"http://127.0.0.1:{port}/", timeout=10) as home:
            text = home.read().decode()

    said = log.read_text()
    assert "</html>" in text
    assert site.returncode == 0
    assert f"is at http://127.0.0.1:{port}/" in said
    assert said.rstrip().endswith("Stopped.")
    assert [word for word in ("Traceback", "ERROR", "WARNING", "Warning") if word in said] == []


def test_a_port_that_is_taken_is_said_in_one_sentence(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        port = other.getsockname()[1]
        variables = {"PORT": str(port), "DATABASE_URL": f"sqlite:///{tmp_path}/site.sqlite3"}
        with process("manage.py", "serve", variables=variables, log=log) as site:
            site.wait(timeout=30)

    assert site.returncode == 1
    assert log.read_text().strip() == (
        f"CommandError: Port {port} is taken by another program. Choose another: PORT={port + 1}"
    )


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "0.0.0.0"])
def test_it_listens_where_it_is_told(host: str) -> None:
    with closing(embedded.bind(host, 0)) as listener:
        assert listener.getsockname()[1] > 0


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(embedded.AddressUnusable, match=r"HOST=192\.0\.2\.1"):
        embedded.bind("192.0.2.1", 0)


def test_it_refuses_to_be_a_server(tmp_path: Path) -> None:
    log = tmp_path / "log"
    variables = {"REDIS_URL": "redis://127.0.0.1:1/0", "SITE_URL": "http://localhost", "SECRET_KEY": "k" * 50}

    with process("manage.py", "serve", variables=variables, log=log) as site:
        site.wait(timeout=30)

    assert site.returncode == 1
    assert "docs/server.md" in log.read_text()
    assert (ROOT / "docs" / "server.md").exists()
    assert "REDIS_URL" not in variables_of({})
