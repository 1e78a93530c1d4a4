"""How static files are joined and named when they are collected."""

import json
import re
from itertools import combinations
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from mteval_site.static_files import MODULE_IMPORT, beside, joined_file

STORAGE = "mteval_site.static_files.JoinedManifestStaticFilesStorage"


def collected(sources: Path, folder: Path) -> dict[str, str]:
    """Return the texts of our style sheets and scripts under their names in the manifest."""
    storages = {"staticfiles": {"BACKEND": STORAGE, "OPTIONS": {"location": str(folder)}}}
    with override_settings(STORAGES=storages, STATICFILES_DIRS=[sources], STATIC_ROOT=folder):
        call_command("collectstatic", interactive=False, verbosity=0)
    hashed = json.loads((folder / "staticfiles.json").read_text())["paths"]
    ours = (file.relative_to(sources) for file in sources.rglob("*") if file.is_file())
    texts = (name for name in map(str, ours) if name.endswith((".css", ".js")))
    return {name: (folder / hashed[name]).read_text(encoding="utf-8") for name in texts}


@pytest.fixture
def sources(tmp_path):
    folder = tmp_path / "sources"
    (folder / "js").mkdir(parents=True)
    (folder / "js/page.js").write_text(
        'import { two } from "./two.js";\nimport "./one.js";\ntwo();\n'
    )
    (folder / "js/one.js").write_text('import { two } from "./two.js";\ntwo();\n')
    (folder / "js/two.js").write_text(
        "let n = 0;\nconst two = () => (document.title = ++n);\nexport { two };\n"
    )
    return folder


def test_a_module_is_collected_with_what_it_imports(sources, tmp_path):
    """Two modules share a third, which is included once, and first."""
    script = collected(sources, tmp_path / "collected")["js/page.js"]
    assert "import" not in script and script.count("let n = 0;") == 1
    assert re.findall(r"const \w+ = \(\(\) =>|two\(\);|return \{ two \};", script) == [
        *("const module_1 = (() =>", "return { two };"),
        *("const module_2 = (() =>", "two();"),
        *("const module_3 = (() =>", "two();"),
    ]


def test_an_import_changes_the_name(sources, tmp_path):
    def names():
        collected(sources, tmp_path / "collected")
        return json.loads((tmp_path / "collected/staticfiles.json").read_text())["paths"]

    before = names()
    (sources / "js/two.js").write_text("const two = () => {};\nexport { two };\n")
    assert names()["js/page.js"] != before["js/page.js"]


def test_a_style_sheet_holds_what_it_imports():
    texts = {"css/a.css": '@import url("../b.css");\np { top: 0; }\n', "b.css": "a { top: 0; }\n"}
    assert joined_file("css/a.css", texts.__getitem__) == "a { top: 0; }\n\np { top: 0; }\n"
    assert joined_file("b.css", texts.__getitem__) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('import "./b.js";\nexport default 1;\n', "'export default 1;'"),
        ('import "./b.js";\nimport * as c from "./c.js";\n', "import \\* as c"),
        ('import { c as d } from "./b.js";\n', "const { c as d }"),
        ('import "./a.js";\n', "a.js imports itself"),
    ],
)
def test_what_cannot_be_put_together_is_an_error(text, why):
    with pytest.raises(ValueError, match=why):
        joined_file("a.js", {"a.js": text, "b.js": ""}.__getitem__)


def test_all_our_files_are_put_together(tmp_path):
    (sources,) = settings.STATICFILES_DIRS
    texts = collected(sources, tmp_path)
    left = [name for name, text in texts.items() if re.search(r"^@?import\b", text, re.M)]
    assert left == []
    assert texts["js/judging/item.js"].count("module_") > 10


def test_no_two_scripts_of_a_page_have_a_module_in_common():
    """It would run twice. The judging screen is never shown together with its read-only form."""
    (sources,) = settings.STATICFILES_DIRS
    texts = {
        str(file.relative_to(sources)): file.read_text(encoding="utf-8")
        for file in (sources / "js").rglob("*.js")
    }
    imports = {
        path: {beside(path, found[2]) for found in MODULE_IMPORT.finditer(text)}
        for path, text in texts.items()
    }

    def needed(path: str) -> set[str]:
        return {path}.union(*map(needed, imports[path]))

    scripts = imports.keys() - set().union(*imports.values())
    common = {
        (one, other): needed(one) & needed(other) for one, other in combinations(sorted(scripts), 2)
    }
    screens = ("js/judging/item.js", "js/judging/read-only.js")
    assert common.pop(screens)
    assert not any(common.values()), {pair: names for pair, names in common.items() if names}
