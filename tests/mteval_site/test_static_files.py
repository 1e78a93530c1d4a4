"""How collected static files are named."""

import re
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

STORAGE = "mteval_site.static_files.ModuleManifestStaticFilesStorage"
IMPORT = re.compile(r"""\b(?:from|import)\s*["'](\.[^"']+)["']""")
HASHED = re.compile(r"\.[0-9a-f]{12}\.js$")


def collected(sources: Path, folder: Path) -> Path:
    storages = {"staticfiles": {"BACKEND": STORAGE, "OPTIONS": {"location": str(folder)}}}
    with override_settings(STORAGES=storages, STATICFILES_DIRS=[sources], STATIC_ROOT=folder):
        call_command("collectstatic", interactive=False, verbosity=0)
    return folder


def test_imports_name_the_hashed_files(tmp_path):
    module = tmp_path / "sources" / "js"
    module.mkdir(parents=True)
    (module / "one.js").write_text('import { two } from "./two.js";\ntwo();\n')
    (module / "two.js").write_text("export const two = () => {};\n")
    scripts = collected(module.parent, tmp_path / "collected") / "js"
    (one,) = (file for file in scripts.glob("one.*.js") if HASHED.search(file.name))
    (imported,) = IMPORT.findall(one.read_text())
    assert HASHED.search(imported) and (scripts / imported).is_file()


def test_all_our_imports_name_hashed_files(tmp_path):
    (sources,) = settings.STATICFILES_DIRS
    scripts = collected(sources, tmp_path) / "js"
    n_imports = 0
    for file in filter(lambda file: HASHED.search(file.name), scripts.rglob("*.js")):
        for imported in IMPORT.findall(file.read_text(encoding="utf-8")):
            n_imports += 1
            assert HASHED.search(imported), f"{file.name} imports {imported}"
            assert (file.parent / imported).is_file(), f"{file.name} imports {imported}"
    ours = (file.read_text(encoding="utf-8") for file in (sources / "js").rglob("*.js"))
    assert n_imports == sum(len(IMPORT.findall(text)) for text in ours) > 0
