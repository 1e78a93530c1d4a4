"""Django's own command, which here also reads `_n("…")`: wording that is data, translated where it
is shown."""

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=_n"]
