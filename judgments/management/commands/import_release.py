"""manage.py import_release: the field's own files, whatever their format."""

import math
import time
from collections.abc import Callable
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.urls import reverse

from judgments.exchange.releases.importer import Findings, bring_in
from judgments.exchange.releases.registry import BY_SLUG
from judgments.exchange.releases.survey import n_of
from judgments.files.problem import USUAL_LIMIT, Problems
from judgments.management.lookup import account, numbered
from judgments.models import TestSet
from judgments.web.audit.commands import concerning

SECONDS = 10  # between two lines that say how far an import is


class Command(BaseCommand):
    help = (
        "Import what other tools and shared tasks publish: texts, judgments, campaigns, scores. "
        "docs/guide/releases.md describes the formats. Either everything is imported, or nothing."
    )

    def add_arguments(self, parser):
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument("--format", default="", choices=["", *BY_SLUG], metavar="SLUG")
        parser.add_argument(
            "--recipe", type=Path, metavar="FILE", help="what the columns of the tables mean"
        )
        add_common_arguments(parser)

    def handle(self, *args, **options):
        paths = options["paths"] + [options["recipe"]] * bool(options["recipe"])
        import_paths(self, paths, options, only=options["format"])


def add_common_arguments(parser):
    parser.add_argument("--owner", required=True, help="user name of the account that owns it")
    parser.add_argument(
        "--test-set", type=int, metavar="ID", help="texts for judgments that come without any"
    )
    parser.add_argument(
        "--answer",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="to what the files do not say; the command lists the questions",
    )
    add_leave_out(parser)
    parser.add_argument("--dry-run", action="store_true", help="only show what would be imported")


def add_leave_out(parser):
    parser.add_argument(
        "--leave-out",
        type=float,
        nargs="?",
        const=USUAL_LIMIT,
        metavar="PERCENT",
        help=f"leave out rows that cannot be read, up to this share of all rows ({USUAL_LIMIT:g} "
        "percent by default); they are listed with the campaign",
    )


def import_paths(command, paths, options, *, only="", answers=None):
    """Bring files in and say so; raises CommandError, and nothing has come in."""
    owner = account(options["owner"])
    test_set = numbered(TestSet, options["test_set"]) if options["test_set"] else None
    given = answers_of(options["answer"])
    with transaction.atomic():
        findings = bring_in(
            paths,
            owner,
            answers={**given, **(answers or {})},
            only=only,
            test_set=test_set,
            keep=not options["dry_run"],
            leave_out=options["leave_out"],
            progress=progress_lines(command.stderr.write),
        )
        if findings.written or findings.found:
            check_asked(given, findings)
    for note in findings.notes:
        command.stdout.write(f"Note: {note}")
    if findings.problems:
        tell_problems(command, findings.problems)
        if findings.share is not None:
            n = len(findings.problems.rows)
            limit = "" if findings.share <= USUAL_LIMIT else f" {math.ceil(findings.share)}"
            command.stderr.write(
                f"{n_of(n, 'row')} of these files cannot be read ({findings.share:.2g} % of all). "
                f"--leave-out{limit} imports the rest."
            )
        raise CommandError("Nothing was imported.", returncode=1)
    if findings.unanswered:
        tell_questions(command, findings)
        raise CommandError("Nothing was imported.", returncode=1)
    tell_problems(command, findings.left_out)
    for part in findings.found:
        command.stdout.write(f"Found {part.sentence}.")
    if findings.written is None:
        for question in findings.questions:
            taken = f", now “{question.default}”" if question.default else ""
            command.stdout.write(f"--answer {question.name}=… {question.label}{taken}.")
        n = len(findings.left_out.rows)
        what = f"All but {n_of(n, 'row')}" if n else "Everything"
        command.stdout.write(f"{what} can be imported. This was a dry run: nothing was stored.")
        return
    for sentence in findings.told:
        command.stdout.write(sentence)
    for test_set in findings.written.test_sets.values():
        concerning(test_set)
        command.stdout.write(f"See {test_set.get_absolute_url()}")
    for campaign, _ in findings.written.campaigns:
        concerning(campaign)
        command.stdout.write(f"See {reverse('campaign', args=[campaign.pk])}")


def progress_lines(write: Callable[[str], object]) -> Callable[[int], None]:
    """Return what is told how many rows have been read, and writes it down every ten seconds."""
    began = last = time.monotonic()

    def progress(n_rows: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= SECONDS:
            last = now
            write(f"{n_rows:,} rows after {now - began:.0f} s")

    return progress


def check_asked(given: dict[str, str], findings: Findings) -> None:
    """Raise CommandError for an answer to what was not asked, and nothing has come in."""
    asked = [question.name for question in findings.questions]
    if unknown := sorted(given.keys() - set(asked)):
        raise CommandError(
            f"There is no question {', '.join(unknown)}; what can be answered: "
            f"{', '.join(asked)}. Nothing was imported."
        )


def answers_of(given: list[str]) -> dict[str, str]:
    found = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals:
            raise CommandError(f"Write --answer name=value, not “{each}”.")
        found[name] = value
    return found


def tell_problems(command, problems: Problems) -> None:
    for problem in problems.first:
        command.stderr.write(str(problem))
    if (more := problems.n - len(problems.first)) > 0:
        command.stderr.write(f"… and {more:,} more problems.")


def tell_questions(command, findings: Findings) -> None:
    for question in findings.questions:
        if question.name in findings.unanswered:
            choices = ", ".join(f"{value} ({words})" for value, words in question.choices)
            one_of = f"; one of {choices}" if choices else ""
            words = f"{question.label}: give --answer {question.name}=…{one_of}. {question.help}"
            command.stderr.write(words.strip())
