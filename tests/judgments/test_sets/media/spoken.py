"""What the tests of media share: a test set with a sound, a part of it, and a picture."""

from django.core.files.uploadedfile import SimpleUploadedFile

from judgments.files.texts import from_table
from judgments.models import TestSet
from judgments.test_sets.corpus import import_test_set
from judgments.test_sets.media.archive import media_archive
from tests.media_files import VTT, png, table, wav, zipped

ROWS = (
    ("1", "", "talk.wav", "talk.vtt", "", ""),
    ("2", "Moin.", "talk.wav", "", "0.05", "0.15"),
    ("3", "Ein Bild.", "pictures/dot.png", "", "", ""),
    ("4", "Nur Text.", "", "", "", ""),
)
FILES = {"talk.wav": wav(), "talk.vtt": VTT, "pictures/dot.png": png()}


def on_disk(root):
    return sorted(path.name for path in root.rglob("*") if path.is_file())


def spoken_test_set(owner, rows=ROWS, files=None, name="Spoken"):
    archive = SimpleUploadedFile("talks.zip", zipped(FILES if files is None else files))
    new = TestSet(name=name, source_language="de", target_language="en", owner=owner)
    with media_archive(archive) as media:
        return import_test_set(
            new, from_table(SimpleUploadedFile("texts.tsv", table(*rows))), media
        )
