"""Packages missing from a default installation: groups of pyproject.toml.

Each is large, and needed by one feature, which says how to install it if it is missing.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from mteval_site.version import is_installed

GROUPS = {
    "pyarrow": "parquet",
    "storages": "object-store",
    "typst": "pdf",
}


class MissingPackage(Exception):
    """A feature needs a package that is not installed; the message says what to do."""


def how_to_install(package: str) -> str:
    """Return a sentence that names the missing package and the command that installs it."""
    group = GROUPS[package]
    # By the wheel, because the package index does not have it.
    command = f"pipx install --force './WHEEL[{group}]'" if is_installed() else "./run extras"
    return (
        f"The package {package} is not installed. The operator can install it with `{command}` "
        "and then restart the site."
    )


def is_there(package: str) -> bool:
    """Return whether a package of a group can be imported."""
    return find_spec(package) is not None


def need(package: str) -> Any:
    """Import and return a package of a group. Raise MissingPackage."""
    if not is_there(package):
        raise MissingPackage(how_to_install(package))
    return import_module(package)
