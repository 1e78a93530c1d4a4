"""Outputs without segments: against all ways to cut small ones, and by the page."""

import time
from itertools import combinations_with_replacement, pairwise

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import given
from hypothesis import strategies as st

from judgments.files import ImportProblem
from judgments.models import Act, Output, Reference
from judgments.test_sets import resegmentation
from judgments.test_sets.resegmentation import cuts, set_to_segments
from tests import factory
from tests.base import CastTestCase

WORDS = st.lists(st.sampled_from("abc"), max_size=5)


def edits(one, other):
    """Levenshtein's distance as its definition says it."""
    table = np.add.outer(np.arange(len(one) + 1), np.arange(len(other) + 1))
    for i, a in enumerate(one, 1):
        for j, b in enumerate(other, 1):
            ways = (table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (a != b))
            table[i, j] = min(ways)
    return int(table[-1, -1])


def left(reference, output, ends):
    parts = [output[start:end] for start, end in pairwise([0, *ends])]
    return sum(map(edits, reference, parts))


@given(st.lists(WORDS, min_size=1, max_size=4), st.lists(st.sampled_from("abc"), max_size=6))
def test_no_other_cuts_leave_fewer_edits(reference, output):
    ends = cuts(reference, output, {at for at, word in enumerate(output) if word == "c"})
    assert ends == sorted(ends) and ends[-1] == len(output) and len(ends) == len(reference)
    places = combinations_with_replacement(range(len(output) + 1), len(reference) - 1)
    fewest = min(left(reference, output, [*each, len(output)]) for each in places)
    assert left(reference, output, ends) == fewest


def test_words_of_neither_segment_go_where_a_sentence_ends():
    reference, output = [["thank", "you"], ["so", "we"]], ["thank", "you", "um", "so", "we"]
    assert cuts(reference, output) == [3, 5]
    assert cuts(reference, output, {1}) == [2, 5]  # "you." ends one


def test_an_hour_of_speech_takes_seconds():
    """10,000 words in 500 segments, of which two thirds were understood."""
    rng = np.random.default_rng(1)
    words = rng.integers(0, 3_000, 10_000).astype(str)
    heard = [w for w in words if rng.random() > 0.1]
    output = [w if rng.random() > 0.25 else "?" for w in heard]
    reference = [list(part) for part in np.split(words, 500)]
    began = time.perf_counter()
    ends = cuts(reference, output)
    assert time.perf_counter() - began < 5
    assert len(ends) == 500
    asked = np.arange(1, 501) * len(output) / 500
    assert np.abs(np.array(ends) - asked).max() < 60


class UnsegmentedTest(CastTestCase):
    name = "systems-new"

    def post(self, text, user=None, name="late.txt", **data):
        file = SimpleUploadedFile(name, text.encode())
        data = {"systems": [file], "reference": "ref", **data}
        return self.post_as(user or self.owner, self.name, self.test_set.pk, data=data)

    def texts(self):
        rows = Output.objects.filter(system__test_set=self.test_set, system__name="late")
        return list(rows.order_by("segment__position").values_list("text", flat=True))

    def test_looked_at_first_then_stored(self):
        text = (
            "Source text number 1 stands here. Source text 2\nstands here . Well,\nsource text "
            "number 3 stood here. Source text number 4 stands here <b>.\n"
        )
        page = self.post(text)
        self.assertContains(page, "Nothing is stored yet")
        # "number" is missing, "well" is too much, "stood" is another word, two full stops are
        # missing and one has a tag before it.
        self.assertContains(page, "late: 6 edits for 28 words of the reference (21.4 %)")
        self.assertContains(page, "&lt;b&gt;")
        self.assertContains(page, "all lines one text")
        self.assertEqual(self.texts(), [])
        self.assertFalse(Act.objects.filter(act=self.name).exists())

        looked = page.context["form"]["looked"].value()
        other = self.post(text.replace("stood", "lies"), looked=looked)
        self.assertContains(other, "Nothing is stored yet")
        self.assertEqual(self.texts(), [])

        self.assertEqual(self.post(text, looked=looked).status_code, 302)
        self.assertEqual(
            self.texts(),
            [
                "Source text number 1 stands here.",
                "Source text 2 stands here .",
                "Well, source text number 3 stood here.",
                "Source text number 4 stands here <b>.",
            ],
        )
        self.assertEqual(Act.objects.filter(act=self.name).count(), 1)

    def test_a_line_for_each_document(self):
        page = self.post("Source text number 1 stands here .\nnumber 4 stands here .\n")
        self.assertContains(page, "each line a document")
        self.post("Source text number 1 stands here .\nnumber 4 stands here .\n",
                  looked=page.context["form"]["looked"].value())  # fmt: skip
        self.assertEqual(
            self.texts(),
            ["Source text number 1 stands here .", "", "", "number 4 stands here ."],
        )

    def test_a_log_of_simuleval_names_recordings(self):
        """In the order of the documents, which the recordings are called like; one in two parts."""
        log = "".join(
            f'{{"source": ["/data/doc{n}.wav"], "prediction": "{text}", "delays": []}}\n'
            for n, text in ((1, "number 4"), (0, "Source text number 1"), (1, "stands here ."))
        )
        looked = self.post(log, name="late.log").context["form"]["looked"].value()
        self.post(log, name="late.log", looked=looked)
        self.assertEqual(self.texts(), ["Source text number 1", "", "", "number 4 stands here ."])
        page = self.post('{"prediction": 3}')
        self.assertContains(page, "row 1, column prediction", status_code=422)

    def test_what_is_wrong_is_told(self):
        page = self.post("a\n", reference="other")
        self.assertContains(page, "Select a valid choice", status_code=422)
        table = SimpleUploadedFile("t.tsv", b"system\tsegment\ttext\nX\t1\ta\n")
        page = self.post_as(self.owner, self.name, self.test_set.pk,
                            data={"table": table, "reference": "ref"})  # fmt: skip
        self.assertContains(page, "name their segments", status_code=422)
        Reference.objects.filter(segment__key="3").delete()
        page = self.post("a\n")
        self.assertContains(page, "segment “3” has no reference “ref”", status_code=422)
        Reference.objects.filter(segment__test_set=self.test_set).delete()
        page = self.get_as(self.owner, self.name, self.test_set.pk)
        self.assertNotContains(page, "Without segments")

    def test_outsiders_are_told_nothing(self):
        self.assertEqual(self.post("a\n", user=self.outsider).status_code, 404)
        self.assertEqual(self.post("a\n", user=self.researcher).status_code, 403)


def chinese(references):
    test_set = factory.make_test_set(
        factory.make_user("owner"), n_segments=2, n_documents=1, target_language="zh-Hans"
    )
    for key, text in references.items():
        Reference.objects.filter(segment__key=key, segment__test_set=test_set).update(text=text)
    return test_set


@pytest.mark.django_db
def test_chinese_by_characters_but_latin_words_whole():
    test_set = chinese({"1": "我们使用 BERT 模型。", "2": "谢谢大家。"})
    file = SimpleUploadedFile("late.txt", "我们用BERT模\n型。谢谢大家\n".encode())
    (found,) = set_to_segments({"late": file}, test_set, "ref")
    assert [piece.text for piece in found.pieces] == ["我们用BERT模型。", "谢谢大家"]
    assert [piece.edits for piece in found.pieces] == [1, 1]
    assert found.n_words == 8 + 5


@pytest.mark.django_db
def test_texts_that_are_too_long_are_refused(monkeypatch):
    monkeypatch.setattr(resegmentation, "MOST_PAIRS", 13 * 11 - 1)
    test_set = chinese({"1": "我们使用 BERT 模型。", "2": "谢谢大家。"})
    file = SimpleUploadedFile("late.txt", "我们用BERT模型。谢谢大家".encode())
    with pytest.raises(ImportProblem, match="too long to be divided into segments"):
        set_to_segments({"late": file}, test_set, "ref")
