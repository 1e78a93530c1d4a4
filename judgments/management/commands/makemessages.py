"""Django's own command, which here also reads `_n("…")`: wording stored as data and translated when
shown."""

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=_n"]
