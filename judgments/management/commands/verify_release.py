"""manage.py verify_release: whether a release is as it was signed, and comes out again."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from judgments.publishing.bundles import signing
from judgments.publishing.bundles.problem import BundleProblem
from judgments.publishing.bundles.verification import Verdict, verify

LONGEST = 1000  # characters of a line


def shown(said: object) -> str:
    """Return a line of what a file says, which cannot begin another or command the terminal."""
    line = "".join(letter if letter.isprintable() else "�" for letter in str(said)[:LONGEST])
    return line + "…" * (len(str(said)) > LONGEST)


class Command(BaseCommand):
    help = (
        "Check the signature, the files and the chain of judgments of a release of any site, and "
        "recompute every figure. Nothing is stored. The exit status is 1 if anything differs."
    )

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path, metavar="FILE.zip")
        parser.add_argument(
            "--key", metavar="PUBLIC", help="the key that must have signed it, or its file"
        )

    def handle(self, *args, file, key, **options):
        self.verbosity = options["verbosity"]
        try:
            verdict = verify(file, self.key(key) if key else "")
        except BundleProblem as problem:
            raise CommandError(f"{file}: {shown(problem)}") from None
        self.tell(verdict)
        if verdict.wrong:
            n = len(verdict.wrong)
            raise CommandError(f"{n:,} {'thing is' if n == 1 else 'things are'} wrong.")

    def key(self, given: str) -> str:
        path = Path(given)
        try:
            return signing.read_key(path.read_text() if path.is_file() else given)
        except (ValueError, OSError) as problem:
            raise CommandError(str(problem)) from None

    def tell(self, verdict: Verdict) -> None:
        """What is wrong first, what was not made by its reasons, then one line of sums. The files
        whose figures came out are named with --verbosity 2."""
        manifest = verdict.manifest
        lines = [f"{verdict.name}: {manifest['judgments']:,} judgments."]
        lines += [f"  WRONG   {sentence}" for sentence in verdict.wrong]
        lines += not_made(verdict.left)
        if self.verbosity > 1:
            for found in verdict.figures:
                if not found.different:
                    close = f", {found.n_close:,} but for the last bits" if found.n_close else ""
                    lines.append(f"  same    {found.name}: {found.n:,} values{close}")
        for line in [*lines, *verdict.told]:
            self.stdout.write(shown(line))
        n = sum(found.n for found in verdict.figures)
        n_same = n - sum(len(found.different) for found in verdict.figures)
        if verdict.figures:
            n_files = len(verdict.figures)
            files = "1 file" if n_files == 1 else f"{n_files:,} files"
            n_close = sum(found.n_close for found in verdict.figures)
            close = f", {n_close:,} of them but for the last bits" if n_close else ""
            self.stdout.write(f"{n_same:,} of {n:,} figures were reproduced in {files}{close}.")
        elif verdict.wrong:
            self.stdout.write("No figure was computed: the file differs from what was signed.")


def not_made(left: dict[str, str]) -> list[str]:
    """Return lines for the files that were not made: each reason once, with its files."""
    files: dict[str, list[str]] = {}
    for name, reason in left.items():
        files.setdefault(reason, []).append(name)
    lines = []
    for reason, names in files.items():
        if len(names) == 1:
            lines.append(f"  not made {names[0]}: {reason}")
        else:
            lines.append(f"  not made {len(names):,} files: {reason}")
            lines += [f"    {name}" for name in names]
    return lines
