"""Settings from the environment (docs/operators.md).

DATA_DIR holds SQLite database, secret key, collected static files: var/ in a checkout, else the user's data folder.
"""

import re
import secrets
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import environ
import platformdirs
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from tournament.server import environment, extras
from tournament.server.secrets import kept_key
from tournament.server.sqlite import WAL

try:
    environment.read_settings_file()
except PermissionError as error:
    raise ImproperlyConfigured(
        f"You may not read {environment.SETTINGS_FILE}. Run this as the service's user."
    ) from error
CODE_DIR, BASE_DIR, INSTALLED = environment.CODE_DIR, environment.BASE_DIR, environment.INSTALLED
env = environ.Env()

_HOME = platformdirs.user_data_dir("lastcard", appauthor=False) if INSTALLED else str(BASE_DIR / "var")
DATA_DIR = Path(env.str("LASTCARD_DATA", default=_HOME))
DEBUG = env.bool("DEBUG", default=False)

# https enables all that needs it; http is for venue wifi.
PUBLIC_URL = env.str("PUBLIC_URL", default="").rstrip("/")
HTTPS = PUBLIC_URL.startswith("https://")
if PUBLIC_URL and not re.match(r"https?://[^/]", PUBLIC_URL):
    raise ImproperlyConfigured(f"PUBLIC_URL has to begin with https:// or http://, unlike {PUBLIC_URL}.")

# Cache published pages (tournament/live); same bytes without.
PUBLISH = env.bool("PUBLISH", default=True)
WSGI_WORKERS = env.int("WSGI_WORKERS", default=8)  # threads, one database connection each
LIVE_STREAMS = env.int("LIVE_STREAMS", default=12_000)  # most open event streams
# Per untrusted address; guests may share one.
CONNECTIONS_EACH = env.int("CONNECTIONS_EACH", default=4_000)
LIVE_STREAMS_EACH = env.int("LIVE_STREAMS_EACH", default=min(LIVE_STREAMS, CONNECTIONS_EACH) // 2)
# Results up to which workbooks are generated in the request.
WORKBOOK_AT_ONCE = env.int("WORKBOOK_AT_ONCE", default=500)
# Proxies whose X-Forwarded-For is trusted: addresses or networks.
TRUSTED_PROXIES = env.list("TRUSTED_PROXIES", default=["127.0.0.1", "::1"])

# Practice events; None: only `up --demo`.
TRY = env.bool("TRY", default=None)

# Limits for guests in their own events.
GUEST_LIMITS = env.bool("GUEST_LIMITS", default=True)

# Origins that may read API and streams, without cookies or commands; `*`: all.
CORS_ORIGINS = env.list("CORS_ORIGINS", default=["*"])
CORS_ALLOW_ALL_ORIGINS = "*" in CORS_ORIGINS
CORS_ALLOWED_ORIGINS = [each for each in CORS_ORIGINS if each != "*"]
CORS_URLS_REGEX = r"^/api/v1(/|$)"
CORS_ALLOW_METHODS = ["GET", "HEAD", "OPTIONS"]
CORS_ALLOW_HEADERS = ["accept", "accept-language", "authorization", "if-none-match"]
CORS_EXPOSE_HEADERS = [
    "Content-Language",
    "Deprecation",
    "ETag",
    "Link",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "Sunset",
    "X-Request-ID",
]

# Addresses or networks that may read /metrics.
METRICS_ALLOW = env.list("METRICS_ALLOW", default=["127.0.0.1", "::1"])
# "json": JSON lines, including requests.
LOG_FORMAT = env.str("LOG_FORMAT", default="text")

# Backups (tournament/backup); better on another disk.
BACKUP_FOLDER = Path(env.str("BACKUP_FOLDER", default=str(DATA_DIR / "backups")))
# Minutes; 0: none, also before imports and bulk actions.
BACKUP_EVERY = env.int("BACKUP_EVERY", default=15)
# Command run with each new backup's path (tournament/backup/hook.py).
try:
    BACKUP_HOOK = shlex.split(env.str("BACKUP_HOOK", default=""))
except ValueError as error:
    raise ImproperlyConfigured(f"BACKUP_HOOK is no command: {error}") from error
BACKUP_MOST_MB = env.int("BACKUP_MOST_MB", default=2000)  # total

# Targets of webhooks besides public https.
WEBHOOKS = env.bool("WEBHOOKS", default=True)
WEBHOOKS_ALLOW = env.list("WEBHOOKS_ALLOW", default=[])
# URL of the daily update check; "": off.
UPDATES_FROM = env.str("UPDATES_FROM", default="")

# Folder of custom rulesets.
HOUSE_RULES = env.str("HOUSE_RULES", default="")


def _secret_key() -> str:
    try:
        return kept_key(DATA_DIR / "secret-key")
    except OSError:
        # `score` needs no disk; servers fail at opening the database.
        return secrets.token_urlsafe(50)


SECRET_KEY = env.str("SECRET_KEY", default="") or _secret_key()
# Pages use PUBLIC_URL.
_HOSTS = [urlsplit(PUBLIC_URL).hostname or "", "localhost", "127.0.0.1"] if HTTPS else ["*"]
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=_HOSTS)
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL else []
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
# __Host- cookies: other hosts of the domain cannot set them.
COOKIE_PREFIX = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid", f"{COOKIE_PREFIX}csrftoken"
MESSAGE_STORAGE = "tournament.server.middleware.Notices"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# Opt-in: https on all subdomains for a year.
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS and env.bool("HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = SECURE_HSTS_INCLUDE_SUBDOMAINS and env.bool("HSTS_PRELOAD", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_SSL_REDIRECT = HTTPS
# Tokens by http get an error, no redirect: extras/programs/api/base.py.
SECURE_REDIRECT_EXEMPT = [r"^api/v1/(?!docs)"]
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None  # browsers ignore it on http
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_AGE = 14 * 24 * 3600  # seconds: an event weekend and a week of corrections

# Extras: to remove one, delete its folders and its line.
EXTRAS: list[str] = [
    "administration",
    "archive",
    "calendar",
    "draw",
    "friends",
    "help",
    "imports",
    "printing",
    "programs",
    "rehearsal",
    "season",
    "update",
    "webhooks",
    "workbook",
]

INSTALLED_APPS = [
    "tournament.apps.TournamentConfig",
    "tournament.apps.OurAdmin",  # django.contrib.admin
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "corsheaders",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    *extras.installed(CODE_DIR / "tournament" / "extras", EXTRAS),
]

MIDDLEWARE = [
    "tournament.server.logs.requests",
    "tournament.live.pages.publishing",  # after all other headers
    "tournament.server.middleware.security_headers",
    "django.middleware.security.SecurityMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "tournament.server.static_files.Served",
    "tournament.server.middleware.connecting",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "tournament.views.redirects.Languages",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "tournament.urls"
WSGI_APPLICATION = "tournament.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "tournament.server.templates.Templates",
        "NAME": "django",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {
                **{name: f"django.templatetags.{name}" for name in ("i18n", "l10n", "static", "tz")},
                **{
                    name: f"django.contrib.admin.templatetags.{name}"
                    for name in ("admin_list", "admin_modify", "admin_urls", "log")
                },
                "lastcard": "tournament.templatetags.lastcard",
                "django_htmx": "django_htmx.templatetags.django_htmx",
            },
        },
    },
]

# Seconds a command waits for other writers, then 503, before phones give up.
LOCK_WAIT_S = 6

# Commits are on disk before acknowledgement.
JOURNAL = "WAL" if WAL else "DELETE"

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'lastcard.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": LOCK_WAIT_S,
        "init_command": (f"PRAGMA journal_mode={JOURNAL}; PRAGMA synchronous={'FULL' if WAL else 'EXTRA'};"),
    }
else:
    # Network timeouts: seconds; tcp_user_timeout milliseconds.
    DATABASES["default"]["OPTIONS"] = {
        "connect_timeout": 5, "keepalives_idle": 5, "keepalives_interval": 5, "keepalives_count": 2,
        "tcp_user_timeout": 10_000,
        **DATABASES["default"].get("OPTIONS", {}),
    }  # fmt: skip
DATABASES["default"]["CONN_MAX_AGE"] = None  # bounded by threads
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True

AUTH_USER_MODEL = "tournament.User"
PASSWORD_HASHERS = [
    # argon2-cffi lacks Intel Mac wheels: PBKDF2 there.
    *(["tournament.server.secrets.PasswordHasher"] if find_spec("argon2") else []),
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",  # older hashes, upgraded at sign-in
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "tournament.server.secrets.NotOurWords"},
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "desk"
LOGOUT_REDIRECT_URL = "tournaments"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("fi", _("Finnish")), ("sv", _("Swedish"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["tournament.words.formats"]
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [("lastcard/help", BASE_DIR / "docs" / "images")]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "tournament.server.static_files.StaticFiles"},
}
# `runserver` serves the source tree.
WHITENOISE_USE_FINDERS = DEBUG or sys.argv[1:2] == ["runserver"]
WHITENOISE_ALLOW_ALL_ORIGINS = False

# Per-process counters (tournament/server/rate_limits.py).
CACHES = {
    name: {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": name,
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
    for name in ("default", "links", "tokens")
}

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024  # bytes
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
# In memory, capped; Django would spool to disk.
FILE_UPLOAD_HANDLERS = ["tournament.server.middleware.CappedUploadHandler"]

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tournament.extras.programs.api.auth.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": ["tournament.server.rate_limits.ApiThrottle"],
    "DEFAULT_VERSIONING_CLASS": "rest_framework.versioning.NamespaceVersioning",
    "ALLOWED_VERSIONS": ["v1"],
    "DEFAULT_SCHEMA_CLASS": "tournament.extras.programs.api.schema.Schema",
    "EXCEPTION_HANDLER": "tournament.extras.programs.api.problems.answer_to",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Lastcard",
    "VERSION": "1",
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "RENDERER_WHITELIST": ["rest_framework.renderers.JSONRenderer"],  # no HTML
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "SERVERS": [{"url": PUBLIC_URL or "/"}],
    "APPEND_COMPONENTS": {
        "securitySchemes": {
            "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "An access token. Its scopes are named as roles with each operation.",
            },
            "session": {
                "type": "apiKey",
                "in": "cookie",
                "name": SESSION_COOKIE_NAME,
                "description": "A person signed in in the browser; writes also need Django's CSRF token.",
            },
        }
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "tournament.extras.programs.api.schema.finished",
    ],
    "ENUM_NAME_OVERRIDES": {
        "EventState": "tournament.models.Tournament.State",
        "EntryState": "tournament.models.Entry.State",
        "PlayState": "tournament.models.Play.State",
        "EndedEnum": "tournament.models.Play.Ended",
        "RoundEnded": ["time"],
        "GameEnded": ["time", "early"],
        "StageKind": "tournament.models.Stage.Kind",
        "IncidentKind": "tournament.models.Incident.Kind",
        "CallKind": "tournament.models.Call.Kind",
        "ProposalState": "tournament.models.Proposal.State",
        "ScopeEnum": "tournament.models.ApiToken.Scope",
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name} [{request_id}]: {message}", "style": "{"},
        "json": {"()": "tournament.server.logs.Lines"},
    },
    "filters": {
        "knows": {"()": "tournament.server.logs.Knows"},
        "away": {"()": "tournament.server.database.AwayInOneLine"},
        "links": {"()": "tournament.links.WithoutTokens"},
        "values": {"()": "tournament.server.logs.WithoutValues"},
        "found": {"()": "tournament.server.logs.Found"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if LOG_FORMAT == "json" else "text",
            "filters": ["knows", "away", "links", "values"],
        }
    },
    "loggers": {
        "tournament.requests": {"level": "INFO" if LOG_FORMAT == "json" else "WARNING"},
        "django.request": {"filters": ["found"]},
    },
    "root": {"handlers": ["console"], "level": "INFO"},
}
