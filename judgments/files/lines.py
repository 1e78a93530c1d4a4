"""Plain text: one entry a line, `.gz` too. The other formats read their lines here.

It is UTF-8, or UTF-16 with its mark, as spreadsheets save "Unicode text". A line ends with a line
feed; with a carriage return in files that have no line feed, as old Macs saved them.
"""

import codecs
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.conf import settings

from mteval_site import deadline

from .problem import ImportProblem, shortened

MAX_LINE_BYTES = 1_000_000
LINES_AT_ONCE = 4096  # until it is asked whether anybody still waits for them
# Characters of a text or of a table's cell. The slowest page that compares two of them word by word
# takes half a second (tests/test_bounded_texts.py).
LONGEST_TEXT = 50_000
BOM = codecs.BOM_UTF8
WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
HEAD = 64 * 1024  # bytes by which encoding and line ends are told

# A path, or an open binary file with a name (such as Django's UploadedFile), which is read from its
# start and left open.
Source = str | os.PathLike[str] | IO[bytes] | Any


def name_of(source: Source) -> str:
    """Return the file's name without its folder, as messages and default names use it."""
    return Path(source if isinstance(source, str | os.PathLike) else source.name).name


def stem_of(source: Source) -> str:
    """Return the file's name without folder, `.gz` and `.txt`: the name of what is in it."""
    return name_of(source).removesuffix(".gz").removesuffix(".txt")


@contextmanager
def _opened(source: Source) -> Iterator[Any]:
    """The bytes of a file, unpacked if its name ends in .gz."""
    packed = name_of(source).endswith(".gz")
    if not isinstance(source, str | os.PathLike):
        source.seek(0)
        yield gzip.GzipFile(fileobj=source) if packed else source
        return
    try:
        file = open(source, "rb")  # noqa: SIM115 - closed below, where errors are the reader's
    except OSError as error:
        reason = f"cannot be opened: {error.strerror}."
        if os.path.isdir(source):
            reason = "this is a folder. Name a file in it."
        raise ImportProblem(name_of(source), None, "", reason) from None
    with file:
        yield gzip.GzipFile(fileobj=file) if packed else file


@contextmanager
def whole(name: str) -> Iterator[None]:
    """Raise ImportProblem for a file that cannot be unpacked, while it is read."""
    try:
        yield
    except EOFError:
        reason = "the file ends too early: it was not copied or packed completely."
        raise ImportProblem(name, None, "", reason) from None
    except (gzip.BadGzipFile, zlib.error):
        reason = "the name ends in .gz, but this is not a whole gzip file."
        raise ImportProblem(name, None, "", reason) from None


def _pieces(source: Source) -> Iterator[bytes]:
    """Yield lines as bytes, none longer than one byte over the limit."""
    name = name_of(source)
    try:
        with whole(name), _opened(source) as stream:
            head = stream.read(HEAD)
            stream.seek(0)
            is_wide, end = head.startswith(WIDE), line_end(head)
            if not is_wide and end == "\n":
                while piece := stream.readline(MAX_LINE_BYTES + 1):
                    yield piece
                return
            codec = "utf-16" if is_wide else "latin-1"  # which keeps bytes as they are
            text = io.TextIOWrapper(stream, codec, newline=end)
            try:
                while line := text.readline(MAX_LINE_BYTES + 1):
                    mended = line[:-1] + "\n" if line.endswith("\r") else line
                    yield mended.encode("utf-8" if is_wide else codec)
            finally:
                text.detach()  # or it closes the stream, which is the caller's
    except UnicodeError:  # of UTF-16; other bytes are decoded by the line
        reason = "it begins as UTF-16 but does not continue as such. Save the file as UTF-8."
        raise ImportProblem(name, None, "", reason) from None


def line_end(head: bytes) -> str:
    """Return what ends the lines of a file, by its first bytes."""
    text = beginning(head)
    return "\r" if "\r" in text and "\n" not in text else "\n"


def beginning(head: bytes) -> str:
    """Return the text of a file's first bytes as far as it can be read."""
    codec = "utf-16" if head.startswith(WIDE) else "utf-8-sig"
    return head.decode(codec, errors="ignore")


def is_utf16(source: Source) -> bool:
    with _opened(source) as stream:
        return stream.read(2).startswith(WIDE)


def check_plain(*sources: Source) -> None:
    """Raise ImportProblem for the first file that is no plain text, but one of those that come in
    by the page Import: elsewhere its lines would be counted, and the fault be another file's."""
    for source in sources:
        with _opened(source) as stream:
            try:
                head = stream.read(HEAD)
            except (OSError, EOFError, zlib.error):  # told when it is read
                continue
        what = "a document, a workbook or an archive" if head.startswith(b"PK\x03\x04") else ""
        if beginning(head).lstrip().startswith(("<?xml", "<tmx", "<xliff")):
            what = "XML, such as TMX or XLIFF,"
        if what:
            reason = f"this is {what}, not plain text. Use the page Import."
            raise ImportProblem(name_of(source), None, "", reason)


class Budget:
    """How many unpacked bytes the files of one import may still hold."""

    def __init__(self) -> None:
        self.left = settings.MAX_UPLOAD_BYTES


def read_lines(
    source: Source, budget: Budget | None = None, *, keep_mark: bool = False
) -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, text without its line end) of a file.

    A line feed, alone or after a carriage return, ends a line, or else a carriage return: the other
    characters that Unicode calls line breaks occur inside texts. A byte order mark at the start is
    skipped. keep_mark: leave it there, as part of the first text.
    budget: shared by files that belong together; alone a file may hold settings.MAX_UPLOAD_BYTES.
    Raises ImportProblem for a file that cannot be opened or unpacked or that holds more than the
    budget, a line over 1 MB, bytes that are not UTF-8, a NUL.
    """
    name = name_of(source)
    budget = budget or Budget()
    for number, piece in enumerate(_pieces(source), 1):
        if not number % LINES_AT_ONCE:
            deadline.look()
        budget.left -= len(piece)
        if budget.left < 0:
            raise ImportProblem(name, number, "", _too_large())
        if len(piece) > MAX_LINE_BYTES:
            reason = f"the line is longer than {MAX_LINE_BYTES:,} bytes."
            raise ImportProblem(name, number, "", reason)
        if number == 1 and not keep_mark:
            piece = piece.removeprefix(BOM)
        yield number, _decoded(piece, name, number)


def _decoded(piece: bytes, name: str, number: int) -> str:
    if piece.endswith(b"\n"):
        piece = piece[:-2] if piece.endswith(b"\r\n") else piece[:-1]
    try:
        text = piece.decode("utf-8")
    except UnicodeDecodeError as error:
        reason = f"byte {error.start + 1} of the line (0x{piece[error.start]:02x}) is not UTF-8"
        around = piece[max(0, error.start - 20) : error.start + 20]
        if as_windows := around.decode("cp1252", errors="ignore").strip():
            reason += f"; a file in Windows-1252 would say {shortened(as_windows)} here"
        reason += ". Save the file as UTF-8; spreadsheets call that “CSV UTF-8”."
        raise ImportProblem(name, number, "", reason) from None
    if "\0" in text:
        reason = "the line contains a NUL character. Is this a text file?"
        raise ImportProblem(name, number, "", reason)
    return text


def problem_with_text(text: str) -> str:
    """Return what is wrong with a text from a file, in words; empty when it will do."""
    if len(text) > LONGEST_TEXT:
        return f"the text has {len(text):,} characters; at most {LONGEST_TEXT:,} are possible."
    return ""


def _too_large() -> str:
    limit = settings.MAX_UPLOAD_BYTES / 1024**2
    return (
        f"the files are larger than {limit:,.0f} MB (unpacked), the limit of this site. "
        "Split them, or ask the operator to raise MAX_UPLOAD_MB."
    )
