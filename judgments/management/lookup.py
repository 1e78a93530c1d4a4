"""What the words of a command stand for. All raise CommandError."""

from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import CommandError
from django.db import models

from judgments.files.lines import stem_of
from judgments.models import Project
from judgments.web.audit.commands import concerning


def account(name: str) -> Any:
    """Return the user of a name."""
    found = get_user_model().objects.filter(username=name).first()
    if found is None:
        raise CommandError(f"There is no account “{name}”.")
    return found


def numbered(model: type[models.Model], number: int) -> Any:
    """Return the test set or campaign with a number, as in its address."""
    found = model._default_manager.filter(pk=number).first()
    if found is None:
        raise CommandError(f"There is no {model._meta.verbose_name} {number}.")
    concerning(found)
    return found


def project_at(address: str) -> Project:
    """Return the project of a short word."""
    found = Project.objects.filter(slug=address).first()
    if found is None:
        raise CommandError(f"There is no project “{address}”.")
    return found


def named_files(values: list[str], what: str) -> dict[str, Path]:
    """`name=file` or `file`, named by itself → {name: path}; raises CommandError."""
    found: dict[str, Path] = {}
    for value in values:
        name, equals, file = value.partition("=")
        path = Path(file if equals else value)
        name = name if equals else stem_of(path)
        if name in found:
            raise CommandError(
                f"Two {what} are named “{name}”. Write name=file to tell them apart."
            )
        found[name] = path
    return found
