"""Typed readers of environment variables, so that a wrong value fails at start, with its name."""

import fcntl
import os
from collections.abc import Iterable
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
MOST_SLOTS = 10_000  # of a resource; a limit is below it
SHORTEST_SECRET = 20  # characters; anything shorter is a truncated secret
FALSE = {"0", "false", "no", "off", ""}
_withheld: set[str] = set()


def withhold(names: Iterable[str]) -> list[str]:
    """From now on read these variables as if they were not set; return those that are."""
    _withheld.update(names)
    return sorted(name for name in _withheld if os.environ.get(name))


def text(name: str, default: str = "") -> str:
    return default if name in _withheld else os.environ.get(name, default)


def required(name: str, because: str) -> str:
    """Return a required text. Raise ImproperlyConfigured, naming the variable that requires it."""
    if value := text(name):
        return value
    raise ImproperlyConfigured(f"{because} is set, so {name} must also be set.")


def token(name: str) -> str:
    """Return a secret that is sent in a header. Raise ImproperlyConfigured, without the value, if
    it cannot be."""
    return one_word(name, text(name).strip())


def one_word(name: str, value: str) -> str:
    if not value.isascii() or not value.isprintable() or " " in value:
        raise ImproperlyConfigured(f"{name} must be one word of letters, digits and signs.")
    return value


def endpoints(name: str, prefix: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return URLs and keys by the names in a list such as `local=http://127.0.0.1:8000/v1`.

    The key of `local` is in the variable prefix + LOCAL, or in the file that prefix + LOCAL + _FILE
    names; without either it has none. Raise ImproperlyConfigured.
    """
    addresses, keys = {}, {}
    for entry in words(name):
        label, _, address = entry.partition("=")
        if not label.isidentifier() or not is_plain_address(address):
            raise ImproperlyConfigured(
                f"{name}: write each as name=https://host/v1; {label} is not"
            )
        addresses[label] = address.rstrip("/")
        variable = prefix + label.upper()
        if path := text(f"{variable}_FILE"):
            try:
                keys[label] = one_word(variable, Path(path).read_text().strip())
            except OSError as error:
                raise ImproperlyConfigured(f"{variable}_FILE cannot be read: {error}") from None
        else:
            keys[label] = token(variable)
    return addresses, keys


def is_plain_address(address: str) -> bool:
    """Return whether it is an http or https URL without a user name or password."""
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018  raises ValueError for what is no number
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None


def flag(name: str, default: bool = False) -> bool:
    """Return a yes or no. Raise ImproperlyConfigured on anything else."""
    value = os.environ.get(name)
    if value is None:
        return default
    if value.lower() in TRUE:
        return True
    if value.lower() in FALSE:
        return False
    raise ImproperlyConfigured(f"{name}={value!r} should be 'true' or 'false'.")


def integer(name: str, default: int) -> int:
    value = os.environ.get(name)
    if value is None:
        return default
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name}={value!r} should be a whole number.") from None


def choice(name: str, options: set[str], default: str) -> str:
    """Return one of ``options``, in capitals. Raise ImproperlyConfigured, naming them, on any other
    value."""
    value = text(name, default).upper()
    if value not in options:
        known = ", ".join(sorted(options))
        raise ImproperlyConfigured(f"{name}={value!r} should be one of {known}.")
    return value


def words(name: str, default: str = "") -> list[str]:
    """Return a comma-separated list without its empty entries."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def several(name: str, options: Iterable[str]) -> list[str]:
    """Return the listed options, in their own order; all of them if none is listed. Raise
    ImproperlyConfigured, naming them, on any other."""
    listed, known = words(name), list(options)
    for word in listed:
        if word not in known:
            raise ImproperlyConfigured(f"{name}: {word!r} should be one of {', '.join(known)}.")
    return [option for option in known if option in listed] or known


def limits(name: str, options: Iterable[str]) -> dict[str, int]:
    """Return numbers by name, written as `gpu=1,judge=4`. Raise ImproperlyConfigured on a name that
    is not one of the options or is listed twice, and on anything but a whole number."""
    known, found = list(options), dict[str, int]()
    for entry in words(name):
        label, _, value = (part.strip() for part in entry.partition("="))
        if label not in known:
            raise ImproperlyConfigured(f"{name}: {label!r} should be one of {', '.join(known)}.")
        if label in found:
            raise ImproperlyConfigured(f"{name}: {label} is listed twice.")
        if not (value.isascii() and value.isdigit() and int(value) < MOST_SLOTS):
            raise ImproperlyConfigured(
                f"{name}: {entry!r} should be a name and a whole number below {MOST_SLOTS}, such "
                f"as {label}=1."
            )
        found[label] = int(value)
    return found


def networks(name: str) -> list:
    """Return comma-separated addresses and networks as `ipaddress` objects; the word `unix` stays.
    Raise ImproperlyConfigured on anything else."""
    found: list = []
    for word in words(name):
        try:
            found.append(word if word == "unix" else ip_network(word, strict=False))
        except ValueError:
            raise ImproperlyConfigured(
                f"{name}: {word!r} should be an address such as 10.0.0.2, a network such as "
                "10.0.0.0/8, or the word unix."
            ) from None
    return found


def number(name: str, default: float) -> float:
    """Return a number of at least 0. Raise ImproperlyConfigured on anything else."""
    value = text(name) or str(default)
    try:
        read = float(value)
    except ValueError:
        read = -1
    if not 0 <= read < 1e9:
        raise ImproperlyConfigured(f"{name}={value!r} should be a number of at least 0.")
    return read


ENGINE = "django.db.backends.postgresql"
MAIL_SCHEMES = {"smtp": 25, "smtp+tls": 587, "smtps": 465}


def mail(url: str) -> dict:
    """Return Django's mail settings for `smtp+tls://user:password@host:587`; `smtp` is without TLS,
    `smtps` with TLS from the start. Raise ImproperlyConfigured for anything else."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"EMAIL_URL cannot be read: {error}.") from None
    if parts.scheme not in MAIL_SCHEMES or not parts.hostname:
        raise ImproperlyConfigured(
            "EMAIL_URL should look like smtp+tls://user:password@host:587; "
            "smtps:// is TLS from the start, smtp:// none."
        )
    return {
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port or MAIL_SCHEMES[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
    }


def database(url: str, name: str = "DATABASE_URL") -> dict:
    """Return Django's settings for a `postgresql://user:password@host:port/name?option=value` URL.

    A socket folder is given as `postgresql:///name?host=/path/to/folder`. name: the variable. Raise
    ImproperlyConfigured if it is not a PostgreSQL URL.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} cannot be read: {error}.") from None
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(
            f"{name} should look like postgresql://user:password@host:5432/name; "
            "mteval runs on PostgreSQL only."
        )
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": ENGINE,
        "NAME": unquote(parts.path.lstrip("/")) or "mteval",
        "USER": unquote(parts.username or options.pop("user", "")),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or "") or options.pop("host", ""),
        "PORT": str(port or options.pop("port", "")),
        "OPTIONS": options,
        # One connection per thread, reused for a minute: measured 2.8 times the requests per
        # second.
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
    }


def secret_key(folder: Path) -> str:
    """Return the secret of this installation: SECRET_KEY, or one created once and stored in
    `folder`.

    A file without a secret in it, left by a full disk or a power cut, is replaced: nothing can have
    been signed with it.
    """
    if given := text("SECRET_KEY"):
        return given
    file = folder / "secret_key"
    if found := read_secret(file):
        return found
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # another process may be creating it right now
        return read_secret(file) or write_secret(file)
    finally:
        os.close(handle)


def read_secret(file: Path) -> str:
    """Return the secret in the file; empty if it has none."""
    try:
        found = file.read_text().strip()
    except (FileNotFoundError, UnicodeDecodeError):
        return ""
    return found if len(found) >= SHORTEST_SECRET and found.isprintable() else ""


def write_secret(file: Path) -> str:
    """Write a new secret to the file, completely or not at all."""
    from django.core.management.utils import get_random_secret_key

    made = get_random_secret_key()
    part = file.with_name("secret_key.part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(made)
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)
    return made
