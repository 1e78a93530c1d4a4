"""Instructions in Markdown: plain formatting only, and no text that keeps a process busy."""

import time

from judgments.templatetags.mteval import MOST_BRACKETS, markdown


def test_formatting_stays_and_scripts_go():
    html = markdown("## Rules\n\n**Read** [this](https://example.org) <script>alert(1)</script>")
    assert "<h2>Rules</h2>" in html and "<strong>Read</strong>" in html
    assert 'href="https://example.org"' in html and "script" not in html
    assert "href" not in markdown("[here](javascript:alert(1))")


def test_very_many_brackets_are_shown_as_they_are():
    before = time.process_time()
    html = markdown("[<" * 20 * MOST_BRACKETS)
    assert html == "<pre>" + "[&lt;" * 20 * MOST_BRACKETS + "</pre>"
    assert time.process_time() - before < 5  # Markdown would take most of a minute
