"""Builds the documentation: `make docs`, or `python -m docs.site FOLDER`.

Needs Sphinx, which the environment of the tests has. Without a folder, the site is built where
the running site serves it from.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import django


def main(arguments: list[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mteval_site.settings")
    django.setup()
    from django.conf import settings

    folder = Path(arguments[0]) if arguments else settings.DOCS_DIR
    code = build(folder)
    if not code:
        print(f"{folder}: {len(list(folder.rglob('*.html')))} pages")
    return code


def build(folder: Path) -> int:
    """Build the site beside the folder, then put it there: a site that runs serves all the time.

    Return 1 if there was a warning: a link that leads nowhere, say.
    """
    from sphinx.cmd.build import build_main

    from docs.site import pages

    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="docs-", dir=folder.parent) as scratch:
        source, made = Path(scratch) / "source", Path(scratch) / "made"
        pages.write(source)
        code = build_main(
            [
                *("-q", "-W", "--keep-going", "-b", "html", "-c", str(pages.HERE)),
                *("-d", str(Path(scratch) / "read"), str(source), str(made)),
            ]
        )
        if code:
            return code
        (made / ".buildinfo").unlink(missing_ok=True)
        shutil.rmtree(made / "_sources", ignore_errors=True)
        made.chmod(0o755)
        if folder.exists():
            folder.rename(Path(scratch) / "old")
        made.rename(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
