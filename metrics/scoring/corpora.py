"""Monolingual texts that language models are trained on: brought in, found and read again."""

import gzip
from collections.abc import Iterable, Iterator
from hashlib import sha256

from django.db.models import QuerySet

from judgments.files import ImportProblem
from judgments.files.lines import Source, name_of, read_lines
from metrics.models import MonolingualCorpus

# Some seven million words: a worker takes about 1.4 GB while it trains a model on so many.
MAX_CORPUS_BYTES = 40 * 1024 * 1024


def corpora_for(user) -> QuerySet[MonolingualCorpus]:
    """Return a person's own corpora, without their texts."""
    return MonolingualCorpus.objects.filter(owner_id=user.pk).defer("data")


def find_corpus(name: str, owners: Iterable) -> MonolingualCorpus | None:
    """Return the corpus of a name of the first of these people who has one; None stands for
    nobody."""
    for owner in owners:
        if owner is not None:
            found = MonolingualCorpus.objects.filter(owner=owner, name=name).first()
            if found:
                return found
    return None


def check_name(name: str) -> None:
    """Raise ValueError for a name that a command could not be given: `ngram_lm:corpus=NAME,…`."""
    if "," in name:
        raise ValueError("The name of a corpus cannot contain a comma.")


def read_corpus(corpus: MonolingualCorpus, source: Source) -> None:
    """Fill an unsaved corpus from a plain text file, one sentence a line, `.gz` too.

    Raises ImportProblem that names the row for what is no text, is too much, or holds no words.
    """
    digest, lines, size = sha256(), [], 0
    n_lines = 0
    for row, line in read_lines(source):
        text = f"{line}\n".encode()
        size += len(text)
        if size > MAX_CORPUS_BYTES:
            reason = (
                f"a corpus may have {MAX_CORPUS_BYTES // 1024**2} MB (unpacked), and this one "
                "has more. Use a part of it."
            )
            raise ImportProblem(name_of(source), row, "", reason)
        digest.update(text)
        lines.append(text)
        n_lines += bool(line.strip())
    if not n_lines:
        raise ImportProblem(name_of(source), None, "", "the file contains no text.")
    corpus.data = gzip.compress(b"".join(lines), compresslevel=6, mtime=0)
    corpus.digest = digest.hexdigest()
    corpus.n_lines = n_lines


def lines_of(corpus: MonolingualCorpus) -> Iterator[str]:
    """Yield the lines of a corpus as they were in its file."""
    yield from unpacked(bytes(corpus.data))


def unpacked(data: bytes) -> Iterator[str]:
    """Yield the lines of a corpus as it is stored."""
    yield from gzip.decompress(data).decode().split("\n")[:-1]
