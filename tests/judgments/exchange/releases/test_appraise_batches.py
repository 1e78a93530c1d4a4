"""Appraise's batches, manifests and tutorials become draft campaigns, and go out again."""

import gzip
import json
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.exchange.releases import from_database, registry, writing
from judgments.exchange.releases.appraise_batches import AppraiseBatches
from judgments.exchange.releases.instructions import markdown_of
from judgments.exchange.releases.records import PlannedItem, PlanPart, Problems, Release, TextsPart
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import Folder, opened
from judgments.models import Item, Practice, Status, Task
from tests import factory
from tests.shared import shared_data

FOLDER = ("10_as_released", "appraise")


def released(*paths, answers=None):
    with opened(paths) as files:
        problems = Problems()
        release = registry.read(files, answers or {}, problems)
        assert not problems.n, problems.first
        return release


def real(*names):
    return [shared_data(*FOLDER, name) for name in names]


def content(release):
    """What people will see: texts, batches and tutorial of each plan."""
    texts = {part.key: part for part in release.texts}
    return [
        (
            plan.preset,
            plan.seats,
            list(plan.batches()),
            list(plan.practice),
            (texts[plan.texts].source_language, texts[plan.texts].target_language),
            [
                (s.key, s.document, s.source, sorted(s.outputs.items()))
                for s in texts[plan.texts].segments()
            ],
        )
        for plan in release.plans
    ]


def written(release):
    problems = Problems()
    found = writing.write(release, factory.make_user("organizer"), problems)
    assert not problems.n, problems.first
    return [campaign for campaign, _ in found.campaigns]


def raw(name):
    with gzip.open(shared_data(*FOLDER, name), "rt", encoding="utf-8") as lines:
        return json.load(lines)


def test_esa_batches_with_their_manifest():
    release = released(*real("MQM+ESA.batches_esa.json.gz", "MQM+ESA.manifest_esa.json.gz"))
    (plan,) = release.plans
    assert (plan.name, plan.preset, plan.seats) == ("example15esa", "esa", 2)
    batches = list(plan.batches())
    assert [len(batch) for batch in batches] == [94, 94]
    assert len(plan.practice) == 6
    assert plan.practice[4]["expected"]["output1-spans"] == [
        {"severity": "major", "side": "missing"}
    ]
    assert plan.practice[3]["expected"]["output1-esa"] == {"from": 60, "to": 80}
    assert "**[MISSING]**".replace("[", r"\[").replace("]", r"\]") in plan.practice[4]["feedback"]
    (texts,) = release.texts
    assert (texts.source_language, texts.target_language) == ("en", "de")
    segments = {segment.key: segment for segment in texts.segments()}
    # The same text under the same name as in the file, for every item.
    given = [i for b in raw("MQM+ESA.batches_esa.json.gz") for i in b["items"] if not i["mqm"]]
    planned = [item for batch in batches for item in batch]
    assert len(given) == len(planned) == 188
    for item, plan_item in zip(given, planned, strict=True):
        segment = segments[plan_item.segment]
        assert segment.source == item["sourceText"]
        (system,) = plan_item.outputs
        assert segment.outputs[system] == item["targetText"]
        assert int(segment.key) == item["itemID"]
        assert plan_item.kind == {"TGT": "regular", "BAD": "degraded"}[item["itemType"]]
        damaged = " (damaged)" if item["itemType"] == "BAD" else ""
        assert system == item["targetID"] + damaged


def test_the_same_batches_for_mqm():
    release = released(*real("MQM+ESA.batches_mqm.json.gz"))
    (question,) = release.questions
    assert question.default == "mqm-core"
    (plan,) = release.plans
    assert plan.preset == "mqm-core"
    assert "output1-esa" not in plan.practice[0]["expected"]
    (as_esa,) = released(*real("MQM+ESA.batches_mqm.json.gz"), answers={question.name: "esa"}).plans
    assert as_esa.preset == "esa"


def test_pairs():
    """Targets of a+b are shown once, for both systems."""
    release = released(*real("Pairwise.batches.json.gz", "Pairwise.manifest.json.gz"))
    (plan,) = release.plans
    assert (plan.preset, plan.seats) == ("contrastive-da", 1)
    (batch,) = plan.batches()
    (given,) = raw("Pairwise.batches.json.gz")
    segments = {segment.key: segment for segment in release.texts[0].segments()}
    assert Counter(item.kind for item in batch) == {
        "regular": 80, "degraded": 10, "reference": 5, "repeat": 5,
    }  # fmt: skip
    for item, planned in zip(given["items"], batch, strict=True):
        segment = segments[planned.segment]
        shown = list(dict.fromkeys(segment.outputs[system] for system in planned.outputs))
        assert shown == list(dict.fromkeys(t["targetText"] for t in item["targets"]))
        systems = [name for t in item["targets"] for name in t["targetID"].split("+")]
        assert len(planned.outputs) == len(systems)
    names = {system for segment in segments.values() for system in segment.outputs}
    assert {"ref", "Microsoft-WMT19-document-level"} <= names


def test_documents():
    release = released(*real("Document.batches.json.gz"))
    (batch,) = release.plans[0].batches()
    assert len(batch) == 100
    assert release.plans[0].options == {"context": "document"}
    assert "9 questions about whole documents" in release.notes[0]
    segments = list(release.texts[0].segments())
    (given,) = raw("Document.batches.json.gz")
    items = [item for item in given["items"] if not item["isCompleteDocument"]]
    assert len(segments) == len({(i["documentID"], i["itemID"]) for i in items})
    by_key = {segment.key: segment for segment in segments}
    for item, planned in zip(items, batch, strict=True):
        assert planned.segment == f"{item['documentID']}:{item['itemID'] + 1}"
        assert by_key[planned.segment].outputs[planned.outputs[0]] == item["targetText"]


def test_documents_that_are_rated_after_their_segments(tmp_path):
    """Direct assessment with ticks asks about each document with its last segment."""
    files = real("Document.batches.json.gz")
    (question,) = released(*files).questions
    assert "da-sqm-document" in dict(question.choices)
    release = released(*files, answers={question.name: "da-sqm-document"})
    assert not release.notes
    (plan,) = release.plans
    (batch,) = plan.batches()
    assert sum(item.asks_document for item in batch) == 9
    AppraiseBatches().write(release, Folder(tmp_path))
    # Out, and in again by the manifest and the questions about documents.
    again = released(tmp_path)
    assert again.plans[0].preset == "da-sqm-document"
    assert list(again.plans[0].batches()) == [batch]
    (given,) = json.loads(next(tmp_path.glob("*.batches.json")).read_text())
    assert sum(item["isCompleteDocument"] for item in given["items"]) == 9


FILES = [
    ("MQM+ESA.batches_esa.json.gz", "MQM+ESA.manifest_esa.json.gz"),
    ("MQM+ESA.batches_mqm.json.gz",),
    ("Pairwise.batches.json.gz", "Pairwise.manifest.json.gz"),
    ("Document.batches.json.gz",),
    ("DataSQM.manifest.json.gz",),
    ("tutorial.de-en.esa.json",),
]


@pytest.mark.parametrize("names", FILES)
@pytest.mark.django_db
def test_in_and_out_of_the_database(names, tmp_path):
    release = released(*real(*names))
    (campaign,) = written(release)
    assert campaign.status == Status.DRAFT
    ((_preset, seats, batches, practice, *_),) = content(release)
    tasks = Task.objects.filter(campaign=campaign)
    assert tasks.count() == seats * len(batches)
    assert Item.objects.filter(task__in=tasks).count() == seats * sum(map(len, batches))
    assert Practice.objects.filter(campaign=campaign).count() == len(practice)
    outgoing = from_database.release_of([campaign])
    assert AppraiseBatches().may_write(outgoing) == ""
    AppraiseBatches().write(outgoing, Folder(tmp_path / "out"))
    if not batches:
        return
    again = released(tmp_path / "out")
    assert content(again) == content(release)


# ---- Everything that can be planned ----------------------------------------------------------

TEXT = st.text(
    st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=9
).filter(lambda text: text.strip())


@st.composite
def plans(draw):
    n = draw(st.integers(1, 6))
    segments = []
    for i in range(n):
        outputs = {s: draw(TEXT) for s in ("A", "B", "B-2")}
        damaged = draw(TEXT.filter(lambda text, a=outputs["A"]: text != a))
        texts = outputs | {"A (damaged)": damaged}
        segments.append(
            SegmentTexts("", i + 1, str(i + 5), f"doc{i // 2}", f"{i} {draw(TEXT)}", {}, texts)
        )
    kinds = {"A": "regular", "B": "reference", "B-2": "repeat", "A (damaged)": "degraded"}
    item = st.tuples(st.sampled_from(segments), st.sampled_from(sorted(kinds)))
    batches = [
        [PlannedItem(s.key, (system,), kinds[system]) for s, system in batch]
        for batch in draw(st.lists(st.lists(item, min_size=1, max_size=6), min_size=1, max_size=3))
    ]
    return segments, batches, draw(st.integers(1, 4))


@settings(deadline=None, max_examples=40)
@given(plans())
def test_out_and_in_again(plan):
    segments, batches, seats = plan
    release = Release(
        [TextsPart("1", "texts", "en", "de", lambda: iter(segments))],
        plans=[PlanPart("a plan", "1", "esa", lambda: batches, seats)],
    )
    with tempfile.TemporaryDirectory() as folder:
        AppraiseBatches().write(release, Folder(Path(folder)))
        again = released(Path(folder))
    (preset, n, found, *_, texts) = content(again)[0]
    assert (preset, n, found) == ("esa", seats, batches)
    shown = {(item.segment, system) for b in batches for item in b for system in item.outputs}
    given_texts = {
        (s.key, s.document, s.source, system, text)
        for s in segments
        for system, text in s.outputs.items()
        if (s.key, system) in shown
    }
    assert given_texts == {
        (key, document, source, system, text)
        for key, document, source, outputs in texts
        for system, text in outputs
    }


def test_a_tutorial_beside_other_files():
    """It is added to batches that mark errors and have no tutorial, else it is separate."""
    alone = released(*real("tutorial.de-en.esa.json", "MQM+ESA.batches_esa.json.gz"))
    assert [(plan.name, len(plan.practice)) for plan in alone.plans] == [
        ("MQM+ESA.batches_esa", 6),
        ("tutorial.de-en.esa", 6),
    ]
    (empty,) = released(*real("tutorial.de-en.esa.json", "DataSQM.manifest.json.gz")).plans
    assert (empty.name, len(empty.practice)) == ("example8datasqm", 6)


def test_html_becomes_markdown():
    assert markdown_of('The word <u>"Hund" (dog)</u> is *not* there.<br>Mark <b>[MISSING]</b>') == (
        'The word **"Hund" (dog)** is \\*not\\* there.\n\nMark **\\[MISSING\\]**'
    )
    assert markdown_of("<script>alert(1)</script><a href='javascript:x'>go</a>") == "go"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda b: b[0]["items"][9].pop("targetText"), "there is no targetText"),
        (lambda b: b[0]["items"][9].update(itemType="X"), "is not a type of item"),
        (lambda b: b[0]["items"][9].update(itemID=None), "its itemID is not a number"),
        (lambda b: b[0]["items"][9].update(sourceText="\0"), "sourceText is not a text"),
        (lambda b: b[0]["items"].__setitem__(9, 7), "it is not an object"),
    ],
)
def test_items_that_will_not_do(change, words, tmp_path):
    batches = raw("MQM+ESA.batches_esa.json.gz")
    change(batches)
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(batches), "utf-8")
    problems = Problems()
    with opened([path]) as files:
        registry.read(files, {}, problems)
    (problem,) = problems.first
    assert (problem.row, problem.column) == (1, "item 10")
    assert words in problem.reason


# ---- The forms of Appraise's own examples (github.com/AppraiseDev/Appraise, Examples) ------------


def manifest(**more):
    return {
        "CAMPAIGN_NAME": "c",
        "REDUNDANCY": 1,
        "TASKS_TO_ANNOTATORS": [["eng", "deu", "uniform", 1, 1]],
        **more,
    }


def batch(source="eng", target="deu", **item):
    items = [{"itemID": 1, "itemType": "TGT", "sourceText": "one", **item}]
    return [{"items": items, "task": {"sourceLanguage": source, "targetLanguage": target}}]


ONE = {"targetID": "A", "targetText": "eins"}
TWO = {"targets": [ONE, {"targetID": "B", "targetText": "1"}]}


def laid(folder, **files):
    for name, value in files.items():
        (folder / f"{name}.json").write_text(json.dumps(value))
    return sorted(folder.iterdir())


@pytest.mark.parametrize(
    ("given", "items", "preset"),
    [
        (manifest(), ONE, "direct-assessment"),  # ToyDA, DocLevelDA: no type of task
        (manifest(), TWO, "contrastive-da"),  # ToyPairwiseDA
        (manifest(TASK_TYPE="PairwiseDocumentESA"), TWO, "contrastive-esa"),  # PairwiseDocESA
        (manifest(TASK_TYPE="ContrastiveDocument", TASK_OPTIONS="SQM"), TWO, "contrastive-da"),
    ],
)
def test_manifests_of_the_examples(tmp_path, given, items, preset):
    release = released(*laid(tmp_path, manifest=given, batches=batch(**items)))
    assert [(plan.name, plan.preset) for plan in release.plans] == [("c", preset)]
    alone = released(*laid(tmp_path, manifest=given)[1:])
    expected = preset if "TASK_TYPE" in given else "direct-assessment"
    assert [plan.preset for plan in alone.plans] == [expected]


def test_one_manifest_of_two_directions(tmp_path):
    """As in SignLT; the further questions of its options are stated."""
    given = manifest(TASK_TYPE="Document", TASK_OPTIONS="SQM;WMT22SignLT")
    given["TASKS_TO_ANNOTATORS"].append(["deu", "eng", "uniform", 1, 1])
    there, back = batch(**ONE), batch("deu", "eng", **ONE)
    release = released(*laid(tmp_path, manifest=given, there=there, back=back))
    assert {(plan.name, plan.preset) for plan in release.plans} == {
        ("c eng-deu", "da-sqm"),
        ("c deu-eng", "da-sqm"),
    }
    assert release.notes == ["manifest.json: options that the site does not have: WMT22SignLT."]


def test_what_a_zip_repeats_counts_once(tmp_path):
    files = laid(tmp_path, manifest=manifest(TASK_TYPE="Direct"), batches=batch(**ONE))
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as packed:
        for file in files:
            packed.write(file, f"c/{file.name}")
    release = released(tmp_path / "all.zip", *files)
    assert [(plan.name, len(list(plan.batches()))) for plan in release.plans] == [("c", 1)]
    assert release.notes == [
        "batches.json occurs twice, and counts once.",
        "manifest.json occurs twice, and counts once.",
    ]
    assert not release.questions
