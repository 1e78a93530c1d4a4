"""Results of `benchmarks/doors.py` on files: the counts are those of the lines written here."""

import pytest

from benchmarks import doors

TABLE = """system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity
A\td\t1\t1\tr\tEins.\t<v>One</v>.\tStyle/Awkward\tMinor
A\td\t2\t2\tr\tZwei.\tTwo.\tNo-error\tNo-error
"""


@pytest.mark.django_db
def test_what_is_said_of_files(tmp_path):
    path = tmp_path / "marks.tsv"
    path.write_text(TABLE)
    found = doors.read(path)
    assert (found["formats"], found["lines"], found["n_problems"]) == (["google-mqm"], 3, 0)
    assert found["answers"] == doors.LANGUAGES
    first, *rest = doors.told(path.name, found)
    assert first.startswith("marks.tsv: google-mqm; 3 lines; ")
    assert any("2 segments, 1 system." in line for line in rest)
    assert any("2 judgments (3 observations) by 1 rater." in line for line in rest)
    path.write_text(TABLE.replace("One</v>", "One"))
    found = doors.read(path)
    assert (found["n_problems"], found["n_left_out"]) == (0, 1)
    assert any("1 rows left out, such as: marks.tsv, row 2" in x for x in doors.told("x", found))
    assert list(doors.told("x", {"failed": "killed"})) == ["x: FAILED: killed"]
