"""What commands that make something of a campaign's or a project's file share."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from django.core.management.base import BaseCommand, CommandError

from judgments.exchange.campaign_files.nodes import LARGEST, BadCampaignFile

from .lookup import account

Made = TypeVar("Made")


class FromFileCommand(BaseCommand):
    """A command that reads a file on the server and makes all of it for one owner, or nothing."""

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path)
        parser.add_argument("--owner", required=True, help="user name of the account that owns it")

    def made_of(self, make: Callable[..., Made], file: Path, owner: str) -> Made:
        """Return what `make` makes of the file. Raise CommandError, after every fault is told."""
        user = account(owner)
        try:
            with file.open("rb") as opened:
                content = opened.read(LARGEST + 1)
        except OSError as error:
            raise CommandError(f"{file} cannot be opened: {error.strerror}.") from None
        try:
            return make(content, user, name=file.name, folder=file.parent, is_trusted=True)
        except BadCampaignFile as bad:
            for fault in bad.faults:
                self.stderr.write(str(fault))
            raise CommandError("Nothing was created.", returncode=1) from None
