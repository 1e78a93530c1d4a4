"""JSON objects out of a file piece by piece, wherever a piece ends."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgments.exchange.releases import json_stream
from judgments.exchange.releases.records import Problems
from judgments.files.problem import ImportProblem
from judgments.files.uploads import ReleaseFile

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=4)
VALUE = st.recursive(
    st.none() | st.integers(-9, 9) | TEXT | st.sampled_from(['"', "\\", "{", "}]", "é😀"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.lists(
    st.dictionaries(TEXT, VALUE, max_size=3).map(lambda d: {"annotation": d}), min_size=1
)


def objects(path, content):
    path.write_bytes(content)
    problems = Problems()
    found = list(json_stream.objects(ReleaseFile(path.name, path), problems, ["annotation"]))
    return found, problems


@pytest.mark.proof
@given(OBJECTS, OBJECTS, st.integers(1, 9), st.booleans())
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_pieces(tmp_path, monkeypatch, some, more, size, ascii_only):
    monkeypatch.setattr(json_stream, "PIECE", size)

    def dumped(value):
        return json.dumps(value, ensure_ascii=ascii_only)

    lines = "\n".join(map(dumped, some)).encode()
    listed = dumped(some).encode()
    named = dumped({"one, {two}": some, "3": more}).encode()
    for content in (lines, listed):
        found, problems = objects(tmp_path / "a", content)
        assert not problems.n
        assert found == [(n, "", each) for n, each in enumerate(some, 1)]
    found, problems = objects(tmp_path / "a", named)
    assert not problems.n
    expected = [("one, {two}", each) for each in some] + [("3", each) for each in more]
    assert [each[1:] for each in found] == expected


@pytest.mark.parametrize("content", [b'{"a": 1', b'{"a": "', b'[{"a": 1}, {', b'{"a": 1}}'])
def test_what_ends_too_early_or_late(tmp_path, content):
    with pytest.raises(ImportProblem, match="ends within an object"):
        objects(tmp_path / "a", content)


@pytest.mark.parametrize(
    "content", [b'{"a": 1e999}', b'{"a": NaN}', b'{"a": "\\ud800"}', b'{"a": "\\u0000"}', b"{,}"]
)
def test_what_cannot_be_stored(tmp_path, content):
    found, problems = objects(tmp_path / "a", b'{"b": 1}\n' + content)
    assert len(found) == 1 and [problem.row for problem in problems.first] == [2]


def test_limits(tmp_path, monkeypatch, settings):
    monkeypatch.setattr(json_stream, "LARGEST_OBJECT", 100)
    monkeypatch.setattr(json_stream, "PIECE", 10)
    with pytest.raises(ImportProblem, match="over 16 MB"):
        objects(tmp_path / "a", json.dumps({"a": "x" * 200}).encode())
    settings.MAX_UPLOAD_BYTES = 50
    with pytest.raises(ImportProblem, match="limit of this site"):
        objects(tmp_path / "a", b'{"a": 1}\n' * 20)


def test_a_key_that_occurs_twice_is_said(tmp_path):
    found, problems = objects(tmp_path / "a", b'{"annotation": 1, "annotation": 2}\n{"b": 1}')
    assert found == [(2, "", {"b": 1})]
    assert "occurs twice" in problems.first[0].reason
