"""Bitexts that are read, texts linked by a worker, and the stored results."""

import gzip
from datetime import timedelta
from unittest import mock

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from judgments.files import ImportProblem
from judgments.models import JobStatus, Output, Reference, Segment
from judgments.models.jobs import LOST
from metrics.lessons import bitext_files as bitexts
from metrics.lessons.baselines.concordance import LinkedSides
from metrics.lessons.baselines.consistency import term_figures
from metrics.lessons.baselines.moses import read_moses
from metrics.lessons.phrase_tables import linking
from metrics.lessons.phrase_tables import tasks as phrase_tables_tasks
from metrics.lessons.phrase_tables.page import PhrasePage
from metrics.lessons.phrase_tables.sides import current_mark, sides_of
from metrics.lessons.phrase_tables.storage import KeptTexts, from_data, to_data
from metrics.lessons.phrase_tables.words import fold_of, words_of
from metrics.models import Bitext, LinkedTexts
from tests import factory


@pytest.fixture
def owner(db):
    return factory.make_user("owner", is_staff=True)


def file(content, name="texts.tsv"):
    return SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)


def make_bitext(owner, content="das Haus\tthe house\ndas Buch\tthe book\nein Buch\ta book\n"):
    bitext = Bitext(owner=owner, name="Two", source_language="de", target_language="en")
    bitexts.read_bitext(bitext, file(content), None)
    bitext.save()
    return bitext


def link(owner_of_texts):
    linked = linking.ask(owner_of_texts)
    assert phrase_tables_tasks.run_linking.call(linked.pk)
    return LinkedTexts.objects.get(pk=linked.pk)


def test_a_table_and_two_files_are_the_same_bitext():
    one, two = Bitext(), Bitext()
    bitexts.read_bitext(one, file("eins\tone\n\t\nzwei, 2\ttwo \n"), None)
    packed = file(gzip.compress(b"one\n\ntwo \n"), "en.txt.gz")
    bitexts.read_bitext(two, file("eins\n\nzwei, 2\n", "de.txt"), packed)
    assert bitexts.texts_of(one) == bitexts.texts_of(two) == (["eins", "zwei, 2"], ["one", "two "])
    assert one.digest == two.digest and one.n_pairs == 2


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("eins\tone\nzwei\n", None, "texts.tsv, row 2: the line has 0 tabs; it needs one"),
        ("eins\tone\tuno\n", None, "row 1: the line has 2 tabs"),
        ("eins\nzwei\n", "one\n", "en.txt: the file has 1 lines and texts.tsv 2"),
        ("\n", "one\n", "no line has a text and its translation"),
        ("eins\n", b"one \xff\n", "en.txt, row 1"),
        ("eins\n" * 600, "o" * 2000 + "\n" + "one\n" * 599, "row 1: a bitext may have 0 MB"),
    ],
)
def test_what_is_no_bitext_is_refused(first, second, said, monkeypatch):
    monkeypatch.setattr(bitexts, "MAX_BITEXT_BYTES", 1000)
    bitext = Bitext()
    with pytest.raises(ImportProblem) as problem:
        bitexts.read_bitext(bitext, file(first), file(second, "en.txt") if second else None)
    assert said in str(problem.value)
    assert not bitext.data


def test_a_bitext_is_linked_and_its_table_kept(owner):
    linked = link(make_bitext(owner))
    assert (linked.status, linked.n_segments, linked.n_cut) == (JobStatus.DONE, 3, 0)
    assert [(side.name, side.kind) for side in sides_of(linked)] == [("Two", "bitext")]
    table = read_moses(gzip.decompress(linked.moses).decode().splitlines())
    [house] = table.translations(["Haus"])
    assert (house.target, house.alignment, house.joint_count) == (("house",), ((0, 0),), 1)
    kept = from_data(linked.data)
    assert kept.sides.source.segment(2) == ["ein", "Buch"]
    assert linked.texts_mark == current_mark(linked)


def test_a_test_set_is_linked_side_by_side(owner):
    test_set = factory.make_test_set(owner)
    # The same under another name, and a reference among the systems.
    copied = test_set.systems.get(name="System-C")
    for reference in Reference.objects.filter(segment__test_set=test_set):
        Output.objects.filter(system=copied, segment=reference.segment).update(text=reference.text)
    missing = Output.objects.filter(system__name="System-B").first()
    missing.delete()
    linked = link(test_set)
    names = [("System-A", "system"), ("System-B", "system"), ("ref", "reference")]
    assert [(side.name, side.kind) for side in sides_of(linked)] == names
    sides = from_data(linked.data).sides
    assert len(sides.target.lengths) == 3 * 4
    assert sides.target.segment(4) == [] and sides.target.segment(8)[0] == "Source"
    assert linked.texts_mark == current_mark(linked)
    Segment.objects.filter(test_set=test_set, position=1).update(source="Anders")
    assert linked.texts_mark != current_mark(linked)
    again = link(test_set)
    assert again.pk == linked.pk and again.texts_mark == current_mark(again)


def test_what_is_under_way_is_not_asked_for_twice(owner):
    bitext = make_bitext(owner)
    assert phrase_tables_tasks.enqueue_linking(bitext)
    assert not phrase_tables_tasks.enqueue_linking(bitext)
    assert (
        DBTaskResult.objects.filter(task_path=phrase_tables_tasks.run_linking.module_path).count()
        == 1
    )
    # A worker that was lost long ago holds nobody up.
    long_ago = timezone.now() - LOST - timedelta(seconds=1)
    LinkedTexts.objects.update(status=JobStatus.RUNNING, moved_at=long_ago)
    assert phrase_tables_tasks.enqueue_linking(bitext)
    [linked] = LinkedTexts.objects.all()
    assert linked.status == JobStatus.QUEUED
    assert phrase_tables_tasks.run_linking.call(linked.pk)
    assert not phrase_tables_tasks.run_linking.call(
        linked.pk
    )  # the second task of the two finds it done
    bitext.delete()
    assert not phrase_tables_tasks.run_linking.call(linked.pk)


def test_progress_is_said(owner):
    linked = linking.ask(factory.make_test_set(owner))
    seen = []
    moved = linking._moved

    def noted(row, done, total):
        moved(row, done, total)
        seen.append(LinkedTexts.objects.values_list("status", "done", "total").get(pk=row.pk))

    with mock.patch.object(linking, "_moved", noted):
        linking.work_on(linked.pk)
    assert seen == [(JobStatus.RUNNING, step, 6) for step in range(6)]


def test_a_failure_is_said_and_leaves_what_was_linked(owner):
    bitext = make_bitext(owner)
    before = bytes(link(bitext).data)
    with mock.patch.object(linking, "train_aligner", side_effect=MemoryError("too much")):
        linked = link(bitext)
    assert (linked.status, linked.message) == (JobStatus.FAILED, "MemoryError: too much")
    assert bytes(linked.data) == before


def test_linked_texts_are_of_one_thing(owner):
    both = {"test_set": factory.make_test_set(owner), "bitext": make_bitext(owner)}
    with pytest.raises(IntegrityError):
        LinkedTexts.objects.create(moved_at=timezone.now(), **both)


def test_what_is_kept_comes_back():
    sources = [["ein", "Haus"], [], ["Haus", "我"]]
    sides = [[["a", "house"], [], ["house", "é"]], [[], ["x"], ["homes"]]]
    links = [[((0, 0), (1, 1)), (), ((0, 0), (1, 1))], [(), (), ((0, 0),)]]
    texts = LinkedSides.of(sources, sides, links)
    before = KeptTexts(texts, term_figures(texts, [0, 0, 1], fold_of("en")))
    after = from_data(to_data(before))
    for name in ("source", "target"):
        one, two = getattr(before.sides, name), getattr(after.sides, name)
        assert one.words == two.words
        assert (one.ids == two.ids).all() and (one.lengths == two.lengths).all()
    assert after.sides.bitext_of(1) == (sources, sides[1], [list(each) for each in links[1]])
    for name, values in vars(before.figures).items():
        np.testing.assert_array_equal(values, getattr(after.figures, name))
    empty = LinkedSides.of([[]], [[[]]], [[()]])
    kept = from_data(to_data(KeptTexts(empty, term_figures(empty, [0], fold_of("en")))))
    assert kept.sides.target.words == [] and len(kept.figures.starts) == 0


def test_words_that_are_cut_otherwise_alone_are_found_as_they_stand(owner):
    linked = link(make_bitext(owner))
    page = PhrasePage(linked, ("de", "en"), {"q": "ein Buch"})
    with mock.patch("metrics.lessons.phrase_tables.page.words_of", return_value=[["ei", "nBuch"]]):
        assert page.phrase == ["ein", "Buch"]
    assert [row.text for row in page.renderings] == ["a book"]


def test_words_by_language():
    assert words_of(["Er sagt: „ja“.", ""], "de")[0][-1] == "."
    assert words_of(["你好 world"], "zh") == [["你", "好", "world"]]
    assert fold_of("de-AT")(["Hauses", "HAUS"]) == ["haus", "haus"]
    assert fold_of("zh")(["OK"]) == ["ok"]
