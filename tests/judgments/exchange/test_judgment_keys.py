"""A file that an earlier version of the site imported is known again: its keys stay as they were.

The keys are made of numbers of rows in the database, so everything here has fixed ones.
"""

import pytest

from judgments.exchange.judgments.importer import import_judgments
from judgments.files import ImportProblem
from judgments.models import Campaign, Document, Judgment, Output, Segment, System, TestSet
from judgments.protocols import preset_named
from tests import factory

from ..files.files import upload

pytestmark = pytest.mark.django_db

FIRST = 9_000_000  # above the numbers that the database gives
RATINGS = "annotator\tsegment\tsystem\tdimension\tvalue"
RANKS = "ranking\tannotator\tsegment\tsystem\trank"
PAIRS = "annotator\tsegment\tsystem_a\tsystem_b\tpreference"
ERRORS = "annotator\tsegment\tsystem\tseverity\tcategory\tside\tstart\tend\ttext"
TIMES = "2026-01-02T10:00:00Z\t2026-01-02T11:01:00.5+01:00\t30.5"

# Name: (preset, options above the preset's, rows of the file).
FILES = {
    "ratings of several outputs without items": (
        "adequacy-fluency",
        {},
        [
            RATINGS,
            "Ann B.\t2\tSystem-B\tadequacy\t4",
            "zoë\t2\tSystem-B\tadequacy\t3",
            "Ann B.\t2\tSystem-A\tadequacy\t2",
            "Ann B.\t1\tSystem-A\tadequacy\t2",
            "Ann B.\t2\tSystem-A\tfluency\t5.0",
        ],
    ),
    "ratings with items, kinds, copies and times": (
        "adequacy-fluency",
        {},
        [
            f"{RATINGS}\titem\tkind\tcopied\tstarted\tsubmitted\tseconds",
            f"a\t1\tSystem-A\tadequacy\t4\t1\tregular\t\t{TIMES}",
            "a\t1\tSystem-B\tadequacy\t4\t1\tregular\tyes\t\t\t",
            "a\t1\tSystem-A\tadequacy\t4\t2\trepeat\tno\t\t\t0",
            "a\t1\tSystem-A\tadequacy\t4\t\trepeat\tno\t\t\t0",
            "b\t1\tSystem-A\tadequacy\t4\t1\t\t\t\t\t",
        ],
    ),
    "ratings with a control among others": (
        "adequacy-fluency",
        {},
        [
            f"{RATINGS}\titem\tkind",
            "a\t1\tSystem-A\tadequacy\t1\tx\tdegraded",
            "a\t1\tSystem-B\tadequacy\t4\tx\tregular",
            "a\t1\tSystem-C\tadequacy\t4\tx\tregular",
            "a\t2\tSystem-A\tadequacy\t4\ty\trepeat",
            "a\t2\tSystem-B\tadequacy\t4\ty\trepeat",
            "a\t2\tSystem-C\tadequacy\t1\ty\tcheck",
        ],
    ),
    "ratings of one output at a time": (
        "direct-assessment",
        {},
        [
            f"{RATINGS}\tkind",
            "a\t1\tSystem-A\tda\t40\t",
            "a\t1\tSystem-B\tda\t4e1\t",
            "a\t1\tSystem-A\tda\t41\trepeat",
        ],
    ),
    "passes": (
        "adequacy-fluency",
        {"separate_passes": True},
        [
            f"{RATINGS}\titem",
            "a\t1\tSystem-A\tadequacy\t4\t",
            "a\t1\tSystem-B\tadequacy\t4\t",
            "a\t1\tSystem-A\tfluency\t4\t",
            "a\t2\tSystem-A\tadequacy\t4\t1",
            "a\t2\tSystem-A\tfluency\t4\t1",
        ],
    ),
    "ranks": (
        "relative-ranking",
        {},
        [
            f"{RANKS}\tkind\tcopied",
            "r1\ta\t1\tSystem-C\t2\t\t",
            "r1\ta\t1\tSystem-A\t1\t\tyes",
            "r2\tb\t1\tSystem-C\t2\trepeat\t",
            "r2\tb\t1\tSystem-A\t1\trepeat\t",
            "r2\tb\t1\tSystem-B\t1\trepeat\t",
        ],
    ),
    "preferences": (
        "pairwise",
        {},
        [
            f"{PAIRS}\tstrength\titem\tkind\tcontrol",
            "a\t1\tSystem-B\tSystem-A\t1\t2\t\t\t",
            "a\t1\tSystem-A\tSystem-C\t-1\t\t\t\t",
            "a\t1\tSystem-B\tSystem-A\t0\t\t7\t\t",
            "a\t1\tSystem-B\tSystem-A\t+1\t1\t8\tdegraded\tSystem-A",
            "a\t2\tSystem-B\tSystem-A\t1\t1\t\treference\t",
        ],
    ),
    "errors": (
        "mqm",
        {},
        [
            ERRORS,
            "a\t1\tSystem-A\tmajor\tAccuracy/Omission\ttarget\t0\t6\tSource",
            "a\t1\tSystem-A\tMinor\tfluency/punctuation\t\t\t\tnumber",
            "a\t1\tSystem-A\tneutral\tOther\tsource\t0\t9\t",
            "a\t1\tSystem-B\tmajor\tNon-translation\t\t0\t20\t",
            "b\t2\tSystem-A\t\t\t\t\t\t",
        ],
    ),
    "errors with scores, items and what was shown": (
        "esa",
        {"outputs_per_item": 3},
        [
            f"{ERRORS}\tscore\titem\tkind\tcopied\tshown\tprovenance",
            "a\t1\tSystem-A\tmajor\t\ttarget\t0\t6\t\t40\t1\t\t\t\t",
            "a\t1\tSystem-A\tminor\t\tmissing\t\t\t\t\t1\t\t\t\t",
            "a\t1\tSystem-A\tminor\t\ttarget\t9\t12\t\t\t1\t\t\t\tdeleted",
            "a\t1\tSystem-B\t\t\t\t\t\t\t90\t1\t\tyes\t\t",
            "a\t1\tSystem-C\tminor\t\ttarget\t\t\tdamaged\t12\t1\tdegraded\t\tA damaged text.\t",
            "a\t2\tSystem-C\t\t\t\t\t\t\t\t\t\t\t\t",
        ],
    ),
    "errors of a release": (
        "released-errors",
        {
            "weights": {"minor": 1, "critical": 10, "non-translation": 25},
            "categories": ["Accuracy/Omission", "Non-translation!"],
        },
        [
            ERRORS,
            "a\t1\tSystem-A\tCritical\tAccuracy/Omission\ttarget\t4\t4\t",
            "a\t1\tSystem-B\tNon-translation\tNon-translation!\ttarget\t0\t6\t",
        ],
    ),
    "scores of errors": (
        "esa",
        {},
        [RATINGS, "a\t1\tSystem-A\tesa\t40", "a\t1\tSystem-A\tesa_spans\t-5"],
    ),
}
# Of their judgments, as the site made them in November 2026.
KEYS = {
    "ratings of several outputs without items": [
        "3adceb80-09af-5a50-ab38-7142c9757561",
        "f69a4a18-cf5f-5b60-863b-58923fad4948",
        "a6058255-930c-52bf-98aa-af57f07e1f46",
    ],
    "ratings with items, kinds, copies and times": [
        "e8d70755-4e20-5e10-9373-c61e16ae5c8f",
        "9651ea5c-aa65-52c0-b1cc-b9718beccb4b",
        "87846744-f6f4-585a-8e3f-4b2378235b38",
        "004497c5-935f-5055-8904-a8cf552fa781",
    ],
    "ratings with a control among others": [
        "7d68d7a1-70e1-5c8f-9293-45bc415bd13d",
        "d2565751-a3d6-521a-9a39-fbc72ba0fa44",
    ],
    "ratings of one output at a time": [
        "3f557c69-6676-52fd-b84c-75edccf5753b",
        "8b219eb9-bb05-5610-b071-3ecec2dfa773",
        "1a8d75da-9892-500b-8cd0-820fb1c27741",
    ],
    "passes": [
        "5f2ecd1f-e0d8-55b3-a1bf-065d14e503f6",
        "6c355169-cee4-5318-9d33-90c3c6a2429e",
        "45c7eeb1-580c-5876-8316-e6c70e7d287f",
        "25846598-b1dd-5571-a922-04186dc71960",
    ],
    "ranks": [
        "2b202d3b-c7e6-5fe1-862e-12a34df03f1b",
        "ca80f263-84c0-5556-a9c5-120971004c17",
    ],
    "preferences": [
        "2e442214-54eb-5dc8-9dc0-de1af1445d68",
        "53dfec7e-9248-54b9-80a1-fcd510d6aaab",
        "c3ff891d-f99f-5c9b-a30b-58f952e39958",
        "1de84628-3450-5641-be85-9ce28d4bc656",
        "dd1bf506-6746-5b76-8b76-3a8f45faa810",
    ],
    "errors": [
        "dfe6c8c8-70ac-54e5-ba03-661637066638",
        "fbb0f331-2cd4-5a01-893a-1190fa8306ed",
        "1169ebad-855d-5d21-95c1-6719cbbe4fcc",
    ],
    "errors with scores, items and what was shown": [
        "33a52b13-87b9-5319-bfa1-e772e9cc18a9",
        "c8135320-96e3-5854-b43a-2bca36569b12",
    ],
    "errors of a release": [
        "f9d749c2-e570-50fc-9f70-28aa8767ccf4",
        "b466f70c-1a85-5e6d-8327-d0d15af7af61",
    ],
    "scores of errors": [
        "25fa7982-93c0-53de-9f54-712c102dc81a",
    ],
}


def fixed_texts() -> TestSet:
    owner = factory.make_user("owner", is_staff=True)
    test_set = TestSet.objects.create(
        pk=FIRST, name="Fixed", owner=owner, source_language="de", target_language="en"
    )
    document = Document.objects.create(pk=FIRST, test_set=test_set, name="d", position=0)
    systems = [
        System.objects.create(pk=FIRST + n, test_set=test_set, name=f"System-{name}")
        for n, name in enumerate("ABC")
    ]
    for n in range(2):
        segment = Segment.objects.create(
            pk=FIRST + n,
            test_set=test_set,
            document=document,
            key=str(n + 1),
            position=n,
            source="Quelltext steht hier .",
        )
        for m, system in enumerate(systems):
            Output.objects.create(
                pk=FIRST + 10 * n + m,
                segment=segment,
                system=system,
                text=f"Source text number {n} here",
            )
    return test_set


@pytest.mark.parametrize("name", FILES)
def test_keys_stay(name):
    preset, options, rows = FILES[name]
    known = preset_named(preset)
    campaign = Campaign.objects.create(
        pk=FIRST,
        name="Fixed",
        test_set=fixed_texts(),
        protocol=known.protocol,
        preset=preset,
        options={**known.options, **options},
    )
    file = upload("r.tsv", "".join(f"{row}\n" for row in rows).encode())
    import_judgments(campaign, file)
    assert [str(key) for key in in_order(campaign)] == KEYS[name]
    with pytest.raises(ImportProblem, match="was the file imported before"):
        import_judgments(campaign, file)


def in_order(campaign):
    """Client keys in the order of the file, an annotator after the other."""
    found = Judgment.objects.filter(campaign=campaign)
    ordered = found.order_by("item__task__batch", "item__position")
    return ordered.values_list("client_key", flat=True)
