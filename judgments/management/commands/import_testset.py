"""manage.py import_testset: texts from files into a new test set."""

from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from judgments.files import ImportProblem, texts
from judgments.management.lookup import account, named_files
from judgments.models import Output, TestSet
from judgments.test_sets.corpus import import_test_set
from judgments.test_sets.media.archive import media_archive, unused_words
from judgments.test_sets.same_texts import SameTexts
from judgments.web.audit.commands import concerning

MEDIA = "a .zip of the files that the table names in its columns media and captions"
DOCUMENTS = "on each line the document's name, or its domain, a tab and its name"


class Command(BaseCommand):
    help = (
        "Import a test set from plain text files (one segment a line, .gz too) or from one table "
        "(.tsv, .csv or .jsonl). docs/guide/formats.md describes the files."
    )

    def add_arguments(self, parser):
        parser.add_argument("name", help="what to call the test set")
        parser.add_argument("--source-language", required=True, help="such as de")
        parser.add_argument("--target-language", required=True, help="such as pt-BR")
        parser.add_argument("--gloss-language", default="", help="of the column gloss of a table")
        parser.add_argument("--owner", required=True, help="user name of the account that owns it")
        parser.add_argument("--note", default="", help="where the texts come from")
        parser.add_argument("--source", type=Path, help="source text")
        parser.add_argument("--reference", action="append", default=[], metavar="[NAME=]FILE")
        parser.add_argument("--system", action="append", default=[], metavar="[NAME=]FILE")
        parser.add_argument("--documents", type=Path, help=DOCUMENTS)
        parser.add_argument("--media", type=Path, help=MEDIA)
        parser.add_argument("--table", type=Path, help="one .tsv, .csv or .jsonl, alone")

    def handle(self, *args, **options):
        owner = account(options["owner"])
        test_set = TestSet(
            name=options["name"],
            source_language=options["source_language"],
            target_language=options["target_language"],
            gloss_language=options["gloss_language"],
            owner=owner,
            note=options["note"],
        )
        try:
            with media_archive(options["media"]) as media:
                if media is not None and not options["table"]:
                    options["table"] = media.table()
                segments = SameTexts(self.segments(options))
                import_test_set(test_set, segments, media)
        except ImportProblem as problem:
            raise CommandError(f"Nothing was imported. {problem}") from None
        except ValidationError as error:
            reasons = "; ".join(f"{f}: {' '.join(m)}" for f, m in error.message_dict.items())
            raise CommandError(f"Nothing was imported. {reasons}") from None
        concerning(test_set)
        counts = {
            "segment": test_set.segments.count(),
            "document": test_set.documents.count(),
            "system": test_set.systems.count(),
            "output": Output.objects.filter(system__test_set=test_set).count(),
        }
        words = [f"{n:,} {name}{'s'[: n != 1]}" for name, n in counts.items()]
        self.stdout.write(f"Test set {test_set.pk}: {words[0]} in {', '.join(words[1:])}.")
        for warning in [*segments.warnings(), *unused_words(media)]:
            self.stderr.write(self.style.WARNING(f"Warning: {warning}"))

    def segments(self, options):
        if options["table"]:
            if options["source"] or options["reference"] or options["system"]:
                raise CommandError("Give either --table or the plain text files.")
            return texts.from_table(options["table"])
        if not options["source"]:
            raise CommandError("Give --source (and --system), or --table.")
        return texts.from_lines(
            options["source"],
            named_files(options["reference"], "references"),
            named_files(options["system"], "systems"),
            options["documents"],
        )
