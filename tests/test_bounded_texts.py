"""Every user-written text has a limit, and pages process the longest ones quickly.

Fields are found by introspection, and those created in forms' constructors in the sources: a later
one without a limit fails here.
"""

import ast
import importlib
import inspect
import pkgutil
import random
import re
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from django import forms
from rest_framework import serializers

import judgments
import metrics
from judgments.files import ImportProblem, markdown
from judgments.files.lines import LONGEST_TEXT
from judgments.files.output_texts import POST_EDITS
from judgments.files.table import MOST_COLUMNS, Columns, read_table
from judgments.files.texts import from_lines, from_table
from judgments.judging.practice.practice import read_rows
from judgments.models import Campaign
from judgments.people.workload.words import n_words
from judgments.plans.campaigns.api import InvitationRequest, StatusRequest
from judgments.plans.campaigns.forms import CampaignForm, InstructionsForm
from judgments.plans.projects.api import ChangeRequest, ProjectRequest
from judgments.protocols import PRESETS, PROTOCOLS
from judgments.protocols.differences import differences
from judgments.protocols.post_editing.form import CountField, EditForm, TextField
from judgments.protocols.post_editing.words import share_kept
from judgments.protocols.questions.form import LONGEST, AnswerForm
from judgments.protocols.questions.grading import verdict
from judgments.protocols.tokens import tokens
from judgments.quality.decisions.api import DecisionRequest, ItemDecisionRequest
from metrics.scorers.diagnostic import diagnose
from metrics.scores.forms import ScoringForm
from metrics.scores.serializers import JobRequest
from metrics.scores.upload_api import ScoresRequest
from tests import factory
from tests.judgments.files.files import upload

LONGEST_FORM_TEXT = 1_000_000
# Bounded by their own rules, each with a test below or by the result of its cleaning.
BY_RULE = {TextField: "4 × the output + 1000", CountField: "15 digits"}
# Requests of the API; other serializers only write.
REQUESTS = {
    *(ScoresRequest, JobRequest, StatusRequest, InvitationRequest, DecisionRequest),
    *(ItemDecisionRequest, ProjectRequest, ChangeRequest),
}
# Separate programs, and modules that can only be imported if a provider signs people in.
APART = ("migrations", "neural", "oidc_adapters", "oidc_views")


def modules():
    for package in (judgments, metrics):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not any(name in found.name for name in APART):
                yield importlib.import_module(found.name)


MODULES = list(modules())


def classes(kind):
    return {
        found
        for module in MODULES
        for _, found in inspect.getmembers(module, inspect.isclass)
        if issubclass(found, kind) and found.__module__.startswith(("judgments", "metrics"))
    }


def unbounded(fields) -> dict[str, str]:
    """Return the fields that accept a text of any length: {name: class}."""
    return {name: type(field).__name__ for name, field in fields.items() if not is_bounded(field)}


def is_bounded(field) -> bool:
    if type(field) in BY_RULE:
        return True
    if isinstance(field, forms.CharField):
        return bool(field.max_length) and field.max_length <= LONGEST_FORM_TEXT
    # Numbers, choices, dates and files have their own rules; anything else may be any text.
    known = (
        forms.IntegerField, forms.FloatField, forms.ChoiceField, forms.BooleanField,
        forms.FileField, forms.ModelChoiceField, forms.DateField, forms.DateTimeField,
        forms.MultipleChoiceField, forms.DurationField,
    )  # fmt: skip
    return isinstance(field, known)


def test_every_field_of_every_form_is_bounded():
    found = classes(forms.BaseForm)
    assert len(found) > 30
    for form in found:
        assert not unbounded(form.base_fields), form


def test_an_unbounded_field_is_found():
    class Loose(forms.Form):
        note = forms.CharField()
        anything = forms.JSONField()
        fine = forms.CharField(max_length=10)

    assert set(unbounded(Loose.base_fields)) == {"note", "anything"}


# Forms also create fields in their constructors, which depend on data.
ANY_TEXT = re.compile(r"forms\.(Char|Regex|Email|URL|Slug|JSON|ComboField|MultiValue)?Field")
BY_FORM = {"judgments.protocols.questions.form"}  # an open answer: `AnswerForm.problem_with`


def loose_calls(source: str) -> list[str]:
    """Return calls that create a field for any text without a limit."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [
        ast.unparse(call)
        for call in calls
        if ANY_TEXT.fullmatch(ast.unparse(call.func))
        and "max_length" not in {keyword.arg for keyword in call.keywords}
    ]


def test_no_field_is_made_without_a_limit():
    for module in MODULES:
        if module.__name__ not in BY_FORM:
            assert not loose_calls(Path(module.__file__).read_text()), module
    assert loose_calls("self.fields[name] = forms.CharField(required=False)")
    assert loose_calls("forms.JSONField()") and loose_calls("forms.Field(label='a')")
    assert not loose_calls("forms.CharField(max_length=3)")


@pytest.mark.django_db
@pytest.mark.parametrize("slug", sorted(PRESETS))
def test_fields_of_screens_and_of_new_campaigns_are_bounded(slug):
    owner = factory.make_user("owner")
    test_set = factory.make_test_set(owner)
    preset = PRESETS[slug]
    assert not unbounded(CampaignForm(owner, preset).fields)
    options = dict(preset.options)
    if PROTOCOLS[preset.protocol].takes_dimensions(preset):
        options["dimensions"] = [{"slug": "a", "low": 0, "high": 100}]
    campaign = factory.make_campaign(test_set, preset=slug, options=options)
    item = factory.make_task(campaign, n_outputs=2).items.first()
    shown = list(item.shown.select_related("output__segment"))
    form = PROTOCOLS[preset.protocol](campaign).form(item, shown)
    assert not unbounded(form.fields)


@pytest.mark.django_db
def test_fields_of_other_built_forms_are_bounded():
    test_set = factory.make_test_set(factory.make_user("owner"))
    for form in (InstructionsForm(Campaign()), ScoringForm(test_set)):
        assert not unbounded(form.fields)


def test_answers_to_questions_are_bounded():
    form = AnswerForm([(1, "Who?", [])], data={})
    assert form.problem_with("a" * LONGEST, False) == ""
    assert form.problem_with("a" * (LONGEST + 1), False)


def test_edits_are_bounded_by_what_they_edit():
    form = EditForm(["abc"], outcomes=["edited"], asks="correct", language="de")
    assert form.problem_with("abc", "a" * (4 * 3 + 1000)) == ""
    assert form.problem_with("abc", "a" * (4 * 3 + 1001))


def test_texts_of_requests_of_the_api_are_bounded():
    for request in REQUESTS:
        for name, field in flat(request()):
            bounded = getattr(field, "max_length", None)
            assert not isinstance(field, serializers.CharField) or bounded, (request, name)
            assert not isinstance(field, serializers.ListField) or bounded or bounded_child(field)


def bounded_child(field) -> bool:
    """Return whether names must match existing ones; the request has a limit."""
    return bool(getattr(field.child, "max_length", None))


def flat(serializer):
    for name, field in serializer.fields.items():
        child = getattr(field, "child", None)
        yield name, field
        if isinstance(child, serializers.Serializer):
            yield from flat(child)
        elif child is not None:
            yield f"{name}[]", child


def test_only_known_serializers_read():
    """All classes that views call with `data=request.data` are in `REQUESTS`."""
    found = set()
    for module in MODULES:
        for node in ast.walk(ast.parse(Path(module.__file__).read_text())):
            if isinstance(node, ast.Call):
                data = {k.arg: ast.unparse(k.value) for k in node.keywords}
                if data.get("data") == "request.data":
                    found.add(ast.unparse(node.func))
    assert found == {request.__name__ for request in REQUESTS}


# Files.


def problem(rows) -> str:
    with pytest.raises(ImportProblem) as error:
        list(rows)
    return str(error.value)


def test_texts_of_files_are_bounded(settings):
    settings.MAX_UPLOAD_BYTES = 10_000_000
    long, most = "a" * (LONGEST_TEXT + 1), "a" * LONGEST_TEXT
    table = f"source\tsystem:A\n{most}\t{most}\n{long}\tb\n"
    assert "row 3, column source: the text has 50,001 characters" in problem(
        from_table(upload("t.tsv", table.encode()))
    )
    files = {"source": f"{most}\n{long}\n", "A": "a\nb\n"}
    rows = from_lines(
        upload("source", files["source"].encode()), {}, {"A": upload("A", files["A"].encode())}
    )
    assert "source, row 2: the text has 50,001 characters" in problem(rows)
    rows = POST_EDITS.from_lines({"A": upload("A", f"{long}\n".encode())}, 1)
    assert "A, row 1: the text has 50,001 characters" in problem(rows)


@pytest.mark.parametrize("name", ["t.tsv", "t.jsonl"])
def test_columns_are_bounded_and_cost_no_more_than_their_number(name, settings):
    """Half a million columns fit into a line; each was once compared with all."""
    many = [f"c{n}" for n in range(100_000)]
    twice = "{" + ",".join(f'"c{n}":1' for n in [*range(80_000), 79_999]) + "}\n"
    header = "\t".join(many) + "\n" + "\t".join(many) + "\n"
    before = time.process_time()
    text = header if name.endswith("tsv") else twice
    said = problem(read_table(upload(name, text.encode()), Columns((), prefixes=("c",))))
    wanted = f"100,000 columns; at most {MOST_COLUMNS:,}" if "tsv" in name else "“c79999” occurs"
    assert wanted in said
    assert time.process_time() - before < 5


@pytest.mark.django_db
def test_the_tutorial_is_bounded():
    campaign = factory.make_campaign(factory.make_test_set(factory.make_user("owner")))

    def said(*rows):
        try:
            read_rows(campaign, rows)
        except ValueError as problem:
            return str(problem)
        return ""

    one = {"outputs": ["a"]}
    assert said(one) == ""
    assert "5,001 characters" in said({"outputs": ["a" * 5001]})
    assert "“feedback”: Line 1" in said(one | {"feedback": "> " * 10 + "a"})
    assert "At most 100 tutorial items" in said(*[one] * 101)


@pytest.mark.django_db
def test_instructions_that_cannot_be_shown_are_refused():
    form = InstructionsForm(
        Campaign(), {"version": 1, "text": "a\n\n" + "> " * 9 + "b", "text_de": "gut"}
    )
    assert not form.is_valid()
    assert form.errors["text"][0].startswith("Line 3: more than 8")
    form = InstructionsForm(Campaign(), {"version": 1, "text": "a\r\n" * (markdown.LONGEST // 2)})
    assert form.is_valid(), form.errors
    form = InstructionsForm(Campaign(), {"version": 1, "text": "a" * (markdown.LONGEST + 1)})
    assert "at most 20,000" in form.errors["text"][0]


# Processing of the longest texts in requests: at most half a second when nothing else runs.

CHANCE = random.Random(1)
LONG = {
    "words": "".join(CHANCE.choice("abcdefgh   ") for _ in range(LONGEST_TEXT)),
    "characters": "".join(CHANCE.choice("的一是不了") for _ in range(LONGEST_TEXT)),
    "short words": "a b " * (LONGEST_TEXT // 4),
    "digits and commas": "1," * (LONGEST_TEXT // 2),
    "apostrophes": "a'" * (LONGEST_TEXT // 2),
    "combining marks": "a" + "\u0301" * (LONGEST_TEXT - 1),
    "joiners": "\u200d" * LONGEST_TEXT,
    "ligatures": "\ufdfa" * LONGEST_TEXT,
    "blanks": " " * LONGEST_TEXT,
}
WORK = {
    "differences": lambda a, b: differences(a, b),
    "share kept": lambda a, b: share_kept(a, b, "zh"),
    "words": lambda a, _: n_words(a),
    "tokens": lambda a, _: tokens(a),
    "diagnosis": lambda a, b: diagnose(a, [b], tokenize="13a"),
    "verdict": lambda a, _: verdict(SimpleNamespace(right=["x"], choices=[]), a[:LONGEST]),
}


@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize("text", LONG)
def test_the_longest_texts_take_no_time(work, text):
    before = time.process_time()
    WORK[work](LONG[text], LONG[text][::-1])
    assert time.process_time() - before < 6
