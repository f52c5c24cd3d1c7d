"""Django's settings, made from the environment (``environment.py``) and from nothing else."""

import sys
from datetime import timedelta
from typing import Any, Final

import django_stubs_ext
from csp.constants import NONE, SELF

from courtpiece.accounts.sign_in import sign_in_settings
from courtpiece.project.environment import ROOT, WrongEnvironment, read_environment
from courtpiece.project.languages import LANGUAGES as MADE_FOR
from courtpiece.project.languages import languages_with_a_catalogue
from courtpiece.project.logs import logging_config

# The types of Django's classes take parameters; when the site runs, not all the classes do.
django_stubs_ext.monkeypatch()

try:
    ENVIRONMENT: Final = read_environment()
except WrongEnvironment as error:
    sys.exit(str(error))
EMBEDDED: Final = ENVIRONMENT.embedded
_redis: Final = ENVIRONMENT.redis_url
_sqlite: Final = ENVIRONMENT.database["ENGINE"] == "django.db.backends.sqlite3"

BASE_DIR = ROOT
DEBUG = ENVIRONMENT.debug
SECRET_KEY = ENVIRONMENT.secret_key
ALLOWED_HOSTS = list(ENVIRONMENT.allowed_hosts)
ROOT_URLCONF = "courtpiece.project.urls"
ASGI_APPLICATION = "courtpiece.project.asgi.application"
WSGI_APPLICATION = "courtpiece.project.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "courtpiece.project.apps.ProjectConfig",
    "tournaments.apps.TournamentsConfig",
    "scoring.apps.ScoringConfig",
    "courtpiece.accounts.apps.AccountsConfig",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "channels",
    "csp",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "whitenoise.runserver_nostatic",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "courtpiece.project.static.WholeFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "courtpiece.project.errors.ErrorPages",
]

_template_loaders: list[Any] = [
    "django.template.loaders.filesystem.Loader",
    "django.template.loaders.app_directories.Loader",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "OPTIONS": {
            "loaders": _template_loaders
            if DEBUG
            else [("django.template.loaders.cached.Loader", _template_loaders)],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# -- Database. IMMEDIATE makes a transaction on SQLite wait for its turn instead of failing half-way.
DATABASES: dict[str, dict[str, Any]] = {"default": dict(ENVIRONMENT.database)}
if _sqlite:
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-32000; "
        "PRAGMA mmap_size=134217728; PRAGMA journal_size_limit=27103364;",
    }
else:
    # Under ASGI a connection must not belong to a thread: a pool lends them. One that cannot be made is tried after
    # 1, 2, 4 … seconds; given up early, so that after an hour without the database nobody waits another hour for it.
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # What is asked for the sixth time on a connection is planned by the server and kept: half of its time for a deal.
    DATABASES["default"]["OPTIONS"] = {
        "pool": {"min_size": 1, "max_size": 10, "timeout": 10, "reconnect_timeout": 3},
        "server_side_binding": True,
        "prepare_threshold": 5,
        **DATABASES["default"].get("OPTIONS", {}),
    }

# -- Cache, sessions, sockets and work: in this process, or through Redis.
if _redis is None:
    CACHES: dict[str, dict[str, Any]] = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "courtpiece"}
    }
    CHANNEL_LAYERS: dict[str, dict[str, Any]] = {
        "default": {
            "BACKEND": "courtpiece.project.channel_layer.OneProcessChannelLayer",
            # A process follows a group for as long as somebody looks on: days, on a screen in a hall.
            "CONFIG": {"group_expiry": 10 * 365 * 86_400},
        }
    }
    SESSION_ENGINE = "django.contrib.sessions.backends.db"
    CELERY_BROKER_URL = "memory://localhost/"
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"polling_interval": 0.05}
    CELERY_WORKER_POOL = "threads"
    CELERY_WORKER_CONCURRENCY = 2
else:
    CACHES = {
        "default": {
            "BACKEND": "courtpiece.project.cache.ForgivingRedisCache",
            "LOCATION": _redis,
            "KEY_PREFIX": "courtpiece",
        }
    }
    CHANNEL_LAYERS = {
        "default": {
            # One connection a process, and what is told to a group comes in once for all its sockets.
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {
                "hosts": [{"address": _redis}],
                "prefix": "courtpiece.channels",
            },
        }
    }
    SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"
    CELERY_BROKER_URL = _redis
    CELERY_BROKER_TRANSPORT_OPTIONS = {"global_keyprefix": "courtpiece."}
    # Only the audit asks for what its tasks found.
    CELERY_RESULT_BACKEND = _redis
    CELERY_RESULT_BACKEND_TRANSPORT_OPTIONS = {"global_keyprefix": "courtpiece."}
    CELERY_RESULT_EXPIRES = timedelta(hours=1)
    CELERY_RESULT_BACKEND_THREAD_SAFE = True

CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# What beat knows is only when it started, so nothing needs keeping in a file.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_BEAT_SCHEDULE = {
    "the worker says that it lives": {
        "task": "project.report_worker",
        "schedule": timedelta(seconds=10),
        "options": {"expires": 10},
    },
    "standings that are behind are queued again": {
        "task": "tournaments.sweep_standings",
        "schedule": timedelta(seconds=15),
        "options": {"expires": 15},
    },
    "what webhooks are due is sent": {
        "task": "tournaments.sweep_webhooks",
        "schedule": timedelta(seconds=15),
        "options": {"expires": 15},
    },
    "ratings that are behind are queued again": {
        "task": "tournaments.sweep_ratings",
        "schedule": timedelta(seconds=30),
        "options": {"expires": 30},
    },
    "analyses that wait are queued again": {
        "task": "scoring.sweep_analyses",
        "schedule": timedelta(minutes=1),
        "options": {"expires": 60},
    },
    "what tables showed long ago is forgotten": {
        "task": "tournaments.sweep_live_states",
        "schedule": timedelta(minutes=10),
        "options": {"expires": 600},
    },
}

# -- People
SCORESHEET_FACTS = "tournaments.queries.scoresheets.facts_of_scoresheet"
"""What says of a scoresheet what its own app does not know: the rulings above it."""

COLLECTIONS_ENTERED = "tournaments.queries.entries.collections_entered"
"""What knows in which collections a player is named without having sat at a table of theirs."""

NAMES_IN_LOG = "scoring.queries.results.names_of_uids"
"""What knows whom the log of a club means: it keeps no names of players, which can be hidden or taken away."""

AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if ENVIRONMENT.https else "http"
globals().update(
    sign_in_settings(sends_mail=ENVIRONMENT.email is not None, sign_up_is_open=ENVIRONMENT.sign_up)
)

# -- Letters
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
DEFAULT_FROM_EMAIL = (
    f"Court Piece <courtpiece@{ENVIRONMENT.site.hostname if ENVIRONMENT.site else 'localhost'}>"
)
SERVER_EMAIL = DEFAULT_FROM_EMAIL
globals().update(ENVIRONMENT.email or {})

# -- The API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "courtpiece.accounts.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_VERSIONING_CLASS": None,
    "EXCEPTION_HANDLER": "courtpiece.project.errors.problem_details",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Court Piece",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "Became": "scoring.api.shapes.BECAME",
        "Seat": "scoring.models.SeatLetter",
        "Side": "scoring.models.Side",
        "Holder": "tournaments.api.confirmations.HOLDERS",
        "EntryState": "tournaments.models.EntryState",
        "MatchState": "tournaments.models.MatchState",
        "RevisionKind": "scoring.models.RevisionKind",
        "Format": "tournaments.models.Format",
        "LengthKind": "tournaments.api.inputs.LENGTHS",
        "RoundStateWanted": "tournaments.api.inputs.ROUND_STATES",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "courtpiece.project.described.complete",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# -- Webhooks
WEBHOOKS_ONLY_HTTPS = not (DEBUG or EMBEDDED)
WEBHOOK_NETWORKS: list[str] = []
"""Private networks that webhooks may reach nevertheless: only tests name one."""

# -- Languages and time
LANGUAGE_CODE = "en"
LOCALE_PATHS = [ROOT / "locale"]
LANGUAGES = languages_with_a_catalogue(MADE_FOR, LOCALE_PATHS)
FORMAT_MODULE_PATH = ["courtpiece.project.formats"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# -- Files. Names with a fingerprint need `manage.py collectstatic`, as the image does.
STATIC_URL = "/static/"
STATIC_ROOT = None if EMBEDDED else ROOT / "staticfiles"
STATICFILES_DIRS = [ROOT / "static"]
WHITENOISE_USE_FINDERS = EMBEDDED
# Without a fingerprint a browser asks whether a file is still the same: no page has the scripts of a version before.
WHITENOISE_MAX_AGE = 0 if EMBEDDED else 60
WHITENOISE_ALLOW_ALL_ORIGINS = False
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if EMBEDDED
        else "courtpiece.project.static.Fingerprinted"
    },
}
DATA_UPLOAD_MAX_MEMORY_SIZE = ENVIRONMENT.upload_megabytes * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000
DATA_UPLOAD_MAX_NUMBER_FILES = 100

# -- Safety
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "base-uri": [NONE],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "img-src": [SELF, "data:"],
        "manifest-src": [SELF],
        "media-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "worker-src": [SELF],
    }
}
SITE_ORIGIN = f"{ENVIRONMENT.site.scheme}://{ENVIRONMENT.site.netloc}" if ENVIRONMENT.site else ""
"""What the addresses on paper begin with; empty: as the page was asked for."""
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = ENVIRONMENT.https
CSRF_COOKIE_SECURE = ENVIRONMENT.https
CSRF_FAILURE_VIEW = "courtpiece.project.errors.csrf_failure"
SECURE_SSL_REDIRECT = ENVIRONMENT.https
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = 31_536_000 if ENVIRONMENT.https else 0
# Other names below the site's are its owner's business, and so is a list that browsers ship.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ENVIRONMENT.https else None
CSRF_TRUSTED_ORIGINS = [f"{ENVIRONMENT.site.scheme}://{ENVIRONMENT.site.netloc}"] if ENVIRONMENT.site else []

LOGGING = logging_config(
    level=ENVIRONMENT.log_level, form=ENVIRONMENT.log_format, requests=DEBUG or not EMBEDDED
)
