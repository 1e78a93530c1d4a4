"""What is wrong with a file is said with its line, column and path, all at once; nothing stays."""

import json

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgments.exchange.campaign_files.loader import Writer, create_campaign
from judgments.exchange.campaign_files.nodes import BadCampaignFile
from judgments.exchange.campaign_files.text import read_text
from judgments.models import Campaign, TestSet
from tests import factory


@pytest.fixture
def owner(db):
    user = factory.make_user("owner", is_staff=True)
    factory.make_test_set(user)
    return user


def faults_of(text, owner, **more):
    before = TestSet.objects.count()
    with pytest.raises(BadCampaignFile) as caught:
        create_campaign(text, owner, **more)
    assert not Campaign.objects.exists()
    assert TestSet.objects.count() == before
    return [str(fault) for fault in caught.value.faults]


def reading(text, name=""):
    with pytest.raises(BadCampaignFile) as caught:
        read_text(text, name)
    (fault,) = caught.value.faults
    return str(fault)


FILE = """\
name: News
texts: Small set
preset: adequacy-fluency
plan:
  seats: 0
  seed: one
  batchitems: 3
options:
  show_sorce: true
people:
  members:
    - account: nobody
      role: owner
quality_rule: {}
stauts: open
"""


def test_all_that_is_wrong_is_said_at_once_with_its_line(owner):
    assert faults_of(FILE, owner) == [
        "line 5, plan.seats: 0 is not from 1 to 100.",
        "line 6, plan.seed: “one” is not a whole number.",
        "line 7, plan.batchitems: this is not known here; did you mean “batch_items”?",
        "line 9, options.show_sorce: this is not known here; did you mean “show_source”?",
        "line 12, people.members.1.account: there is no account nobody.",
        "line 14, quality_rule: write a rule, or a threshold.",
        "line 15, stauts: this is not known here; did you mean “status”?",
    ]


def test_json_says_line_and_column_too(owner):
    text = '{\n  "name": "x",\n  "texts": "Small set",\n  "preset": "mqn"\n}'
    with pytest.raises(BadCampaignFile) as caught:
        create_campaign(text, owner)
    (fault,) = caught.value.faults
    assert (fault.line, fault.column, fault.path) == (4, 13, "preset")
    assert "did you mean “mqm”?" in fault.reason


def test_missing_keys_are_named(owner):
    assert faults_of("texts: Small set", owner) == [
        "line 1: “name” is missing.",
        "line 1: “preset” is missing.",
    ]


def test_what_the_texts_do_not_have_is_told_and_nothing_stays(owner):
    text = """\
name: News
texts:
  name: Inline
  source_language: de
  target_language: en
  rows:
    - {source: Guten Tag., "system:A": Good day.}
preset: adequacy-fluency
plan: {systems: [B]}
stopping_plan: {dimension: speed, most: 1}
status: open
"""
    found = faults_of(text, owner)
    assert found[0] == "line 9, plan.systems.1: the test set has no system B; it has A."
    assert found[1].startswith("line 10, stopping_plan.dimension: Select a valid choice.")


def test_a_row_of_texts_is_named_by_its_line(owner):
    text = """\
name: News
texts:
  name: Inline
  source_language: de
  target_language: en
  rows:
    - {source: Guten Tag., "system:A": Good day.}
    - {source: "", "system:A": Good day.}
preset: adequacy-fluency
"""
    assert faults_of(text, owner) == ["line 8, texts.rows.source: the cell is empty."]


def test_forms_and_steps_are_told_by_example(owner):
    text = """\
name: x
texts: Small set
preset: mqm
people: {invitations: [{expires: "2027-01-01T00:00Z"}]}
plan: {repeats: 0.7, references: 1.5}
"""
    assert faults_of(text, owner) == [
        "line 4, people.invitations.1.expires: “2027-01-01T00:00Z” is not written like "
        "2027-01-31T12:00.",
        "line 5, plan.repeats: 0.7 is not in steps of 0.5.",
    ]


def test_what_is_wrong_in_another_file_is_told_after_the_line_that_names_it(owner, tmp_path):
    """Or “online-A.txt, line 2” would be read as a line of that file."""
    (tmp_path / "online-A.txt").write_text("Good day.\n")
    text = "name: x\ntexts: {files: [online-A.txt]}\npreset: mqm\n"
    (found,) = faults_of(text, owner, folder=tmp_path)
    assert found.startswith("line 2, texts.files: online-A.txt: no format that the site reads")
    (found,) = faults_of(text.replace("online-A.txt", "texts"), owner, folder=tmp_path)
    assert found == "line 2, texts.files.1: there is no file texts; the files are online-A.txt."


def test_files_are_named_only_where_they_came_along(owner, tmp_path):
    text = "name: x\ntexts: {files: [../secret.tsv]}\npreset: mqm\n"
    assert faults_of(text, owner) == [
        "line 2, texts.files.1: no files came with it: name a test set, or write the rows here."
    ]
    assert faults_of(text, owner, folder=tmp_path) == [
        "line 2, texts.files.1: a file would be outside its folder."
    ]
    assert faults_of(text.replace("../", ""), owner, folder=tmp_path) == [
        "line 2, texts.files.1: there is no file secret.tsv."
    ]


def test_test_sets_of_others_are_not_there(owner):
    factory.make_test_set(factory.make_user("other"), name="Theirs")
    found = faults_of("name: x\ntexts: Theirs\npreset: mqm\n", owner)
    assert found == ["line 2, texts: there is no test set Theirs."]


def test_options_of_lines_are_told_at_their_entry(owner):
    text = """\
name: x
texts: Small set
preset: custom-errors
options:
  categories:
    - Accuracy
    - Accuracy
  weights: {minor: 1, major: 5, "minor/style": 2}
"""
    assert faults_of(text, owner) == ["line 7, options.categories.2: “Accuracy” occurs twice."]
    assert faults_of(text.replace("    - Accuracy\n    - A", "    - A"), owner) == [
        "line 7, options.weights: “minor/style”: there is no category “style”."
    ]


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(10)
)
HOSTILE = {
    "a:\n\tb: 1": "line 2: this is not YAML: the line begins with a tab; write spaces.",
    'a: "x\nb: 1\n': "line 1: this is not YAML: a quotation mark is opened here and never closed.",
    "a: [1,\nb: 1\n": "line 1: this is not YAML: after this bracket a comma or the closing bracket "
    "is missing.",
    "x: 1\na: {b: 1 c: 2}\n": "line 2: this is not YAML: after this bracket a comma or the closing "
    "bracket is missing.",
    "": "the file is empty.",
    "a: 1\na: 2": "line 2: “a” occurs twice; the first is in line 1.",
    '{"a": 1, "a": 2}': "line 1: “a” occurs twice; the first is in line 1.",
    "[" * 50: "line 1: more than 20 nested levels.",
    '{"a":' * 50: "line 1: more than 20 nested levels.",
    "- " * 5000 + "x": "line 1: more than 20 nested levels.",
    "a: &a\n  b: *a": "line 2: *a refers to nothing that ends before it.",
    "a: *b": "line 1: *b refers to nothing that ends before it.",
    "!!python/object/apply:os.system [ls]": "line 1: the tag "
    "tag:yaml.org,2002:python/object/apply:os.system "
    "is not accepted; leave it out.",
    "<<: {a: 1}\n? [a]\n: b": "line 2: a key is a text, not a list or a mapping.",
    "a: 1\n---\nb: 2": "line 3: a file describes one campaign; a second one begins here.",
    "- a": "line 1: a campaign is a mapping, such as “name: …”.",
    '{"a": "\\ud800"}': "line 1: a text contains a character that cannot be stored.",
    '{"a": "\\u0000"}': "line 1: a text contains a character that cannot be stored.",
    'a: "\\0"': "line 1: a text contains a character that cannot be stored.",
    '{"a": 1e999}': "line 1: a number is too large.",
    '{"a": NaN}': "line 1: this is not JSON: 'N' cannot begin a value.",
    '{"a": 1,}': "line 1: this is not JSON: nothing follows the comma.",
    '{"a" 1}': "line 1: this is not JSON: a colon is missing.",
    '{"a": 1} x': "line 1: this is not JSON: something follows after the end.",
    '{"a": [1 2]}': "line 1: this is not JSON: a comma or the end is missing.",
    '{"a': "line 1: this is not JSON: unterminated string starting at.",
}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_files_are_refused_in_words(text):
    assert reading(text) == HOSTILE[text]


def test_a_bomb_of_aliases_is_counted_not_unfolded():
    assert reading(BOMB).endswith("the file contains more than 200,000 values.")


def test_a_bomb_of_texts_is_told_of_not_unfolded(owner):
    """The library of schemas puts the representation of whatever is wrong into its messages."""
    text = "simulated: &a '" + "x" * 100_000 + "'\nname: [" + "*a , " * 1000 + "]\n"
    assert len(repr(read_text(text)["name"])) < 100
    assert faults_of(text, owner) == [
        "line 1: “texts” is missing.",
        "line 1: “preset” is missing.",
        "line 1, simulated: “" + "x" * 59 + "…” is not true or false.",
        "line 2, name: a list is not a text.",
    ]


def test_too_large_a_file_is_not_read():
    assert "larger than 4,000,000 bytes" in reading("a" * 4_000_001)
    assert reading(b"name: caf\xe9") == "line 1 is not UTF-8."
    assert "not YAML" in reading("a: [1")


def test_plain_words_are_those_of_json():
    node = read_text("no: text\nyes: no\nday: 2026-11-22\nn: 012\nx: 1e3\nq: '1'\nz: ~\nt: true\n")
    assert node == {
        "no": "text", "yes": "no", "day": "2026-11-22", "n": 12, "x": 1000.0, "q": "1", "z": None,
        "t": True,
    }  # fmt: skip


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.text(max_size=20)
    | st.floats(-1e6, 1e6),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=30,
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=5), st.sampled_from([None, 2, "\t"]))
def test_json_is_read_as_python_reads_it(value, indent):
    text = json.dumps(value, indent=indent)
    if "\\u0000" in text:
        return
    assert read_text(text, "a.json") == value


@settings(
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(value=st.dictionaries(st.sampled_from(
    ["name", "texts", "preset", "options", "instructions", "simulated", "materials", "people",
     "plan", "quality_rule", "stopping_plan", "status", "x"]), VALUES))  # fmt: skip
def test_no_document_is_more_than_wrong(owner, value):
    """Whatever stands where: the answer is a list of faults."""
    with pytest.raises(BadCampaignFile):
        create_campaign(json.dumps(value), owner, name="a.json")


@pytest.mark.parametrize(
    "text", ["0\x85", "a\r\nb", "\u2028x\n", "\ufeff", "a\n\n b\n\n", "|", "\t\n"]
)
def test_odd_texts_come_back_from_yaml(text):
    written = yaml.dump({"a": text}, Dumper=Writer, allow_unicode=True)
    assert read_text(written, "a.yaml") == {"a": text}
