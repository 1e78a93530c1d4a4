"""How collected static files are named."""

import re

from django.core.management import call_command
from django.test import override_settings

MANIFEST = "mteval_site.static_files.ModuleManifestStaticFilesStorage"


def test_imports_name_the_hashed_files(tmp_path):
    module = tmp_path / "sources" / "js"
    module.mkdir(parents=True)
    (module / "one.js").write_text('import { two } from "./two.js";\ntwo();\n')
    (module / "two.js").write_text("export const two = () => {};\n")
    collected = tmp_path / "collected"
    storages = {"staticfiles": {"BACKEND": MANIFEST, "OPTIONS": {"location": str(collected)}}}
    with override_settings(
        STORAGES=storages, STATICFILES_DIRS=[module.parent], STATIC_ROOT=collected
    ):
        call_command("collectstatic", interactive=False, verbosity=0)
    (one,) = (file for file in (collected / "js").glob("one.*.js") if file.name != "one.js")
    (imported,) = re.findall(r'from "\./(two\.\w{12}\.js)"', one.read_text())
    assert (collected / "js" / imported).is_file()
