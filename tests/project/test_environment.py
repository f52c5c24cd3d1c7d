"""A wrong value of a variable refuses to start, with a sentence that names the variable."""

import subprocess
import sys
from pathlib import Path

import pytest

from courtpiece.project.environment import ROOT, WrongEnvironment, read_environment

SERVER = {
    "DATABASE_URL": "postgres://someone:secret@127.0.0.1:5433/cards",
    "REDIS_URL": "redis://127.0.0.1:6379/2",
    "SECRET_KEY": "k" * 50,
    "SITE_URL": "https://cards.example.org",
}


def test_without_any_variable_one_process_uses_sqlite(tmp_path: Path) -> None:
    environment = read_environment({}, root=tmp_path)

    assert environment.embedded
    assert environment.database == {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(tmp_path / "var" / "courtpiece.sqlite3"),
    }
    assert (environment.host, environment.port) == ("127.0.0.1", 8000)
    assert environment.allowed_hosts == ("127.0.0.1", "localhost", "[::1]")
    assert (environment.debug, environment.demo, environment.https) == (False, True, False)


def test_the_machine_keeps_the_secret_that_it_made(tmp_path: Path) -> None:
    first = read_environment({}, root=tmp_path)
    second = read_environment({}, root=tmp_path)
    kept = tmp_path / "var" / "secret-key"

    assert first.secret_key == second.secret_key
    assert len(first.secret_key) >= 50
    assert kept.stat().st_mode & 0o777 == 0o600


def test_another_place_for_the_data_has_its_own_secret(tmp_path: Path) -> None:
    environment = read_environment({"DATABASE_URL": f"sqlite:///{tmp_path}/club/site.sqlite3"}, root=tmp_path)

    assert environment.database["NAME"] == f"{tmp_path}/club/site.sqlite3"
    assert (tmp_path / "club" / "secret-key").exists()


def test_a_relative_file_stands_in_the_project(tmp_path: Path) -> None:
    environment = read_environment({"DATABASE_URL": "sqlite:///data/site.sqlite3"}, root=tmp_path)

    assert environment.database["NAME"] == str(tmp_path / "data" / "site.sqlite3")


def test_redis_makes_it_a_server(tmp_path: Path) -> None:
    environment = read_environment(SERVER, root=tmp_path)

    assert not environment.embedded
    assert environment.https
    assert environment.allowed_hosts == ("cards.example.org", "localhost", "127.0.0.1", "[::1]")
    assert environment.log_format == "json"
    assert environment.database["ENGINE"] == "django.db.backends.postgresql"
    assert list(tmp_path.iterdir()) == []


def test_a_machine_that_serves_its_neighbours_answers_to_every_name(tmp_path: Path) -> None:
    assert read_environment({"HOST": "0.0.0.0"}, root=tmp_path).allowed_hosts == ("*",)


def test_empty_variables_count_as_not_given(tmp_path: Path) -> None:
    names = ("DATABASE_URL", "REDIS_URL", "HOST", "PORT", "DEBUG", "DEMO", "LOG_LEVEL", "ALLOWED_HOSTS")

    assert read_environment(dict.fromkeys(names, ""), root=tmp_path).database == (
        read_environment({}, root=tmp_path).database
    )


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("DATABASE_URL", "mysql://somewhere/cards"),
        ("DATABASE_URL", "cards.sqlite3"),
        ("DATABASE_URL", "sqlite://:memory:"),
        ("DATABASE_URL", "sqlite:///"),
        ("DATABASE_URL", "postgres://host:not-a-port/cards"),
        ("DATABASE_URL", "postgres://host:5432/"),
        ("REDIS_URL", "localhost:6379"),
        ("REDIS_URL", "http://localhost:6379/0"),
        ("REDIS_URL", "redis://localhost:6379/cards"),
        ("REDIS_URL", "redis://localhost:99999/0"),
        ("SECRET_KEY", "short"),
        ("SECRET_KEY", ""),
        ("SITE_URL", ""),
        ("SITE_URL", "cards.example.org"),
        ("SITE_URL", "https://cards.example.org/club/"),
        ("ALLOWED_HOSTS", "https://cards.example.org"),
        ("ALLOWED_HOSTS", "one two"),
        ("PORT", "eighty"),
        ("PORT", "70000"),
        ("PORT", "-1"),
        ("DEBUG", "perhaps"),
        ("DEMO", "maybe"),
        ("LOG_LEVEL", "LOUD"),
        ("LOG_FORMAT", "xml"),
        ("EMAIL_URL", "post@example.org"),
        ("UPLOAD_MEGABYTES", "0"),
    ],
)
def test_a_wrong_value_is_refused_by_name(variable: str, value: str, tmp_path: Path) -> None:
    with pytest.raises(WrongEnvironment) as caught:
        read_environment({**SERVER, variable: value}, root=tmp_path)

    assert caught.value.variable == variable
    assert str(caught.value).startswith(f"{variable}: ")


def test_a_complaint_does_not_repeat_a_password(tmp_path: Path) -> None:
    with pytest.raises(WrongEnvironment) as caught:
        read_environment({**SERVER, "DATABASE_URL": "postgres://me:hunter2@host:x/cards"}, root=tmp_path)

    assert "hunter2" not in str(caught.value)


def test_a_folder_in_which_nothing_can_be_written_is_refused() -> None:
    with pytest.raises(WrongEnvironment, match="DATABASE_URL"):
        read_environment({"DATABASE_URL": "sqlite:////proc/none/site.sqlite3"})


def test_a_file_that_is_no_database_is_refused_and_nothing_is_written_beside_it(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Not a database, but long enough\n")

    with pytest.raises(WrongEnvironment, match="DATABASE_URL: names a file that is no database"):
        read_environment({"DATABASE_URL": f"sqlite:///{tmp_path}/README.md"}, root=tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


def test_the_command_line_says_it_in_one_sentence() -> None:
    answer = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={"PATH": "/usr/bin", "DATABASE_URL": "oracle://x/y"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert answer.returncode == 1
    assert answer.stderr.strip() == (
        "DATABASE_URL: must begin with sqlite:/// and a file, or postgres:// and a server; "
        "it begins with 'oracle'."
    )
