"""Settings of pages of results stand behind one line that says what is set."""

import re

from django import forms
from django.template import Context, Template
from django.urls import reverse

from judgments.templatetags.selecting import what_is_set
from tests import factory
from tests.base import CastTestCase

PAGES = ("scores", "agreement", "power", "segments", "compare")


class Asked(forms.Form):
    rule = forms.ChoiceField(
        choices=[("", "usual"), ("By year", [("a", "As WMT25")])], required=False, label="Ranks"
    )
    kinds = forms.MultipleChoiceField(
        choices=[("x", "X"), ("y", "Y"), ("z", "Z")], required=False, label="Kinds"
    )
    least = forms.FloatField(required=False, label="At least")
    hidden = forms.CharField(required=False, widget=forms.HiddenInput)


def folded(form: forms.Form, always: bool = False) -> str:
    block = "{% settings_fold form always=always %}<b>in it</b>{% endsettings_fold %}"
    return Template("{% load selecting %}" + block).render(
        Context({"form": form, "always": always})
    )


def test_a_line_says_what_is_set():
    assert what_is_set(Asked({"hidden": "h"})) == "usual"
    said = what_is_set(Asked({"rule": "a", "kinds": ["x", "z"], "least": "2"}))
    assert said == "Ranks: As WMT25 · Kinds: X and 1 more · At least: 2"
    assert what_is_set(forms.Form()) == "Settings"


def test_what_is_not_valid_opens_it_and_nothing_is_markup():
    assert "open>" not in folded(Asked({"rule": "a"}))
    wrong = folded(Asked({"rule": "<i>", "least": "many"}))
    assert " open>" in wrong and "<i>" not in wrong and "<b>in it</b>" in wrong
    assert "is-open-if-wide" in wrong
    assert "is-open-if-wide" not in folded(Asked({}), always=True)


class PagesTest(CastTestCase):
    def test_no_setting_stands_before_the_line(self):
        for task in self.campaign.tasks.order_by("seat"):
            for item in task.items.order_by("position"):
                factory.judge(item, {"adequacy": [5, 3, 1 + task.seat], "fluency": [4, 3, 2]})
        for name in PAGES:
            with self.subTest(page=name):
                page = self.as_user(self.researcher).get(reverse(name, args=[self.campaign.pk]))
                results = page.content.decode().partition('id="results"')[2]
                forms = list(re.finditer(r"<form method=.get.", results))
                self.assertTrue(forms)
                for form in forms:
                    before = results[: form.start()]
                    self.assertGreater(before.count("<details"), before.count("</details"), name)
