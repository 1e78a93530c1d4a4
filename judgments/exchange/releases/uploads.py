"""Uploads: stored in the database, inspected, imported; by a web process or by a worker.

An import is one transaction, whose end also marks the upload as done: if the process ends before,
nothing is left behind, and the upload can be tried again. A process that works on an upload holds
an advisory lock of its session, as for a part of a scoring job.
"""

from __future__ import annotations

import re
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError, connection, models, transaction

from judgments.files.problem import ImportProblem, shortened
from judgments.files.uploads import path_inside
from judgments.models import JobStatus, NotWanted, Upload, UploadPiece
from judgments.models.worker_locks import UPLOADS

from .importer import Findings, import_release
from .records import OpenQuestion

PIECE = 2**20
MENDED_PIECES = 32  # of a file whose lines can be corrected
BEGINS_JSON = re.compile(r'\ufeff?\s*([\[{]\s*["{}\]]|[\[{]\s*$)')
PACKED = (".gz", ".tgz", ".zip", ".xlsx", ".docx", ".parquet")
LOOK = 0.5  # seconds between two checks of the row during processing
PATIENCE = 2.0  # seconds in which a cancelled import ends by itself
AT_ONCE = 8.0  # seconds that a page waits for an import before it leaves it to a worker


class QuotaExceeded(Exception):
    """A person has uploaded more than the site stores for them."""


class TooLongToWait(Exception):
    """The processing takes too long for a page and is left to a worker."""


# ---- Stored files ------------------------------------------------------------------------------


def quota() -> int:
    """Return the total size of uploads that a person may have at a time, in bytes."""
    return 2 * settings.MAX_UPLOAD_BYTES


@transaction.atomic
def store(owner: Any, files: Sequence[tuple[str, UploadedFile]]) -> Upload:
    """Store files under their paths. Raise QuotaExceeded, and ImportProblem for an invalid path."""
    paths = [checked_path(path) for path, _ in files]
    for path, n in Counter(paths).items():
        if n > 1:
            raise ImportProblem(path, None, "", "two of the files have this name.")
    n_bytes = sum(file.size or 0 for _, file in files)
    # One after the other: each is counted with those before it.
    get_user_model().objects.select_for_update(of=("self",), no_key=True).get(pk=owner.pk)
    kept = Upload.objects.filter(owner=owner).not_imported()
    if sum(kept.values_list("n_bytes", flat=True)) + n_bytes > quota():
        raise QuotaExceeded
    upload = Upload.objects.create(owner=owner, n_files=len(files), n_bytes=n_bytes)
    for number, (path, (_, file)) in enumerate(zip(paths, files, strict=True)):
        for position, content in enumerate(pieces_of(file)):
            UploadPiece.objects.create(
                upload=upload, file=number, path=path, position=position, content=content
            )
    return upload


def pieces_of(file: UploadedFile) -> Iterator[bytes]:
    """Yield the pieces of a file; an empty piece for an empty file."""
    file.seek(0)
    yield file.read(PIECE)
    while content := file.read(PIECE):
        yield content


def checked_path(path: str) -> str:
    """Return the path. Raise ImportProblem for a path outside of the folder, and for a name that
    cannot be stored."""
    if speakable(path) != path:
        raise ImportProblem(speakable(path[:60]), None, "", "this is not the name of a file.")
    try:
        return str(path_inside(path))
    except ValueError as problem:
        raise ImportProblem(shortened(path), None, "", f"the file {problem}.") from None


@contextmanager
def laid_out(upload: Upload) -> Iterator[list[Path]]:
    """Write the files of an upload to a temporary folder and yield the paths in it."""
    with tempfile.TemporaryDirectory(prefix="mteval-upload-") as folder:
        pieces = upload.pieces.order_by("file", "position")
        try:
            for piece in pieces.iterator(chunk_size=8):
                place = Path(folder, checked_path(piece.path))
                place.parent.mkdir(parents=True, exist_ok=True)
                with place.open("ab" if piece.position else "wb") as stream:
                    stream.write(piece.content)
        except OSError as error:  # a file where another one has a folder
            raise ImportProblem(
                str(error.filename), None, "", "two files have the same name."
            ) from None
        yield sorted(Path(folder).iterdir())


def line_of(upload: Upload, path: str, row: int) -> str | None:
    """Return a line of a stored file without its end; None if it is not accessible: in an archive,
    a workbook, JSON that is not an object per line, a file of another encoding, or one that is too
    large for a web process."""
    found = _lines_of(upload, path, row)
    return found[1][row - 1].rstrip("\r") if found else None


@transaction.atomic
def replace_line(upload: Upload, path: str, row: int, text: str) -> None:
    """Store a file with another text in a line. Raise ValueError if `line_of` finds none, and if
    the text has several lines."""
    found = _lines_of(upload, path, row)
    if not found or "\n" in text or "\r" in text:
        raise ValueError(f"no line {row} to replace")
    file, lines = found
    end = "\r" if lines[row - 1].endswith("\r") else ""
    lines[row - 1] = text + end
    content = "\n".join(lines).encode()
    pieces = upload.pieces.filter(file=file)
    kept_path = pieces[0].path
    upload.n_bytes += len(content) - sum(len(piece.content) for piece in pieces)
    pieces.delete()
    UploadPiece.objects.bulk_create(
        UploadPiece(
            upload=upload, file=file, path=kept_path, position=n, content=content[i:][:PIECE]
        )
        for n, i in enumerate(range(0, len(content) or 1, PIECE))
    )
    upload.save(update_fields=["n_bytes"])


def _lines_of(upload: Upload, path: str, row: int) -> tuple[int, list[str]] | None:
    """Return the number of a text file and its lines; None if there is no such file, or two, or if
    the row is not one of these lines."""
    whole, ends = models.Q(path=path), models.Q(path__endswith=f"/{path}")
    files = set(upload.pieces.filter(whole | ends).values_list("file", flat=True))
    if len(files) != 1 or path.lower().endswith(PACKED):
        return None
    (file,) = files
    if upload.pieces.filter(file=file).count() > MENDED_PIECES:
        return None
    content = b"".join(bytes(piece.content) for piece in upload.pieces.filter(file=file))
    try:
        lines = content.decode().split("\n")
    except UnicodeDecodeError:
        return None
    return (file, lines) if row <= len(lines) and _is_line(lines, row) else None


def _is_line(lines: list[str], row: int) -> bool:
    """Return whether a row is the line with this number; in JSON, rows are objects."""
    if not BEGINS_JSON.match("\n".join(lines[:2])):
        return True
    *before, line = [each.strip("\ufeff \t\r") for each in lines[:row]]
    is_whole = all(each.startswith("{") and each.endswith("}") for each in before)
    return is_whole and line.startswith("{") and line != "{"


def forget(upload: Upload) -> None:
    upload.pieces.all().delete()


class UploadWatch:
    """Stores the progress of an import, on a separate connection, and checks whether it is still
    wanted; called with the number of rows read. Raises NotWanted then."""

    def __init__(self, upload_id: int) -> None:
        self.upload_id = upload_id
        self.n_rows = 0
        self.is_unwanted = threading.Event()
        self.is_over = threading.Event()
        self.database = connection.connection
        self.thread = threading.Thread(target=self._watch, daemon=True)

    def __call__(self, n_rows: int) -> None:
        self.n_rows = n_rows
        if self.is_unwanted.is_set():
            raise NotWanted

    def __enter__(self) -> UploadWatch:
        self.thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.end()

    def end(self) -> None:
        self.is_over.set()
        self.thread.join()

    def _watch(self) -> None:
        try:
            while not self.is_over.wait(LOOK):
                with suppress(DatabaseError):
                    if Upload.objects.filter(pk=self.upload_id).advance(n_rows=self.n_rows):
                        continue
                    self.is_unwanted.set()
                    # A long statement would notice it late.
                    if not self.is_over.wait(PATIENCE):
                        self.database.cancel()
        finally:
            connection.close()


def deadline_callback() -> Callable[[int], None]:
    """Return a progress callback that raises TooLongToWait when a page has waited long enough."""
    until = time.monotonic() + AT_ONCE

    def look(n_rows: int) -> None:
        if time.monotonic() > until:
            raise TooLongToWait

    return look


# ---- Processing --------------------------------------------------------------------------------


def work(upload_id: int) -> bool:
    """Inspect an upload or import it, in a worker; return False if nobody waits for it any more, or
    somebody else works on it."""
    with held(upload_id) as upload:
        if upload is None:
            return False
        with UploadWatch(upload_id) as watch:
            try:
                carry_out(upload, watch, watch.end)
            except NotWanted:
                pass
            except DatabaseError:
                if not watch.is_unwanted.is_set():
                    raise
    return True


def work_at_once(upload_id: int) -> bool:
    """Do the same while a page waits; return False if that takes too long, and a worker should do
    it."""
    with held(upload_id) as upload, suppress(NotWanted):
        try:
            if upload is not None:
                carry_out(upload, deadline_callback(), lambda: None)
        except TooLongToWait:
            row = Upload.objects.filter(pk=upload_id, status=JobStatus.RUNNING)
            row.update(status=JobStatus.QUEUED)
            return False
    return True


def held(upload_id: int) -> AbstractContextManager[Upload | None]:
    wanted = Upload.objects.select_related("owner", "test_set")
    return wanted.held(upload_id, UPLOADS, n_rows=0)


def carry_out(upload: Upload, progress: Callable[[int], None], is_over: Callable) -> None:
    """Process an upload, in one transaction with its new state."""
    with transaction.atomic():
        try:
            with laid_out(upload) as paths:
                if not paths:
                    raise ImportProblem(
                        "files", None, "", "they are no longer stored. Upload them again."
                    )
                outcome = import_release(
                    paths,
                    upload.owner,
                    answers=upload.answers,
                    test_set=upload.test_set,
                    keep=upload.keeps,
                    leave_out=upload.leave_out,
                    progress=progress,
                )
        except ImportProblem as problem:
            outcome = Findings()
            outcome.problems.add(problem)
        is_over()
        finish(upload, outcome)


def finish(upload: Upload, outcome: Findings) -> None:
    """Store the outcome. Raise NotWanted, which rolls everything back, if the upload was
    cancelled."""
    status = JobStatus.FAILED if outcome.problems else JobStatus.DONE
    is_imported = status == JobStatus.DONE and outcome.written is not None
    found = as_json(outcome)
    if outcome.problems and not outcome.questions:  # reading ended before it could ask again
        asked = ("questions", "unanswered", "lacks_texts")
        found |= {key: upload.outcome[key] for key in asked if key in upload.outcome}
    if not Upload.objects.filter(pk=upload.pk).end(status, keeps=is_imported, outcome=found):
        raise NotWanted
    if is_imported:
        forget(upload)


def as_json(outcome: Findings) -> dict[str, Any]:
    """Return the outcome as stored in its row. PostgreSQL's JSON can contain neither NUL nor half a
    surrogate pair."""
    written = outcome.written
    links = []
    if written is not None:
        links = [[s.name, s.get_absolute_url()] for s in written.test_sets.values()]
        links += [[c.name, c.get_absolute_url()] for c, _ in written.campaigns]
    found = {
        "found": [asdict(part) for part in outcome.found],
        "notes": outcome.notes,
        "questions": [asdict(question) for question in outcome.questions],
        "unanswered": outcome.unanswered,
        "lacks_texts": outcome.lacks_texts,
        "problems": [problem_row(problem) for problem in outcome.problems.first],
        "n_problems": outcome.problems.n,
        "n_rows": len(outcome.problems.left_out),
        "share": outcome.share,
        "left_out": [problem_row(problem) for problem in outcome.left_out.first],
        "n_left_out": len(outcome.left_out.left_out),
        "remarks": outcome.remarks,
        "recipe": outcome.recipe,
        "links": links,
    }
    return speakable(found)


def problem_row(problem: ImportProblem) -> dict[str, Any]:
    return {name: getattr(problem, name) for name in ("file", "row", "column", "reason")}


def speakable(value: Any) -> Any:
    """Return the same without characters that the database cannot store."""
    if isinstance(value, str):
        return value.replace("\0", "").encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {speakable(key): speakable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [speakable(each) for each in value]
    return value


def questions_of(upload: Upload) -> list[OpenQuestion]:
    return [OpenQuestion(**each) for each in upload.outcome.get("questions", ())]
