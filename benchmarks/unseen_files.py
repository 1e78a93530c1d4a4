"""Results of importing published files: every file of a folder, each alone.

    .venv/bin/python -m benchmarks.unseen_files [FOLDER …]

The default folder is ../shared/data/10_as_released, if it exists. Each file is read in a separate
process, with `import_release(keep=False, leave_out=100)` and a throw-away database, and a line
shows the result: the recognized format; lines in the file; what was imported; how many rows are
left out, and the first; notes, which say what is not used; seconds; and the peak memory of that
process. Questions that only a person can answer get the first choice, and languages English and
German.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

AS_RELEASED = Path(__file__).parents[2] / "shared" / "data" / "10_as_released"
LANGUAGES = {"source-language": "en", "target-language": "de"}
MOST_SECONDS = 600
MOST = 100.0  # percent of the rows that may be left out: their number is what is measured


def read(path: Path) -> dict[str, Any]:
    """Return the result for a file, as JSON values. Nothing stays in the database."""
    from django.contrib.auth import get_user_model

    from judgments.exchange.releases import registry
    from judgments.exchange.releases.importer import import_release
    from judgments.files.problem import ImportProblem
    from judgments.files.uploads import opened

    began = time.perf_counter()
    owner, _ = get_user_model().objects.get_or_create(username="benchmark", is_active=False)
    slugs, n_lines = [], 0
    try:
        with opened([path]) as files:
            found, _rest = registry.recognize(files)
            slugs = [each.slug for each, _ in found]
            for file in files:
                with file.open() as stream:
                    n_lines += sum(
                        block.count(b"\n") for block in iter(lambda: stream.read(2**20), b"")
                    )
    except ImportProblem:
        pass  # `import_release` reports it
    answers: dict[str, str] = {}
    findings = import_release([path], owner, keep=False, leave_out=MOST)
    while missing := [q for q in findings.questions if q.name in findings.unanswered]:
        given = {
            q.name: q.choices[0][0] if q.choices else LANGUAGES.get(q.name, "") for q in missing
        }
        if not all(given.values()) or given.keys() <= answers.keys():
            break
        answers |= given
        findings = import_release([path], owner, answers=answers, keep=False, leave_out=MOST)
    return {
        "formats": slugs,
        "lines": n_lines,
        "answers": answers,
        "unanswered": findings.unanswered,
        "remarks": findings.remarks,
        "n_problems": findings.problems.n,
        "problem": str(findings.problems.first[0]) if findings.problems else "",
        "n_left_out": len(findings.left_out.rows),
        "left_out": str(findings.left_out.first[0]) if findings.left_out else "",
        "notes": findings.notes,
        "seconds": time.perf_counter() - began,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def read_alone(path: Path) -> dict[str, Any]:
    """Return the same from a separate process; if that process dies, the reason is its problem."""
    program = [sys.executable, "-m", "benchmarks.unseen_files", "--read", str(path)]
    try:
        done = subprocess.run(
            program, capture_output=True, text=True, check=False, timeout=MOST_SECONDS
        )
    except subprocess.TimeoutExpired:
        return {"failed": f"not read within {MOST_SECONDS} s"}
    if done.returncode:
        return {"failed": (done.stderr.strip() or f"ended with {done.returncode}").split("\n")[-1]}
    return json.loads(done.stdout.split("\n")[-2])


def lines_of(name: str, found: dict[str, Any]) -> Iterator[str]:
    """Yield the printed lines for a file."""
    if "failed" in found:
        yield f"{name}: FAILED: {found['failed']}"
        return
    formats = ", ".join(found["formats"]) or "nothing"
    cost = f"{found['seconds']:.1f} s, {found['megabytes']:.0f} MB"
    yield f"{name}: {formats}; {found['lines']:,} lines; {cost}"
    if found["answers"]:
        yield "  answered " + ", ".join(f"{k}={v}" for k, v in found["answers"].items())
    if found["unanswered"]:
        yield "  not answered: " + ", ".join(found["unanswered"])
    for sentence in found["remarks"]:
        yield f"  in: {sentence}"
    if found["n_left_out"]:
        yield f"  {found['n_left_out']:,} rows left out, such as: {found['left_out']}"
    if found["n_problems"]:
        yield f"  {found['n_problems']:,} problems, nothing comes in: {found['problem']}"
    for note in found["notes"]:
        yield f"  note: {note}"


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--read"]:
        import django

        django.setup()
        print(json.dumps(read(Path(arguments[1]))))
        return
    folders = [Path(each) for each in arguments] or [AS_RELEASED]
    if missing := [folder for folder in folders if not folder.exists()]:
        sys.exit(f"There is no {missing[0]}.")
    from tests.throw_away import throw_away

    with throw_away() as cluster:
        os.environ |= {
            "DATABASE_URL": cluster.url(),
            "SECRET_KEY": "benchmark",
            "DJANGO_SETTINGS_MODULE": "mteval_site.settings",
        }
        subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], check=True)
        n = n_in = 0
        for folder in folders:
            files = [folder] if folder.is_file() else sorted(folder.rglob("*"))
            for path in filter(Path.is_file, files):
                found = read_alone(path)
                n, n_in = n + 1, n_in + bool(found.get("remarks"))
                name = path.name if folder.is_file() else str(path.relative_to(folder))
                print("\n".join(lines_of(name, found)), flush=True)
        print(f"{n_in:,} of {n:,} files come in as they are.")


if __name__ == "__main__":
    main(sys.argv[1:])
