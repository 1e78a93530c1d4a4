"""The pages of the documentation that are made of the code."""

import re

import pytest
from django.core.management import get_commands

from docs.site import openapi, pages, recomputed, reference
from tests.mteval_site.test_operator_guide import variables_read


def test_every_command_of_ours_is_there():
    text = reference.commands()
    ours = {name for name, app in get_commands().items() if app in reference.OURS}
    assert len(ours) > 25
    assert set(re.findall(r"^## (\w+)$", text, re.MULTILINE)) == ours
    assert "--port PORT" in text
    assert "--owner" in text
    for option in ("--no-color", "--settings", "--traceback", "--verbosity"):
        assert option not in text


def test_every_setting_is_there_with_what_the_code_reads():
    """`variables_read` finds them by another way: a pattern in the text."""
    found = reference.read_variables()
    assert variables_read() <= set(found)
    assert found["REQUEST_TIMEOUT"] == ("whole number", "`60`", "mteval_site/settings.py")
    assert found["HTTPS"][:2] == ("`true` or `false`", "`False`")
    assert found["WEBHOOK_HOSTS"][0] == "list, separated by commas"
    row = next(line for line in reference.variables().splitlines() if "`MAX_MEDIA_MB`" in line)
    assert "all such files of one test set together" in row
    assert row.count("|") == 6


def test_every_operation_of_the_api_is_there():
    text, schema = openapi.page(), openapi.document()
    operations = {
        f"{method.upper()} {path}"
        for path, found in schema["paths"].items()
        for method in found
        if method in openapi.METHODS
    }
    assert len(operations) > 30
    assert set(re.findall(r"^### ([A-Z]+ /.*)$", text, re.MULTILINE)) == operations


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"$ref": "#/components/schemas/Campaign"}, "*Campaign*"),
        ({"type": "array", "items": {"type": "integer"}}, "list of integer"),
        ({"type": "string", "enum": ["a", "b"]}, "one of `a`, `b`"),
        ({"type": "string", "format": "date"}, "string (date)"),
        ({"oneOf": [{"type": "number"}, {"type": "null"}]}, "number or null"),
        ({}, "any"),
    ],
)
def test_types(schema, expected):
    assert openapi.type_of(schema) == expected


def test_recomputed_names_tests_sources_and_digits():
    text = recomputed.page()
    rows = [line for line in text.splitlines() if re.search(r"\| `test_\w+` \|", line)]
    assert len(rows) > 100
    wmt23 = next(row for row in rows if "`test_metrics_of_wmt23_against_mqm`" in row)
    assert wmt23.endswith("| ± 5.1e-05 |")
    clusters = next(row for row in rows if "`test_clusters_of_wmt16_follow" in row)
    assert clusters.endswith("| exact |")
    assert "WMT22 direct assessment" in text
    named = set(re.findall(r"^### (\S+)$", text, re.MULTILINE))
    assert {"tests/test_published.py", "tests/real/test_direct_assessment.py"} <= named
    assert all((recomputed.ROOT / name).is_file() for name in named)


def test_the_gallery_has_every_picture_once():
    text = pages.gallery(pages.of_checkout())
    shown = re.findall(r"!\[[^\]]+\]\(checkout/docs/guide/images/([\w-]+\.png)\)", text)
    there = {path.name for path in (pages.ROOT / "docs/guide/images").glob("*.png")}
    assert sorted(shown) == sorted(there)


def test_links_lead_from_files_to_pages(tmp_path):
    known = pages.of_checkout()
    name = "docs/guide/operator.md"
    text = (
        "[a](manager.md#pay) [b](../../CHANGELOG.md) [c](../decisions/) [d](../deploy) "
        "[e](../deploy/nginx.conf) [f](https://example.org/x.md) [g](#here)\n"
        "```sh\n[h](manager.md)\n```\n"
    )
    expected = (
        "[a](manager.md#pay) [b](../project/changes.md) [c](../decisions/index.md) d "
        "[e](../checkout/docs/deploy/nginx.conf) [f](https://example.org/x.md) [g](#here)\n"
        "```sh\n[h](manager.md)\n```\n"
    )
    assert pages.led(text, name, known, tmp_path) == expected
    assert (tmp_path / "checkout/docs/deploy/nginx.conf").is_file()
