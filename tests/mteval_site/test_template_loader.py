"""Templates with their fixed words put in, against the same templates as Django draws them."""

from django import forms
from django.conf import settings
from django.template import Context, Engine
from django.template.loader_tags import ExtendsNode
from django.test import SimpleTestCase
from django.utils import translation
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import mark_safe

from mteval_site import template_loader
from mteval_site.quick_nodes import QuickNodes

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
# A page that is made one with its parents, and every way in which its nodes look something up.
MIDDLE = """{% extends "base.html" %}{% load i18n %}
{% block main %}<main>{% block inner %}empty{% endblock %}
{% block after %}{% translate "Save" %}{% endblock %}</main>{% endblock %}"""
JOINED = """{% extends "middle.html" %}{% load i18n %}
{% block title %}{{ person.name }}{% endblock %}
{% block inner %}{% if person.is_here and not nothing %}{{ person.name|upper }}{% endif %}
{{ table.key }} {{ table.items|length }} {{ table.missing }} {{ row.1 }} {{ row.7 }}
{{ person.shout }} {{ person.missing }} {{ nothing }} {{ nothing.at_all }} {{ person.class }}
{{ lazy.name }} {{ html }} {{ count }} {{ half }} {{ form.answer }} {{ form.KEYS }}
{{ form.asked }} {{ form.answer.label }}
{% if table.key == "<v>" %}1{% elif nothing %}2{% else %}3{% endif %}
{% if not form.gone %}4{% endif %}
{% for each in row %}{% include part %}{% include "cycle.html" with name=each %}{% endfor %}
{% with own=person.name %}{{ own|default:table.key }}{{ nothing|default:own }}{% endwith %}
{% blocktranslate with n=person.name %}{{ n }} of {{ count }} % {{ nothing }}{% endblocktranslate %}
{% blocktranslate with number=count total=half trimmed %}Item {{ number }} of {{ total }}
{% endblocktranslate %}{% translate word %}{% endblock %}"""
CYCLE = """{% cycle "a" "b" %}{% ifchanged name %}{{ name }}{% endifchanged %}"""
PART = """{% load i18n %}{# a note #}{% translate "Instructions" %} {{ name }}"""
TEMPLATES = {"base.html": BASE, "page.html": PAGE, "part.html": PART}
TEMPLATES |= {"middle.html": MIDDLE, "joined.html": JOINED, "cycle.html": CYCLE}
CONTEXTS = (
    {"name": "<i>", "many": [1, 2], "word": "Source", "file": "icon.svg"},
    {"name": "", "many": [], "word": "Skip", "file": "css/app.css"},
)


class Answer(forms.Form):
    answer = forms.CharField(label="<label>", initial="<i>")
    asked = True
    KEYS = (1, 2)


class Person:
    name, is_here = "<Ada>", True

    def shout(self):
        return f"{self.name}!"


def joined_values():
    return {
        "person": Person(),
        "lazy": SimpleLazyObject(Person),
        "table": {"key": "<v>", "items": [1]},
        "row": [1, "<2>", 2.5],
        "html": mark_safe("<b>"),
        "count": 12345,
        "half": 1234.5,
        "form": Answer(),
        "part": "part.html",
        "word": "Source",
        "name": "outer",
    }


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

    def test_a_page_is_one_with_its_parents_and_reads_as_django_draws_it(self):
        for code, _ in settings.LANGUAGES * 2:
            with translation.override(code):
                plain, joined = (
                    each.get_template("joined.html").render(Context(joined_values()))
                    for each in (self.plain, self.folded)
                )
            self.assertEqual(joined, plain)
        self.assertIn("12345", joined)
        nodes = self.folded.get_template("joined.html").nodelist
        self.assertEqual(nodes.get_nodes_by_type(ExtendsNode), [])
        self.assertIsInstance(nodes, QuickNodes)

    def test_what_raises_raises(self):
        class Broken:
            @property
            def name(self):
                raise AttributeError("no name in here")

        for each in (self.plain, self.folded):
            page = each.get_template("joined.html")
            with self.assertRaisesMessage(AttributeError, "no name in here"):
                page.render(Context(joined_values() | {"person": Broken()}))

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
