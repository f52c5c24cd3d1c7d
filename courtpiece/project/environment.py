"""The environment variables that the site reads, each checked before anything starts."""

import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.core.exceptions import ImproperlyConfigured
from environ import Env

ROOT: Final = Path(__file__).resolve().parents[2]
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOG_FORMATS: Final = ("text", "json")
LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")
EVERY_ADDRESS: Final = ("0.0.0.0", "::")  # noqa: S104 - compared with, never bound to by itself
SQLITE_FILE: Final = b"SQLite format 3\0"
"""What every file of SQLite begins with, unless it is still empty."""
SECRET_KEY_LENGTH: Final = 32
TRUE: Final = ("1", "true", "yes", "on")
FALSE: Final = ("0", "false", "no", "off")


class WrongEnvironment(ImproperlyConfigured):
    """A variable has a value that the site cannot run with. ``variable`` is its name."""

    def __init__(self, variable: str, complaint: str) -> None:
        super().__init__(f"{variable}: {complaint}")
        self.variable = variable


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """What the site was told by the one who started it."""

    database: Mapping[str, object]
    """Django's ``DATABASES["default"]``, without the options that only our settings know."""
    redis_url: str | None
    """``None`` is the embedded way: one process that serves the site and works."""
    site: SplitResult | None
    """The address that people type, where it is known."""
    secret_key: str
    allowed_hosts: tuple[str, ...]
    host: str
    port: int
    debug: bool
    demo: bool
    """Whether a new site is filled with the demonstration club."""
    sign_up: bool
    """Whether people may make accounts for themselves."""
    log_level: str
    log_format: str
    email: Mapping[str, object] | None
    """``None`` prints letters to the terminal instead of sending them."""
    data_folder: Path
    """Where the embedded way keeps what it must remember beside the database."""
    upload_megabytes: int

    @property
    def embedded(self) -> bool:
        """Whether one process does everything, without a broker."""
        return self.redis_url is None

    @property
    def https(self) -> bool:
        """Whether people reach the site over TLS."""
        return self.site is not None and self.site.scheme == "https"


def read_environment(variables: Mapping[str, str] = os.environ, *, root: Path = ROOT) -> Environment:
    """Return what ``variables`` say.

    :raises WrongEnvironment: if one is missing that is needed, or has a value that the site cannot run with.
    """
    redis_url = _redis_url(variables)
    database = _database(variables, root)
    folder = _data_folder(database, root)
    site = _site(variables, needed=redis_url is not None)
    host = variables.get("HOST", "").strip() or "127.0.0.1"
    return Environment(
        database=database,
        redis_url=redis_url,
        site=site,
        secret_key=_secret_key(variables, folder, needed=redis_url is not None),
        allowed_hosts=_allowed_hosts(variables, site=site, host=host),
        host=host,
        port=_number(variables, "PORT", default=8000, least=0, most=65535),
        debug=_switch(variables, "DEBUG", default=False),
        demo=_switch(variables, "DEMO", default=True),
        sign_up=_switch(variables, "SIGN_UP", default=True),
        log_level=_one_of(variables, "LOG_LEVEL", LOG_LEVELS, default="INFO", fold=str.upper),
        log_format=_one_of(
            variables, "LOG_FORMAT", LOG_FORMATS, default="json" if redis_url else "text", fold=str.lower
        ),
        email=_email(variables),
        data_folder=folder,
        upload_megabytes=_number(variables, "UPLOAD_MEGABYTES", default=20, least=1, most=1024),
    )


def _given(variables: Mapping[str, str], name: str) -> str:
    return variables.get(name, "").strip()


def _database(variables: Mapping[str, str], root: Path) -> dict[str, object]:
    url = _given(variables, "DATABASE_URL") or f"sqlite:///{root / 'var' / 'courtpiece.sqlite3'}"
    scheme = url.partition("://")[0]
    if scheme not in ("sqlite", "postgres", "postgresql"):
        raise WrongEnvironment(
            "DATABASE_URL",
            "must begin with sqlite:/// and a file, or postgres:// and a server; it begins with "
            f"{scheme[:20]!r}.",
        )
    try:
        parsed: dict[str, object] = dict(Env.db_url_config(url))
    except (ValueError, ImproperlyConfigured) as error:
        raise WrongEnvironment("DATABASE_URL", f"cannot be read: {error}") from error
    name = str(parsed.get("NAME") or "")
    if not name:
        raise WrongEnvironment("DATABASE_URL", "names no database.")
    if scheme == "sqlite":
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": _sqlite_file(name, root)}
    return parsed


def _sqlite_file(name: str, root: Path) -> str:
    if name == ":memory:":
        raise WrongEnvironment("DATABASE_URL", "must name a file, since the site's threads share it.")
    path = Path(name).expanduser()
    path = path if path.is_absolute() else root / path
    if path.is_dir():
        raise WrongEnvironment("DATABASE_URL", f"names a folder, not a file: {path}")
    if path.is_file() and _beginning(path) not in (b"", SQLITE_FILE):
        raise WrongEnvironment("DATABASE_URL", f"names a file that is no database of SQLite: {path}")
    return str(path)


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE_FILE))
    except OSError as error:
        raise WrongEnvironment("DATABASE_URL", f"its file cannot be read: {error}") from error


def _data_folder(database: Mapping[str, object], root: Path) -> Path:
    if database["ENGINE"] == "django.db.backends.sqlite3":
        return Path(str(database["NAME"])).parent
    return root / "var"


def _redis_url(variables: Mapping[str, str]) -> str | None:
    url = _given(variables, "REDIS_URL")
    if not url:
        return None
    parts = _split("REDIS_URL", url)
    if parts.scheme not in ("redis", "rediss") or not parts.hostname:
        raise WrongEnvironment("REDIS_URL", "must be like redis://HOST:6379/0 (or rediss:// for TLS).")
    if parts.path.strip("/") and not parts.path.strip("/").isdigit():
        raise WrongEnvironment("REDIS_URL", f"must end with the database's number, not {parts.path!r}.")
    return url


def _site(variables: Mapping[str, str], *, needed: bool) -> SplitResult | None:
    url = _given(variables, "SITE_URL")
    if not url:
        if needed:
            raise WrongEnvironment(
                "SITE_URL", "must be given with REDIS_URL: the address that people type, like https://HOST."
            )
        return None
    parts = _split("SITE_URL", url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise WrongEnvironment("SITE_URL", f"must be like https://HOST, without a path; it is {url!r}.")
    return parts


def _split(variable: str, url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it is the check
    except ValueError as error:
        raise WrongEnvironment(variable, f"cannot be read: {error}.") from error
    return parts


def _allowed_hosts(variables: Mapping[str, str], *, site: SplitResult | None, host: str) -> tuple[str, ...]:
    given = tuple(name.strip() for name in _given(variables, "ALLOWED_HOSTS").split(",") if name.strip())
    for name in given:
        if "/" in name or " " in name:
            raise WrongEnvironment(
                "ALLOWED_HOSTS", f"must be names of hosts with commas between; {name!r} is none."
            )
    if given:
        return tuple(dict.fromkeys((*given, *LOOPBACK)))
    if site is not None:
        return tuple(dict.fromkeys((str(site.hostname), *LOOPBACK)))
    if host in EVERY_ADDRESS:
        return ("*",)
    return tuple(dict.fromkeys((f"[{host}]" if ":" in host else host, *LOOPBACK)))


def _secret_key(variables: Mapping[str, str], folder: Path, *, needed: bool) -> str:
    key = _given(variables, "SECRET_KEY")
    if key and len(key) < SECRET_KEY_LENGTH:
        raise WrongEnvironment("SECRET_KEY", f"must have {SECRET_KEY_LENGTH} characters or more.")
    if not key and needed:
        raise WrongEnvironment(
            "SECRET_KEY", "must be given with REDIS_URL: the same random text for every process."
        )
    return key or _kept_secret_key(folder / "secret-key")


def _kept_secret_key(path: Path) -> str:
    """Return the key that this machine made for itself the first time."""
    try:
        if path.is_file() and (kept := path.read_text(encoding="ascii").strip()):
            return kept
        path.parent.mkdir(parents=True, exist_ok=True)
        key = secrets.token_urlsafe(48)
        with os.fdopen(
            os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="ascii"
        ) as file:
            file.write(f"{key}\n")
    except OSError as error:
        raise WrongEnvironment("DATABASE_URL", f"its folder cannot be written: {error}") from error
    return key


def _email(variables: Mapping[str, str]) -> Mapping[str, object] | None:
    url = _given(variables, "EMAIL_URL")
    if not url:
        return None
    if url.partition("://")[0] not in ("smtp", "smtps", "smtp+tls", "smtp+ssl", "submission"):
        raise WrongEnvironment("EMAIL_URL", "must be like smtp+tls://USER:PASSWORD@HOST:587.")
    try:
        return dict(Env.email_url_config(url))
    except (ValueError, ImproperlyConfigured) as error:
        raise WrongEnvironment("EMAIL_URL", f"cannot be read: {error}") from error


def _switch(variables: Mapping[str, str], name: str, *, default: bool) -> bool:
    text = _given(variables, name).lower() or str(default).lower()
    if text not in TRUE + FALSE:
        raise WrongEnvironment(name, f"must be 1 or 0, not {text!r}.")
    return text in TRUE


def _number(variables: Mapping[str, str], name: str, *, default: int, least: int, most: int) -> int:
    text = _given(variables, name) or str(default)
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise WrongEnvironment(name, f"must be a whole number from {least} to {most}, not {text!r}.")
    return int(text)


def _one_of(
    variables: Mapping[str, str],
    name: str,
    choices: tuple[str, ...],
    *,
    default: str,
    fold: Callable[[str], str],
) -> str:
    text = fold(_given(variables, name)) or default
    if text not in choices:
        raise WrongEnvironment(name, f"must be one of {', '.join(choices)}, not {text!r}.")
    return text
