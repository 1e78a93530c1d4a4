"""Templates with their fixed words put in, against the same templates as Django draws them."""

from django.conf import settings
from django.template import Context, Engine
from django.test import SimpleTestCase
from django.utils import translation

from mteval_site import template_loader

LOCMEM = "django.template.loaders.locmem.Loader"
LIBRARIES = {"i18n": "django.templatetags.i18n", "static": "django.templatetags.static"}
BASE = """{% load i18n static %}
<title>{% block title %}{% translate "Skip or flag" %}{% endblock %}</title>
<link href="{% static 'css/app.css' %}">
{% block main %}{% comment %}nothing{% endcomment %}{% endblock %}"""
PAGE = """{% extends "base.html" %}{% load i18n static %}
{% block title %}{{ block.super }} · {{ name }}{% endblock %}
{% block main %}
{% if name %}<p title="{% translate 'Close' %}">{% translate "Source" %} {{ name }}</p>
{% else %}{% translate "Reference" %}{% endif %}
{% for each in many %}{% translate "Next" %} {{ each }}
{% empty %}{% translate "Previous" %}{% endfor %}
{% translate "Save" as saved %}{{ saved }}{% translate "Close"|upper %}{% translate word %}
{% blocktranslate %}Copy it to where you were asked for it.{% endblocktranslate %}
{% blocktranslate count n=many|length trimmed %}{{ n }} block is waiting.
{% plural %}{{ n }} blocks are waiting.{% endblocktranslate %}
{% language "de" %}{% translate "Source" %}{% include "part.html" %}{% endlanguage %}
{% autoescape off %}{% translate "<b>" %}{{ name }}{% endautoescape %}{% translate "<b>" %} 100%
{% with name="inner" %}{% include "part.html" %}{% endwith %}{% static file %}{% endblock %}"""
PART = """{% load i18n %}{# a note #}{% translate "Instructions" %} {{ name }}"""
TEMPLATES = {"base.html": BASE, "page.html": PAGE, "part.html": PART}
CONTEXTS = (
    {"name": "<i>", "many": [1, 2], "word": "Source", "file": "icon.svg"},
    {"name": "", "many": [], "word": "Skip", "file": "css/app.css"},
)


def engine(loader):
    return Engine(loaders=[(loader, [(LOCMEM, TEMPLATES)])], libraries=LIBRARIES)


class FoldedTemplateTest(SimpleTestCase):
    def setUp(self):
        self.plain = engine("django.template.loaders.cached.Loader")
        self.folded = engine("mteval_site.template_loader.Loader")

    def test_every_language_reads_as_django_draws_it_again_and_again(self):
        seen = set()
        for code, _ in settings.LANGUAGES * 2:
            for values in CONTEXTS:
                with translation.override(code):
                    drawn = [
                        each.get_template("page.html").render(Context(values))
                        for each in (self.plain, self.folded)
                    ]
                self.assertEqual(*drawn)
                seen.add(drawn[1])
        self.assertEqual(len(seen), len(settings.LANGUAGES) * len(CONTEXTS))

    def test_fixed_words_are_text_and_only_they(self):
        with translation.override("de"):
            page = self.folded.get_template("page.html")
            base = self.folded.get_template("base.html")
        left = page.nodelist.get_nodes_by_type(template_loader.TranslateNode)
        # With a name, a filter, a variable; inside of `language` and of `autoescape`.
        self.assertEqual(len(left), 5)
        self.assertEqual(base.nodelist.get_nodes_by_type(template_loader.StaticNode), [])
        self.assertIn("/static/css/app.css", base.nodelist[2].s)

    def test_a_language_keeps_its_own_copy(self):
        with translation.override("de"):
            german = self.folded.get_template("part.html")
            self.assertIs(self.folded.get_template("part.html"), german)
        with translation.override("ar"):
            self.assertIsNot(self.folded.get_template("part.html"), german)
