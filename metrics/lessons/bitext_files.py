"""Texts in two languages that somebody uploads: read, found and read again."""

import gzip
from collections.abc import Iterator
from hashlib import sha256

from django.db.models import QuerySet

from judgments.files import ImportProblem
from judgments.files.lines import Source, name_of, read_lines
from metrics.models import Bitext

# A worker takes less than 1 GB for the phrase table of so much text.
MAX_BITEXT_BYTES = 4 * 1024 * 1024


def bitexts_for(user) -> QuerySet[Bitext]:
    """Return a person's own bitexts, without their texts."""
    return Bitext.objects.filter(owner_id=user.pk).defer("data")


def read_bitext(bitext: Bitext, first: Source, second: Source | None) -> None:
    """Fill an unsaved bitext from two plain text files, line n of the second translating line n of
    the first, or from one of which each line is a text, a tab and its translation; `.gz` too.

    A pair of which one text is empty is left out. Raise ImportProblem that names the row for what
    is no text, is too much, or does not fit together.
    """
    pairs = _pairs_of_table(first) if second is None else _pairs_of_files(first, second)
    digest, lines, size = sha256(), [], 0
    for row, source, target in pairs:
        if not source.strip() or not target.strip():
            continue
        data = f"{source}\n{target}\n".encode()
        size += len(data)
        if size > MAX_BITEXT_BYTES:
            reason = (
                f"a bitext may have {MAX_BITEXT_BYTES // 1024**2} MB (unpacked, both languages "
                "together), and this one has more. Use a part of it."
            )
            raise ImportProblem(name_of(first), row, "", reason)
        digest.update(data)
        lines.append(data)
    if not lines:
        raise ImportProblem(name_of(first), None, "", "no line has a text and its translation.")
    bitext.data = gzip.compress(b"".join(lines), compresslevel=6, mtime=0)
    bitext.digest = digest.hexdigest()
    bitext.n_pairs = len(lines)


def _pairs_of_table(source: Source) -> Iterator[tuple[int, str, str]]:
    for row, line in read_lines(source):
        texts = line.split("\t")
        if len(texts) != 2:
            reason = (
                f"the line has {len(texts) - 1} tabs; it needs one, between the text and its "
                "translation. Or choose a second file with the translations."
            )
            raise ImportProblem(name_of(source), row, "", reason)
        yield row, texts[0], texts[1]


def _pairs_of_files(first: Source, second: Source) -> Iterator[tuple[int, str, str]]:
    sources, targets = list(read_lines(first)), list(read_lines(second))
    if len(sources) != len(targets):
        reason = (
            f"the file has {len(targets):,} lines and {name_of(first)} {len(sources):,}; line n of "
            "one has to translate line n of the other."
        )
        raise ImportProblem(name_of(second), None, "", reason)
    for (row, source), (_, target) in zip(sources, targets, strict=True):
        yield row, source, target


def texts_of(bitext: Bitext) -> tuple[list[str], list[str]]:
    """Return the sources of a bitext and their translations."""
    lines = gzip.decompress(bytes(bitext.data)).decode().split("\n")[:-1]
    return lines[::2], lines[1::2]
