"""The settings of Django, from the environment.

SFUMATO_HOME           the private folder of all files (and of the SQLite database)
SFUMATO_TEAM           1 for a server of several people, with accounts
SFUMATO_DATABASE_URL   postgresql://user:password@host/name; SQLite in SFUMATO_HOME if not given
SFUMATO_API_RATE       how often a user may call the JSON interface, such as 600/m
SFUMATO_STUDY_RATE     how often a person may send something to studies in a minute; 1200
SFUMATO_SECRET         the key that signs sessions; required of a team
SFUMATO_HOSTS          the names under which a team's server is reached, separated by commas
SFUMATO_IDLE_MINUTES   after how long without a click a session ends; 30 for a team
SFUMATO_OIDC_ISSUER, SFUMATO_OIDC_CLIENT_ID, SFUMATO_OIDC_CLIENT_SECRET, SFUMATO_OIDC_NAME   single sign-on
SFUMATO_PROXIES, SFUMATO_PROXY_SECRET   addresses of reverse proxies, and the key that they share with the server
SFUMATO_QUOTA_PERSON_GB, SFUMATO_QUOTA_PROJECT_GB, SFUMATO_UPLOAD_GB, SFUMATO_JOBS_PER_PERSON   limits
SFUMATO_EMAIL_HOST, _PORT, _USER, _PASSWORD, _FROM   a mail server, if invitations are to be mailed
SFUMATO_JOB_MEMORY_MB, SFUMATO_JOB_SECONDS, SFUMATO_JOB_DAYS   limits of jobs
"""

import hashlib
import os
import secrets
from pathlib import Path

from sfumato.web.home import database_of, default_home
from sfumato.web.jobs.limits import job_limits, whole_number

SFUMATO_HOME = Path(os.environ.get("SFUMATO_HOME") or default_home())
SFUMATO_TEAM = os.environ.get("SFUMATO_TEAM") == "1"
_HERE = Path(__file__).parent

# one person's server makes its key anew at each start unless `sfumato serve` hands it one
SECRET_KEY = os.environ.get("SFUMATO_SECRET") or secrets.token_urlsafe(48)
DEBUG = False
ALLOWED_HOSTS = [name for name in os.environ.get("SFUMATO_HOSTS", "").split(",") if name] or [
    "localhost",
    "127.0.0.1",
    "[::1]",
]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "sfumato.web.accounts",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "sfumato.web.jobs",
    "sfumato.web.workbench",
    "sfumato.web.studies",
    "sfumato.web.interface",
    "sfumato.web.api",
]
MIDDLEWARE = [
    "sfumato.web.accounts.proxies.TrustedProxies",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "sfumato.web.interface.headers.Headers",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "sfumato.web.accounts.sessions.Activity",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "sfumato.web.interface.sentences.LibrarySentences",
]
ROOT_URLCONF = "sfumato.web.urls"
WSGI_APPLICATION = "sfumato.web.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "sfumato.web.interface.context.everywhere",
            ],
            "builtins": ["sfumato.web.interface.templatetags.sfumato"],
        },
    }
]

DATABASES = {"default": database_of(os.environ.get("SFUMATO_DATABASE_URL", ""), SFUMATO_HOME)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "sign-in"

ACCOUNT_ADAPTER = "sfumato.web.accounts.sign_in.adapters.Accounts"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_UNIQUE_EMAIL = False
ACCOUNT_RATE_LIMITS = {"login_failed": "20/5m/ip,5/5m/key"}
MFA_ADAPTER = "sfumato.web.accounts.sign_in.adapters.TwoFactor"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Sfumato"
MFA_TOTP_TOLERANCE = 1
SOCIALACCOUNT_ADAPTER = "sfumato.web.accounts.sign_in.adapters.SingleSignOn"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SFUMATO_OIDC_ISSUER = os.environ.get("SFUMATO_OIDC_ISSUER", "")
# an account is known by its issuer and subject, so the issuer is part of the provider's name
SFUMATO_OIDC_PROVIDER = "oidc-" + hashlib.sha256(SFUMATO_OIDC_ISSUER.encode()).hexdigest()[:16]
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "SCOPE": ["openid", "profile"],
        "APPS": [
            {
                "provider_id": SFUMATO_OIDC_PROVIDER,
                "name": os.environ.get("SFUMATO_OIDC_NAME", ""),
                "client_id": os.environ.get("SFUMATO_OIDC_CLIENT_ID", ""),
                "secret": os.environ.get("SFUMATO_OIDC_CLIENT_SECRET", ""),
                "settings": {"server_url": SFUMATO_OIDC_ISSUER, "fetch_userinfo": False},
            }
        ]
        if SFUMATO_OIDC_ISSUER
        else [],
    }
}
SFUMATO_PROXIES = [name for name in os.environ.get("SFUMATO_PROXIES", "").split(",") if name]
SFUMATO_PROXY_SECRET = os.environ.get("SFUMATO_PROXY_SECRET", "")

# failures are counted for all processes of the server together
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"},
    "counts": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 10_000}},
}
SESSION_ENGINE = "sfumato.web.accounts.sessions"
SESSION_COOKIE_AGE = 60 * whole_number(os.environ, "SFUMATO_IDLE_MINUTES", 30 if SFUMATO_TEAM else 30 * 24 * 60)
SESSION_COOKIE_NAME = "sfumato-session"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SFUMATO_TEAM
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "sfumato.web.interface.failures.refused_form"
SECURE_HSTS_SECONDS = 365 * 86400 if SFUMATO_TEAM else 0  # sent over https only
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("el", "Ελληνικά")]
LOCALE_PATHS = [_HERE / "interface" / "locale"]

STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True
WHITENOISE_MAX_AGE = 3600

FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 2**20  # of fields; files are streamed
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000  # a form of 5,000 questions has a role, a summary and a step for each

# None: no limit
SFUMATO_QUOTAS: dict[str, int | None] = {
    "person_bytes": whole_number(os.environ, "SFUMATO_QUOTA_PERSON_GB", 50) * 2**30 if SFUMATO_TEAM else None,
    "project_bytes": whole_number(os.environ, "SFUMATO_QUOTA_PROJECT_GB", 20) * 2**30 if SFUMATO_TEAM else None,
    "upload_bytes": whole_number(os.environ, "SFUMATO_UPLOAD_GB", 4) * 2**30,
    "jobs_at_once": whole_number(os.environ, "SFUMATO_JOBS_PER_PERSON", 2) if SFUMATO_TEAM else None,
}
EMAIL_HOST = os.environ.get("SFUMATO_EMAIL_HOST", "")
EMAIL_PORT = whole_number(os.environ, "SFUMATO_EMAIL_PORT", 587)
EMAIL_HOST_USER = os.environ.get("SFUMATO_EMAIL_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("SFUMATO_EMAIL_PASSWORD", "")
EMAIL_USE_TLS = EMAIL_PORT == 587
DEFAULT_FROM_EMAIL = os.environ.get("SFUMATO_EMAIL_FROM", "sfumato@localhost")

SFUMATO_API_RATE = os.environ.get("SFUMATO_API_RATE", "600/m")  # requests of a user to each web process
# what a person may send to studies in a minute, to each web process: more than anybody types
SFUMATO_STUDY_RATE = whole_number(os.environ, "SFUMATO_STUDY_RATE", 1_200)
SFUMATO_JOB_LIMITS = job_limits(os.environ)  # memory in bytes, seconds
SFUMATO_JOB_DAYS = whole_number(os.environ, "SFUMATO_JOB_DAYS", 30)  # after which an ended job is deleted

# logs hold the class of an error and its place, never its text: it may quote data
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"no_text": {"()": "sfumato.web.interface.logs.WithoutTexts"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "filters": ["no_text"]}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {name: {"handlers": [], "level": "WARNING", "propagate": True} for name in ("django", "django.server")},
}
