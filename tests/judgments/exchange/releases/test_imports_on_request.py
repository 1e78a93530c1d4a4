"""What rare files need is imported with the first of them, not when the site starts."""

import subprocess
import sys

from tests.shared import ROOT

CODE = """
import sys, django
from django.conf import settings
django.setup()
import judgments.exchange.releases.registry
print(sorted({"openpyxl", "pyarrow", "docx", "lxml"} & set(sys.modules)))
"""


def test_libraries_of_rare_files_wait(monkeypatch):
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "tests.settings")
    command = [sys.executable, "-c", CODE]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert found.stdout == "[]\n", found.stderr
