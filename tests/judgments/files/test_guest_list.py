"""Lists of people to invite."""

import io

import pytest

from judgments.files.guest_list import Guest, GuestListProblems, read_guests


def guests(text):
    file = io.BytesIO(text.encode() if isinstance(text, str) else text)
    file.name = "people.csv"
    return read_guests(file)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_list_as_spreadsheets_write_it(delimiter):
    text = f"\ufeffName{delimiter}E-Mail{delimiter}Alias\r\n"
    text += f'"Lovelace, Ada"{delimiter}ada@example.org{delimiter}swift heron\r\n\r\n'
    text += f"Grace{delimiter}{delimiter}\r\n"
    assert guests(text) == [
        Guest("Lovelace, Ada", "ada@example.org", "swift heron"),
        Guest("Grace"),
    ]


def test_every_bad_row_is_told_with_row_and_column():
    text = (
        "name,e-mail,alias\n"
        "Ada,ada@example.org,\n"
        ",b@example.org,\n"
        "Cleo,no address,\n"
        "Dora,ADA@example.org,\n"
        "Emmy,e@example.org,<b>\n"
        "Fay,f@example.org\n"
    )
    with pytest.raises(GuestListProblems) as found:
        guests(text)
    places = [(problem.row, problem.column) for problem in found.value.problems]
    assert places == [(3, "name"), (4, "e-mail"), (5, "e-mail"), (6, "alias"), (7, "")]
    assert str(found.value.problems[2]).startswith("people.csv, row 5, column e-mail: ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "name: this column is missing"),
        ("name\nAda\n", "e-mail: this column is missing"),
        ("name,e-mail,phone\nAda,,1\n", "not known here"),
        ("name,e-mail,mail\nAda,,\n", "same name"),
        ("name,e-mail\n", "no rows"),
        (b"name,e-mail\n\xff,\n", "not UTF-8"),
        ("name,e-mail\nA\0,\n", "NUL"),
        ('name,e-mail\n"Ada,\n', "not closed"),
        ("name,e-mail\n" + "A,\n" * 2_001, "at most 2,000"),
        ("name,e-mail\n" + "A" * 151 + ",\n", "longer than 150"),
        (b"x" * 1_000_001, "1,000,000 bytes"),
    ],
)
def test_what_is_no_list(text, words):
    with pytest.raises(GuestListProblems, match=words):
        guests(text)
