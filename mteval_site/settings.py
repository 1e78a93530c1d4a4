"""Settings of the whole site. Everything that differs between installations is read from the
environment; docs/guide/operator.md lists every variable."""

import os
from pathlib import Path

from csp.constants import NONE, SELF

from mteval_site import environment as env
from mteval_site import logs, object_store
from mteval_site.local import postgres
from mteval_site.version import VERSION

BASE_DIR = Path(__file__).resolve().parent.parent
# Files written by this installation: its database, its secret, its collected static files.
VAR_DIR = Path(env.text("MTEVAL_VAR") or BASE_DIR / "var").absolute()

# A server on which everybody gets a copy of the demo for a day, and from which nothing leaves: what
# else is set to send something is ignored, and `check --deploy` says so.
PUBLIC_DEMO = env.flag("MTEVAL_PUBLIC_DEMO", False)
OUTGOING = ["EMAIL_URL", "WEBHOOK_HOSTS", "PROLIFIC_TOKEN", "PROLIFIC_MANAGERS", "JUDGE_ENDPOINTS"]
OUTGOING += ["OIDC_ISSUER", "MTEVAL_OBJECT_STORE"]
IGNORED_VARIABLES = env.withhold(OUTGOING) if PUBLIC_DEMO else []
if PUBLIC_DEMO:  # also for the processes that are started here
    os.environ["MTEVAL_MODEL_DOWNLOADS"] = "none"
PUBLIC_DEMO_COPIES = env.integer("MTEVAL_PUBLIC_DEMO_COPIES", 50)  # at a time
PUBLIC_DEMO_READY = env.integer("MTEVAL_PUBLIC_DEMO_READY", 3)  # made ahead
PUBLIC_DEMO_HOURS = env.integer("MTEVAL_PUBLIC_DEMO_HOURS", 24)

DEBUG = env.flag("DEBUG", False)
SECRET_KEY = env.secret_key(VAR_DIR)
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "mteval_site",
    "judgments",
    "metrics",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django_htmx",
    "django_tasks",
    "django_tasks_db",
    "rest_framework",
    "drf_spectacular",
    "csp",
]

MIDDLEWARE = [
    "mteval_site.requests.traced",
    "mteval_site.health.middleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "mteval_site.middleware.PolicyMiddleware",
    "mteval_site.middleware.not_kept",
    "mteval_site.middleware.led_by_script",
    "mteval_site.middleware.only_utf8",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "judgments.web.middleware.AnnotatorLocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "judgments.web.request_limits.RequestLimits",
    "mteval_site.middleware.in_time",
    # Last: it is the first to see exceptions raised by a view.
    "judgments.web.audit.middleware.AuditMiddleware",
]

ROOT_URLCONF = "mteval_site.urls"
WSGI_APPLICATION = "mteval_site.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "judgments.people.reading.settings.context",
                "judgments.people.accounts.demo_copies.context",
            ],
        },
    },
]

# Without DATABASE_URL the embedded server of `./run` is used, through its socket in var/. Pooling
# by transaction does not work for this site: prepared statements and locks of workers belong to a
# connection (docs/guide/deployment.md, Poolers).
EMBEDDED_DATABASE = not env.text("DATABASE_URL")
DATABASES = {
    "default": env.database(env.text("DATABASE_URL") or postgres.url(VAR_DIR / "postgres"))
}
DATABASE_OWNER = DATABASES["default"]["USER"]
# The role with which web server and workers connect: not the owner of the tables, who migrates.
WEB_DATABASE = None
if env.text("DATABASE_WEB_URL"):
    WEB_DATABASE = env.database(env.text("DATABASE_WEB_URL"), "DATABASE_WEB_URL")
elif EMBEDDED_DATABASE:
    WEB_DATABASE = env.database(postgres.url(VAR_DIR / "postgres", role=postgres.WEB))
# A server that vanished silently is noticed within a minute; libpq uses these over TCP.
DATABASES["default"]["OPTIONS"] = {
    "connect_timeout": env.integer("CONNECT_TIMEOUT", 5),
    "keepalives_idle": 20,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 50_000,  # milliseconds
    **DATABASES["default"]["OPTIONS"],
}
# The same database once more, for consistent reads next to the request's own connection
# (judgments/models/moments.py); it has the same OPTIONS, with the limits added by
# `databases.limit`.
MOMENT_DATABASE = "moment"
DATABASES[MOMENT_DATABASE] = DATABASES["default"] | {"TEST": {"MIRROR": "default"}}
DATABASE_ROUTERS = ["judgments.models.moments.Router"]
# Seconds, by the kind of process (databases.limit); management commands have none. A worker's
# computation may keep a transaction open for hours.
DATABASE_TIMEOUTS = {
    "web": {
        "statement_timeout": env.integer("STATEMENT_TIMEOUT", 60),
        "lock_timeout": env.integer("LOCK_TIMEOUT", 10),
        "idle_in_transaction_session_timeout": env.integer("IDLE_TRANSACTION_TIMEOUT", 300),
    },
    "worker": {
        "statement_timeout": env.integer("WORKER_STATEMENT_TIMEOUT", 1800),
        "lock_timeout": env.integer("WORKER_LOCK_TIMEOUT", 300),
    },
}
# Seconds after which computing a page is given up (mteval_site/deadline.py).
REQUEST_TIMEOUT = env.integer("REQUEST_TIMEOUT", 60)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = ["judgments.people.accounts.backends.ModelBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
# A password reset link is valid for a day.
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60
# Proxies whose X-Forwarded-For is trusted (mteval_site/addresses.py).
TRUSTED_PROXIES = env.networks("TRUSTED_PROXIES")
# Multiplies the limits of requests, not those of guessing passwords (judgments/web/limits.py); 0:
# none.
RATE_LIMITS = env.number("RATE_LIMITS", 1)
# Contact for accounts and new passwords, shown on pages.
OPERATOR_CONTACT = env.text("OPERATOR_CONTACT")
# Public URL of the site, for links in files written by commands: https://mt.example.org
SITE_ADDRESS = env.text("SITE_ADDRESS")
# Key that signs releases, 32 bytes in base64; by default derived from the secret.
SIGNING_KEY = env.text("MTEVAL_SIGNING_KEY")
# Mail; without EMAIL_URL the site sends none.
CAN_MAIL = bool(env.text("EMAIL_URL"))
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM") or "mteval@localhost"
EMAIL_TIMEOUT = 20
if CAN_MAIL:
    globals().update(env.mail(env.text("EMAIL_URL")))
if PUBLIC_DEMO:
    EMAIL_BACKEND = "mteval_site.mail_sink.MailSink"
# Hosts to which campaigns may send notices, such as hooks.example.org or hooks.example.org:8443; a
# private address only if it is listed itself (judgments/quality/notices/webhooks.py).
WEBHOOK_HOSTS = env.words("WEBHOOK_HOSTS")
# Prolific's API: its token, which spends the account's money, and the accounts that may use it
# (judgments/quality/prolific). The address differs only in tests.
PROLIFIC_TOKEN = env.token("PROLIFIC_TOKEN")
PROLIFIC_ADDRESS = env.text("PROLIFIC_ADDRESS") or "https://api.prolific.com"
PROLIFIC_MANAGERS = env.words("PROLIFIC_MANAGERS")
# Endpoints of language models, as name=https://host/v1, and their keys (judgments/judges).
JUDGE_ENDPOINTS, JUDGE_KEYS = env.endpoints("JUDGE_ENDPOINTS", "JUDGE_KEY_")
# OpenID Connect, if an issuer is set (judgments/people/accounts/oidc_adapters.py).
OIDC_ISSUER = env.text("OIDC_ISSUER").rstrip("/")
OIDC_NAME = env.text("OIDC_NAME") or "OpenID Connect"
OIDC_PROVIDER = "oidc"
if OIDC_ISSUER:
    INSTALLED_APPS += [
        "allauth",
        "allauth.account",
        "allauth.socialaccount",
        "allauth.socialaccount.providers.openid_connect",
    ]
    # Before the last one, which calls the view.
    MIDDLEWARE.insert(-1, "allauth.account.middleware.AccountMiddleware")
    ACCOUNT_ADAPTER = "judgments.people.accounts.oidc_adapters.AccountAdapter"
    ACCOUNT_EMAIL_VERIFICATION = "none"
    ACCOUNT_RATE_LIMITS = False  # ours know proxies, and are shared by all processes
    SOCIALACCOUNT_ADAPTER = "judgments.people.accounts.oidc_adapters.ProviderAdapter"
    SOCIALACCOUNT_PROVIDERS = {
        "openid_connect": {
            "APPS": [
                {
                    "provider_id": OIDC_PROVIDER,
                    "name": OIDC_NAME,
                    "client_id": env.required("OIDC_CLIENT_ID", "OIDC_ISSUER"),
                    "secret": env.required("OIDC_CLIENT_SECRET", "OIDC_ISSUER"),
                    "settings": {"server_url": OIDC_ISSUER},
                }
            ],
            "OAUTH_PKCE_ENABLED": True,
        }
    }
# Whether browsers store pages and items, so that judging goes on without a connection.
HOLDS_WORK = env.flag("HOLDS_WORK", True)
HELD_MEDIA_BYTES = env.integer("HELD_MEDIA_MB", 200) * 1024 * 1024  # of which sound and pictures
SESSION_ENGINE = "judgments.people.accounts.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
SESSION_COOKIE_SAMESITE = "Lax"

# `./run` serves plain HTTP on 127.0.0.1; behind a proxy with TLS, HTTPS=true turns these on.
HTTPS = env.flag("HTTPS", False)
# Set by `./run --host` for an address that other machines reach (mteval_site/public.py).
EXPOSED = env.flag("MTEVAL_EXPOSED", False)
# Set by `./run` if it loads the demo and listens at a loopback address
# (judgments/people/accounts/demo_sign_in.py).
DEMO_SIGN_IN = env.flag("MTEVAL_DEMO_SIGN_IN", False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
# Both affect more than this site, and for long: only the domain's owner can decide on them.
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS and env.flag("HSTS_INCLUDE_SUBDOMAINS", False)
SECURE_HSTS_PRELOAD = HTTPS and env.flag("HSTS_PRELOAD", False)
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # that they are not set
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "media-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

LANGUAGE_CODE = "en"
# Languages of annotators' pages; all others are in English (judgments/web/middleware.py).
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("cs", "Čeština"),
    ("zh-hans", "简体中文"),
    ("ar", "العربية"),
    ("es", "Español"),
    ("fr", "Français"),
    ("pt", "Português"),
    ("ja", "日本語"),
    ("hi", "हिन्दी"),
    ("ru", "Русский"),
    ("uk", "Українська"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "mteval_site.static_files.AppFilesFinder",
]
STATIC_ROOT = VAR_DIR / "static"
# s3://BUCKET/PREFIX, where all hosts find media, snapshots of observations and computed results;
# the folders below then have this host's copies (mteval_site/shared_files.py).
OBJECT_STORE = env.text("MTEVAL_OBJECT_STORE")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    **({"shared": object_store.storage_of("MTEVAL_OBJECT_STORE")} if OBJECT_STORE else {}),
    "staticfiles": {"BACKEND": "mteval_site.static_files.JoinedManifestStaticFilesStorage"},
}
# The documentation as built by `make docs`; the site serves it.
DOCS_DIR = Path(env.text("MTEVAL_DOCS", "") or VAR_DIR / "docs")
# Sound, pictures and videos of sources; without an object store, a folder shared by all hosts.
MEDIA_ROOT = Path(env.text("MEDIA_ROOT", str(VAR_DIR / "media")))
# Observations of large campaigns as Parquet (judgments/results/observations/snapshots.py).
SNAPSHOTS_DIR = VAR_DIR / "snapshots"

# Results of campaigns, found by fingerprint (judgments/web/cache.py) and so never out of date; old
# ones are deleted only to save disk space.
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "results": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": VAR_DIR / "results",
        "TIMEOUT": 90 * 24 * 60 * 60,
        "OPTIONS": {"MAX_ENTRIES": 2000},
    },
    # Figures that a worker computes for a page, maybe on another host.
    "shared": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "judgments_cacheentry",
        "TIMEOUT": 90 * 24 * 60 * 60,
        "OPTIONS": {"MAX_ENTRIES": 2000},
    },
    # For `{% cache %}` in templates: parts that differ only by language, until a restart.
    "template_fragments": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "template-fragments",
    },
}

# What every worker calls now and then: whether there is something to do that nobody has asked for.
WORKER_LOOKS = [
    "judgments.results.observations.tasks.look",
    "judgments.test_sets.media.tasks.look",
    *(["judgments.exchange.public_demo.tasks.look"] if PUBLIC_DEMO else []),
]
# Records the commands run at a start of the site.
COMMAND_RECORDER = "judgments.web.audit.commands.recorded"

# Long tasks have a separate queue, which not every worker serves (metrics/scoring/tasks.py), and so
# have short ones that somebody waits for (judgments/web/short_tasks.py). Neural metrics and judges
# have one each. A resource is what tasks need, with the queues of the tasks that need it.
RESOURCES = {"cpu": ("default", "short", "slow"), "gpu": ("gpu",), "judge": ("judge",)}
# Those of this machine, and the queues that its workers serve if they are to serve all.
OWN_RESOURCES = env.several("MTEVAL_RESOURCES", RESOURCES)
OWN_QUEUES = [queue for name in OWN_RESOURCES for queue in RESOURCES[name]]
# How many tasks of a resource may run at the same time on the whole site (mteval_site/leases.py).
RESOURCE_LIMITS = env.limits("MTEVAL_RESOURCE_LIMITS", RESOURCES)
TASKS = {
    "default": {
        "BACKEND": "django_tasks_db.DatabaseBackend",
        "QUEUES": sorted(queue for queues in RESOURCES.values() for queue in queues),
    },
}

# Time limit of one part of a scoring job, one metric of one system.
SCORING_SECONDS = env.integer("SCORING_SECONDS", 60 if PUBLIC_DEMO else 600)
SCORING_MEMORY_MB = env.integer("SCORING_MEMORY_MB", 1024 if PUBLIC_DEMO else 2048)
SCORING_TOKENS = env.integer("SCORING_TOKENS", 10_000)
# Neural metrics are computed by a program that reports its progress, and may take longer.
SCORING_NEURAL_SECONDS = env.integer("SCORING_NEURAL_SECONDS", 60 if PUBLIC_DEMO else 6 * 60 * 60)

# An import may be large; Django spools it to a file, and the form states the limit.
MAX_UPLOAD_BYTES = env.integer("MAX_UPLOAD_MB", 2 if PUBLIC_DEMO else 250) * 1024 * 1024
# One file of sound, picture or video, and all files of a test set together.
MAX_MEDIA_FILE_BYTES = env.integer("MAX_MEDIA_FILE_MB", 2 if PUBLIC_DEMO else 100) * 1024 * 1024
MAX_MEDIA_BYTES = env.integer("MAX_MEDIA_MB", 5 if PUBLIC_DEMO else 250) * 1024 * 1024
# Rows of judgments in one file: bounds the time and the memory of an import.
MAX_IMPORT_ROWS = env.integer("MAX_IMPORT_ROWS", 5_000 if PUBLIC_DEMO else 250_000)
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
# Folders are sent file by file: those of a year of WMT have thousands.
DATA_UPLOAD_MAX_NUMBER_FILES = 5_000

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "judgments.people.tokens.api.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_THROTTLE_CLASSES": ["judgments.web.request_limits.Throttle"],
    "DEFAULT_PERMISSION_CLASSES": [
        "judgments.people.tokens.api.IsSignedInWithScope",
        "judgments.web.api.parameters.AsksOnlyForWhatIsKnown",
    ],
    "DEFAULT_PARSER_CLASSES": [
        "judgments.web.api.parsers.JSONParser",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "EXCEPTION_HANDLER": "judgments.web.api.refusals.handled",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.LimitOffsetPagination",
    "PAGE_SIZE": 100,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "mteval",
    "DESCRIPTION": "Human evaluation of machine translation.",
    "VERSION": VERSION,
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "judgments.web.api.schema.refusals",
    ],
    "ENUM_NAME_OVERRIDES": {
        "CampaignStatus": "judgments.models.Status",
        "JobStatus": "judgments.models.JobStatus",
    },
}

LOG_LEVELS = {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}
LOGGING = logs.configuration(
    env.choice("LOG_FORMAT", {"PLAIN", "JSON"}, "plain"),
    env.choice("LOG_LEVEL", LOG_LEVELS, "WARNING"),
)
# Statements that take longer are logged, without the values in them; 0: none.
SLOW_QUERY_MS = env.integer("SLOW_QUERY_MS", 1000)

# The token for reading /health/prometheus/; without it, that URL does not exist.
PROMETHEUS_TOKEN = env.text("PROMETHEUS_TOKEN")
if PROMETHEUS_TOKEN:
    # Where the web processes store their counts, for the one that is asked.
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(VAR_DIR / "prometheus"))
    Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]).mkdir(parents=True, exist_ok=True)
