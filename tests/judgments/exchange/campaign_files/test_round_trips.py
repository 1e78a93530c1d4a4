"""Whatever a file says of a campaign, its export says again, and makes the same campaign."""

from dataclasses import fields

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from judgments.exchange.campaign_files.loader import Writer, as_yaml, create_campaign, document_of
from judgments.exchange.campaign_files.nodes import BadCampaignFile
from judgments.exchange.campaign_files.schema import schema
from judgments.exchange.campaign_files.sections.plan import PlanSection
from judgments.exchange.campaign_files.sections.task import fields_of
from judgments.models import Invitation, Role, TestSet
from judgments.plans.settings import BOUNDS, PlanSettings
from judgments.protocols import PRESETS
from tests import factory

jsonschema = pytest.importorskip("jsonschema")
pytestmark = pytest.mark.django_db
SAME_EXAMPLES = settings(
    max_examples=40, deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)  # fmt: skip


@pytest.fixture
def owner():
    user = factory.make_user("owner", is_staff=True)
    factory.make_test_set(user)
    return user


def values(shape: dict) -> st.SearchStrategy:
    """Values that fit the schema of an option or a setting."""
    if "enum" in shape:
        return st.sampled_from(shape["enum"])
    kind = shape["type"]
    if kind == "boolean":
        return st.booleans()
    if kind == "integer":
        return st.integers(shape["minimum"], shape["maximum"])
    if kind == "array":
        rows = st.sampled_from(["a", "b", "c_1"]).map(
            lambda slug: {"slug": slug, "low": 0, "high": 7, "question": f"How {slug}?"}
        )
        if shape["items"]["type"] == "object":
            return st.lists(rows, min_size=1, max_size=3, unique_by=lambda row: row["slug"])
        words = st.sampled_from(["Accuracy/Omission", "Accuracy", "Style", "Fluency/Spelling"])
        return st.lists(words, max_size=4, unique=True)
    if kind == "object":
        return st.dictionaries(
            st.sampled_from(["minor", "major", "critical"]), st.sampled_from([0, 0.25, 1, 5, 25])
        )
    raise AssertionError(shape)


@st.composite
def tasks(draw):
    """(preset, options) that fit the schema."""
    presets = [
        preset for preset in PRESETS.values() if not any(o.of_user for o in fields_of(preset))
    ]
    preset = draw(st.sampled_from(presets))
    given = {
        option.slug: draw(values(option.schema()))
        for option in fields_of(preset)
        if draw(st.booleans())
    }
    return preset.slug, given


@pytest.mark.proof
@SAME_EXAMPLES
@example(task=("adequacy-fluency", {}), simulated=False, text="1e999", seed=0)
@given(task=tasks(), simulated=st.booleans(), text=st.text(max_size=40), seed=st.integers(0, 99))
def test_a_task_comes_back(owner, task, simulated, text, seed):
    preset, options = task
    said = {
        "name": "x", "texts": "Small set", "preset": preset, "options": options,
        "simulated": simulated, "instructions": {"de": text.replace("\0", "")},
    }  # fmt: skip
    try:
        # PyYAML's own writer leaves out the quotes of 1e999, which is a number here.
        campaign = create_campaign(yaml.dump(said, Dumper=Writer), owner, name="a.yaml")
    except BadCampaignFile as bad:  # options that fit by themselves, but not together
        assert all(fault.path.startswith(("options", "instructions")) for fault in bad.faults)
        return
    exported = document_of(campaign)
    jsonschema.validate(exported, schema())
    again = create_campaign(as_yaml(campaign), owner, name="a.yaml")
    assert document_of(again) == exported
    assert (again.options, again.instructions) == (campaign.options, campaign.instructions)


LOW_AND_HIGH = {name: (low, high) for name, low, high in BOUNDS}


@pytest.mark.proof
@settings(deadline=None)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "seats": st.integers(1, 5),
            "batch_items": st.none() | st.integers(1, 50),
            "batch_words": st.integers(*LOW_AND_HIGH["batch_words"]),
            "agreement_share": st.floats(0, 1),
            "design": st.sampled_from(["paired", "one-version", "latin-square"]),
            "pool": st.booleans(),
            "repeats": st.sampled_from([0, 0.5, 1]),
            "question": st.sampled_from(["all", "best"]),
            "pay_per_hour": st.none() | st.floats(0, 100),
            "seed": st.integers(0, 2**31 - 1),
            "systems": st.lists(st.sampled_from("AB"), unique=True),
        },
    )
)
def test_settings_of_a_plan_are_read_as_they_are_stored(said):
    jsonschema.validate(said, PlanSection().schema())
    stored = PlanSettings.read(said).stored()
    jsonschema.validate(stored, PlanSection().schema())
    assert PlanSettings.read(stored) == PlanSettings.read(said)


def test_every_setting_has_words():
    said = PlanSection().schema()["anyOf"][0]["properties"]
    assert set(said) == {each.name for each in fields(PlanSettings)}
    assert all(each["description"].endswith(".") for each in said.values())


WHOLE = """\
name: All of it
texts:
  name: Two lines
  source_language: de
  target_language: en
  note: Written for this test.
  rows:
    - {document: d, segment: s1, source: Guten Tag., reference: Good day.,
       "system:A": Good day, "system:B": Day}
    - {document: d, segment: s2, source: Bis bald., reference: So long.,
       "system:A": See you, "system:B": Till}
preset: custom-errors
options:
  categories: [Accuracy/Omission, Style]
  weights: {minor: 1, major: 5, "*/style": 0.5}
  prefilled: true
  score: true
instructions:
  en: |
    # Mark errors

    - all of them
  de: Markieren.
materials:
  suggested_errors:
    - {segment: s1, system: A, severity: minor, text: Good}
    - {segment: s2, system: B, severity: major, side: missing}
  tutorial:
    - outputs: [A text.]
      source: Ein Text.
      feedback: Well **done**.
people:
  members:
    - {account: helper, role: researcher, alias: Helper}
  invitations:
    - {role: annotator, max_uses: 3, note: first group, expires: 2027-01-31T12:00}
plan: {seats: 2, batch_items: 4, seed: 9}
quality_rule: {text: Whoever is too fast., seconds_per_word: 0.2, least_checks: 0.8}
status: open
"""


@pytest.mark.parametrize("name", ["numbers.yaml", "numbers.json"])
def test_texts_that_are_numbers_stay_as_written(owner, name):
    key, price = ("007", "1.50") if name.endswith("yaml") else ("7", "1.50")
    rows = f'[{{"segment": {key}, "source": {price}, "system:A": {price}, "system:B": 2e3}}]'
    texts = f'{{"name": "New", "source_language": "de", "target_language": "en", "rows": {rows}}}'
    if name.endswith("yaml"):  # the same by an alias
        texts = texts.replace(f'"source": {price}', f'"source": &price {price}', 1)
        texts = texts.replace(f'"system:A": {price}', '"system:A": *price')
    campaign = create_campaign(
        f'{{"name": "Prices", "preset": "adequacy-fluency", "texts": {texts}}}', owner, name=name
    )
    [segment] = campaign.test_set.segments.all()
    assert (segment.key, segment.source) == (key, "1.50")
    assert sorted(segment.outputs.values_list("text", flat=True)) == ["1.50", "2e3"]


def test_everything_that_a_file_can_say_comes_back(owner):
    factory.make_user("helper")
    campaign = create_campaign(WHOLE, owner, name="whole.yaml")
    exported = document_of(campaign)
    jsonschema.validate(exported, schema())
    assert exported["texts"] == "Two lines"
    assert exported["plan"] == {"seats": 2, "batch_items": 4, "seed": 9}
    assert exported["quality_rule"] == {
        "text": "Whoever is too fast.", "least_checks": 0.8, "seconds_per_word": 0.2,
    }  # fmt: skip
    assert exported["people"] == {
        "members": [
            {"account": "owner", "role": "owner"},
            {"account": "helper", "role": "researcher", "alias": "Helper"},
        ],
        "invitations": [
            {
                "role": "annotator",
                "max_uses": 3,
                "note": "first group",
                "expires": "2027-01-31T12:00:00",
            }
        ],
    }
    assert len(exported["materials"]["suggested_errors"]) == 2
    again = create_campaign(as_yaml(campaign), owner)
    assert document_of(again) == exported
    assert TestSet.objects.filter(name="Two lines").count() == 1
    assert campaign.tasks.count() == again.tasks.count() == 2


def test_a_stopping_plan_comes_back(owner):
    factory.make_test_set(owner, n_segments=80, n_documents=40, name="Long")
    said = (
        "name: x\ntexts: Long\npreset: direct-assessment\n"
        "stopping_plan: {aim: best, looks: 3, most: 36, spending: obrien-fleming}\n"
    )
    campaign = create_campaign(said.replace("direct-assessment", "da-sqm"), owner)
    exported = document_of(campaign)["stopping_plan"]
    assert {key: exported[key] for key in ("aim", "looks", "most", "spending")} == {
        "aim": "best", "looks": 3, "most": 36, "spending": "obrien-fleming",
    }  # fmt: skip
    plan = campaign.stopping_plans.get()
    again = create_campaign(as_yaml(campaign), owner).stopping_plans.get()
    assert (plan.looks, plan.unit) == (again.looks, again.unit)


def test_no_secret_is_in_an_export(owner):
    campaign = factory.make_campaign(
        TestSet.objects.get(), owner=owner, annotators=[factory.make_user("anna")]
    )
    guest = factory.make_user("guest-1")
    guest.set_unusable_password()
    guest.email = "guest@example.org"
    guest.save()
    mailed = factory.make_user("mia@example.org", email="mia@example.org")
    for user in (guest, mailed):
        campaign.memberships.create(user=user, role=Role.ANNOTATOR, alias=user.username)
    Invitation.objects.create(campaign=campaign, created_by=owner, note="for bo@example.org")
    text = as_yaml(campaign)
    secrets = [each.token for each in campaign.memberships.all()]
    secrets += [each.token for each in campaign.invitations.all()]
    assert len(secrets) == 5
    for secret in (*secrets, "example.org", "@", "guest", owner.password):
        assert secret not in text
    assert "anna" in text


def test_a_fraction_of_seconds_comes_back(owner):
    said = "name: x\ntexts: Small set\npreset: da-sqm\nplan: {seconds_per_word: 0.4}\n"
    exported = document_of(create_campaign(said, owner))
    assert exported["plan"] == {"seconds_per_word": 0.4}
