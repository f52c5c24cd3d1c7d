"""The site's settings for tests: the same, quicker, and never anybody's data.

``DATABASE_URL`` and ``REDIS_URL`` choose the services, as for the site; without them a throw-away SQLite
file and memory do.
"""

import atexit
import os
import secrets
import shutil
import tempfile
from pathlib import Path

FOLDER = Path(tempfile.mkdtemp(prefix="courtpiece-tests-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)

os.environ["DATABASE_URL"] = os.environ.get("DATABASE_URL") or f"sqlite:///{FOLDER / 'site.sqlite3'}"
os.environ.setdefault("SECRET_KEY", "only-for-tests-" * 4)
os.environ.setdefault("SITE_URL", "http://testserver")
os.environ["DEBUG"] = "0"
os.environ["LOG_LEVEL"] = "WARNING"

from courtpiece.project.languages import LANGUAGES as MADE_FOR  # noqa: E402
from courtpiece.project.settings import *  # noqa: E402, F403 - these are the settings
from courtpiece.project.settings import CACHES, CHANNEL_LAYERS, DATABASES  # noqa: E402 - named since they are changed

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["ENGINE"] = "tests.sqlite"
    DATABASES["default"]["TEST"] = {"NAME": str(FOLDER / "tests.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
else:
    DATABASES["default"]["OPTIONS"].pop("pool", None)
    # Nobody misses a test's rows after a crash.
    DATABASES["default"]["OPTIONS"]["options"] = "-c synchronous_commit=off"

PREFIX = f"courtpiece-tests-{secrets.token_hex(4)}"
"""What the names of this process's keys in Redis begin with."""
# Sessions in the database either way, so that a page asks it as often.
SESSION_ENGINE = "django.contrib.sessions.backends.db"
if os.environ.get("REDIS_URL"):
    CACHES["default"]["KEY_PREFIX"] = PREFIX
    CHANNEL_LAYERS["default"]["CONFIG"]["prefix"] = PREFIX

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
# All that the site is made for, with a catalogue or without: so pages are tried from right to left.
LANGUAGES = list(MADE_FOR)
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
ACCOUNT_RATE_LIMITS = False
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
CELERY_BROKER_URL = "memory://localhost/"
# Receivers of webhooks stand on this machine, and have no certificates.
WEBHOOKS_ONLY_HTTPS = False
WEBHOOK_NETWORKS = ["127.0.0.1/32"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
