"""Plain text: line ends, encodings, limits, gzip. Oracles: Python's own codecs and gzip module."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.files.lines import MAX_LINE_BYTES, read_lines, stem_of
from tests.written_files import write_lines

from .files import packed, problem_of, upload

# Everything a text may hold: no line feed, no NUL, no half of a surrogate pair; a carriage return
# at the end would belong to the line end.
texts = st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"])).filter(
    lambda text: not text.endswith("\r")
)


def texts_of(content: bytes, name: str = "a.txt") -> list[str]:
    return [text for _, text in read_lines(upload(name, content))]


@given(st.lists(texts.filter(lambda text: not text.startswith("\ufeff")), min_size=1))
def test_lines_come_back_as_they_were_encoded(lines):
    assert texts_of("".join(line + "\n" for line in lines).encode()) == lines
    assert texts_of("\r\n".join(lines).encode() + b"\r\n") == lines


def test_only_a_line_feed_ends_a_line():
    """U+2028, U+0085, the vertical tab and the form feed occur inside texts."""
    line = "a\u2028b\x85c\x0bd\x0ce\rf"
    assert texts_of((line + "\nx\n").encode()) == [line, "x"]


def test_rows_are_counted_from_one_and_the_last_line_may_lack_its_end():
    assert list(read_lines(upload("a.txt", b"x\ny"))) == [(1, "x"), (2, "y")]
    assert list(read_lines(upload("a.txt", b""))) == []
    assert list(read_lines(upload("a.txt", b"\n"))) == [(1, "")]


def test_a_byte_order_mark_is_skipped_at_the_start_alone():
    assert texts_of(b"\xef\xbb\xbfx\n\xef\xbb\xbfy\n") == ["x", "\ufeffy"]


def test_gz_is_unpacked_by_its_name(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(packed("ä\nб\n".encode()))
    assert [text for _, text in read_lines(path)] == ["ä", "б"]
    assert texts_of(packed(b"x\n"), "b.GZ".lower()) == ["x"]


@pytest.mark.parametrize("line", [b"gr\xfcn", b"\xed\xa0\x80", b"\xc0\xaf", b"\xff\xfeh\x00"])
def test_bytes_that_are_not_utf8_are_refused_with_their_place(line):
    """Latin-1, an encoded surrogate, an overlong form, UTF-16."""
    problem = problem_of(read_lines, upload("a.txt", b"fine\n" + line + b"\n"))
    assert (problem.file, problem.row) == ("a.txt", 2)
    with pytest.raises(UnicodeDecodeError) as oracle:
        line.decode("utf-8")
    assert f"byte {oracle.value.start + 1} of the line" in problem.reason
    assert "UTF-8" in problem.reason


def test_a_nul_is_refused():
    problem = problem_of(read_lines, upload("a.txt", b"a\0b\n"))
    assert (problem.row, "NUL" in problem.reason) == (1, True)


def test_a_file_that_is_not_there_is_named(tmp_path):
    problem = problem_of(read_lines, tmp_path / "nowhere.txt")
    assert str(problem) == "nowhere.txt: cannot be opened: No such file or directory."


def test_gz_that_is_not_gzip_is_refused():
    problem = problem_of(read_lines, upload("a.txt.gz", b"plain text\n"))
    assert "not a whole gzip file" in problem.reason


def test_gzip_that_was_cut_or_damaged_is_refused():
    whole = packed(b"".join(b"%d\n" % i for i in range(10_000)))
    assert "ends too early" in problem_of(read_lines, upload("a.gz", whole[:-2000])).reason
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 0xFF
    assert "gzip" in problem_of(read_lines, upload("a.gz", bytes(damaged))).reason


def test_a_line_without_end_is_refused_and_the_longest_line_is_not():
    assert len(texts_of(b"x" * (MAX_LINE_BYTES - 1) + b"\n")[0]) == MAX_LINE_BYTES - 1
    problem = problem_of(read_lines, upload("a.txt", b"ok\n" + b"x" * (MAX_LINE_BYTES + 1)))
    assert (problem.row, "longer than 1,000,000 bytes" in problem.reason) == (2, True)


def test_what_a_small_gzip_file_unpacks_to_is_limited(settings):
    settings.MAX_UPLOAD_BYTES = 1024 * 1024
    bomb = packed((b"x" * 999 + b"\n") * 5_000)
    assert len(bomb) < 50_000
    problem = problem_of(read_lines, upload("bomb.txt.gz", bomb))
    assert problem.row == 1049  # 1,048 lines of 1,000 bytes fit into 1,048,576
    assert "larger than 1 MB (unpacked)" in problem.reason


def test_names_come_from_file_names(tmp_path):
    assert stem_of(tmp_path / "online-A.0.de-en.txt.gz") == "online-A.0.de-en"
    assert stem_of(upload("out.de", b"")) == "out.de"


def test_writing_keeps_one_text_a_line(tmp_path):
    write_lines(tmp_path / "a.txt.gz", ["a\nb", "ü\r"])
    assert gzip.decompress((tmp_path / "a.txt.gz").read_bytes()) == "a b\nü \n".encode()
