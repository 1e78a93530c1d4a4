"""Files for the tests of formats and imports."""

import gzip
import io
from pathlib import Path

import pytest

from judgments.files import ImportProblem


def upload(name: str, content: bytes) -> io.BytesIO:
    """Bytes with a name, as a browser sends them."""
    file = io.BytesIO(content)
    file.name = name
    return file


def packed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def written(path: Path, *lines: str) -> Path:
    """A UTF-8 file of these lines."""
    path.write_bytes("".join(line + "\n" for line in lines).encode())
    return path


def problem_of(function, *args) -> ImportProblem:
    """The ImportProblem that using up `function(*args)` raises."""
    with pytest.raises(ImportProblem) as caught:
        list(function(*args))
    return caught.value
