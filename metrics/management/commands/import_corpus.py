"""manage.py import_corpus: a text that language models are trained on."""

from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from judgments.files import ImportProblem
from judgments.management.lookup import account
from metrics.models import MonolingualCorpus
from metrics.scoring.corpora import check_name, read_corpus


class Command(BaseCommand):
    help = (
        "Import a text of one language, a sentence a line (.gz too), for the metric ngram_lm: "
        "manage.py score … ngram_lm:corpus=NAME."
    )

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path)
        parser.add_argument("name", help="what to call it")
        parser.add_argument("language", help="a language tag such as de or pt-BR")
        parser.add_argument("--owner", required=True, help="user name of the account that owns it")

    def handle(self, *args, **options):
        owner = account(options["owner"])
        corpus = MonolingualCorpus(name=options["name"], language=options["language"], owner=owner)
        try:
            check_name(corpus.name)
            read_corpus(corpus, options["file"])
            corpus.full_clean(exclude=["data"])
        except ValidationError as error:
            reasons = [f"{field}: {' '.join(m)}" for field, m in error.message_dict.items()]
            raise CommandError(f"Nothing was imported. {'; '.join(reasons)}") from None
        except (ImportProblem, ValueError) as problem:
            raise CommandError(f"Nothing was imported. {problem}") from None
        corpus.save()
        self.stdout.write(f"Corpus “{corpus.name}”: {corpus.n_lines:,} lines of text.")
