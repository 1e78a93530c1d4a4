"""Files that are not a bundle, or a bundle made to deceive: one sentence says what is wrong with
it, the command exits with 1, and nothing is written outside of its own folder."""

import io
import json
import zipfile

import pytest
from django.core.management import CommandError, call_command

from judgments.publishing.bundles import archive, verification
from judgments.publishing.bundles.problem import BundleProblem
from judgments.publishing.bundles.verification import verify
from tests.judgments.publishing.bundles.alterations import altered, resigned

pytestmark = pytest.mark.slow


MADE = (2026, 1, 1, 0, 0, 0)  # names of tests say these bytes, so two processes need the same


def packed_with(*names: str, method=zipfile.ZIP_DEFLATED, text: str = "{}") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as packed:
        for name in names:
            packed.writestr(zipfile.ZipInfo(name, MADE), text, method)
    return out.getvalue()


def with_bytes(content: bytes, behind: bytes, at: int, other: bytes) -> bytes:
    """A zip file with other bytes at a place of its last record of a kind."""
    place = content.rindex(behind) + at
    return content[:place] + other + content[place + len(other) :]


DIRECTORY = b"PK\1\2"  # what a zip file says of each file at its end
PLAIN = packed_with("manifest.json")
DEEP = "[" * 100_000
NEWER = json.dumps({"schema": "mteval release", "schema_version": 2, "parts": []})


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"no zip", "is not a complete zip file"),
        (b"", "is not a complete zip file"),
        (PLAIN[: len(PLAIN) // 2], "is not a complete zip file"),
        (
            with_bytes(PLAIN, DIRECTORY, 16, b"\0\0\0\0"),
            "manifest.json cannot be read: it is damaged",
        ),
        (with_bytes(PLAIN, DIRECTORY, 8, b"\1"), "packed in a way that no bundle uses"),
        (
            with_bytes(with_bytes(PLAIN, DIRECTORY, 9, b"\x08"), DIRECTORY, 46, b"\xff"),
            "not a complete",
        ),
        (packed_with("a.json"), "it is not a release of mteval"),
        (packed_with("manifest.json/a"), "it is not a release of mteval"),
        (packed_with("../manifest.json"), "No file of a bundle is called"),
        (packed_with("/etc/manifest.json"), "No file of a bundle is called"),
        (packed_with("a/../../b"), "No file of a bundle is called"),
        (packed_with("..\\b"), "No file of a bundle is called"),
        (packed_with("manifest.json", "manifest.json"), "occurs in it twice"),
        (packed_with("manifest.json", "Manifest.json"), "occurs in it twice"),
        (packed_with("rows/a", "Rows"), "rows/a is in a folder that has the name of a file"),
        (packed_with("manifest.json", method=zipfile.ZIP_LZMA), "packed in a way that no bundle"),
        (PLAIN, "is not that of a release"),
        (packed_with("manifest.json", text="[]"), "is not that of a release"),
        (packed_with("manifest.json", text="{"), "cannot be read: it is damaged"),
        (packed_with("manifest.json", text=DEEP), "cannot be read: it is damaged"),
        (packed_with("manifest.json", text=NEWER), "version 2, which only a later mteval can read"),
        (packed_with("manifest.json", text=NEWER.replace("2", "1")), "has no valid campaign"),
    ],
)
def test_what_is_no_bundle(db, tmp_path, content, said):
    file = tmp_path / "file.zip"
    file.write_bytes(content)
    with pytest.raises(BundleProblem, match=said):
        verify(file)
    assert [path.name for path in tmp_path.parent.rglob("*") if path.is_file()].count("b") == 0
    with pytest.raises(CommandError, match=said):
        call_command("verify_release", str(file))


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"MOST_BYTES": 1000}, "unpacks to more than"),
        ({"SMALL": 1000, "MOST_TIMES": 20}, "unpacks to more than 20 times its size"),
        ({"MOST_FILES": 1}, "contains more than 1 files"),
    ],
)
def test_what_unpacks_to_too_much_is_not_unpacked(tmp_path, monkeypatch, limits, said):
    for name, limit in limits.items():
        monkeypatch.setattr(archive, name, limit)
    file, folder = tmp_path / "bomb.zip", tmp_path / "folder"
    file.write_bytes(packed_with("manifest.json", "rows/a", text="0" * 100_000))
    folder.mkdir()
    with pytest.raises(BundleProblem, match=said):
        archive.unpack(file, folder)
    assert list(folder.iterdir()) == []


@pytest.mark.proof
def test_a_link_in_a_bundle_leads_nowhere(db, bundle, tmp_path):
    """Unpacked it is a file that holds the address, and so an altered one."""
    file = tmp_path / "link.zip"
    with zipfile.ZipFile(bundle / "full.zip") as old, zipfile.ZipFile(file, "w") as new:
        for entry in old.infolist():
            content = old.read(entry)
            if entry.filename == "README.txt":
                entry.external_attr, content = 0o120777 << 16, b"/etc/hostname"
            new.writestr(entry, content)
    assert verify(file).wrong == ["README.txt was altered."]


@pytest.mark.proof
def test_a_manifest_and_a_signature_without_end(db, bundle, tmp_path, monkeypatch):
    monkeypatch.setattr(verification, "LONGEST_MANIFEST", 100_000)
    full = bundle / "full.zip"
    file = altered(full, tmp_path / "a.zip", "manifest.json", lambda text: text + b" " * 100_000)
    with pytest.raises(BundleProblem, match="longer than 100,000 bytes"):
        verify(file)
    file = altered(full, tmp_path / "b.zip", "manifest.sig", lambda text: text * 100_000)
    (wrong,) = verify(file).wrong
    assert "the signature does not match" in wrong


def test_many_wrong_lines_are_counted(db, bundle, tmp_path):
    def change(text):
        return text.replace(b'"text": "', b'"text": "x')

    file = altered(bundle / "full.zip", tmp_path / "a.zip", "rows/outputs.jsonl", change)
    wrong = verify(file).wrong
    assert len(wrong) == 1 + verification.SAID + 1
    assert wrong[-1] == "And 130 more like the last."


# ---- By a holder of the key ----------------------------------------------------------------------

SCORES = "results/scores.json"
OUTPUTS = "rows/outputs.jsonl"
TEXTS = b'{"id": 1, "text_words": 1, "text_characters": 2000000000}\n'
NO_FIGURES = (
    (lambda text: b"{", "cannot be read: "),
    (lambda text: b"[" * 100_000, "cannot be read: "),
    (lambda text: b"\xff", "not in UTF-8."),
    (lambda text: text + b" " * 10**7, " bytes, far more than it has here."),
)


def test_files_of_figures_that_were_signed_and_hold_none_are_named(db, bundle, tmp_path):
    with zipfile.ZipFile(bundle / "full.zip") as packed:
        names = [name for name in packed.namelist() if name.startswith("results/")]
    pages = [name for name in names if name.endswith(".json")][:4]
    changes = {name: change for name, (change, _) in zip(pages, NO_FIGURES, strict=True)}
    said = {name: words for name, (_, words) in zip(pages, NO_FIGURES, strict=True)}
    table = next(name for name in names if name.endswith(".csv"))
    changes |= {table: lambda text: text + b"1,2\n", "results/none.json": lambda text: b"{}"}
    said |= {table: "columns in the bundle", "results/none.json": "in the bundle, and not made"}
    wrong = verify(resigned(bundle / "full.zip", tmp_path / "a.zip", changes)).wrong
    assert len(wrong) == len(said)
    for name, words in said.items():
        (sentence,) = [each for each in wrong if each.startswith(f"{name}: ")]
        assert words in sentence


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("judgments.jsonl", lambda text: b'{"task": 1}\n', "cannot be read: 'place'"),
        ("judgments.jsonl", lambda text: text.split(b"\n")[0] + b"\n", "the chains do not end"),
        (OUTPUTS, lambda text: b"[]\n" + text, "outputs.jsonl, line 1: not an object of JSON."),
        (OUTPUTS, lambda text: b"\xff" + text, "outputs.jsonl: not in UTF-8."),
        ("rows/texts.jsonl", lambda text: TEXTS, "its texts would have 2,000,000,000 characters."),
    ],
)
def test_rows_that_were_signed_and_are_wrong_are_named(db, bundle, tmp_path, name, change, said):
    wrong = verify(resigned(bundle / "full.zip", tmp_path / "a.zip", {name: change})).wrong
    assert any(said in sentence for sentence in wrong), wrong


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        (OUTPUTS, lambda text: b"", "is missing, or leads to no row"),
        (OUTPUTS, lambda text: text + text.split(b"\n")[0] + b"\n", "Its rows cannot be read"),
        (OUTPUTS, lambda text: text.replace(b'"segment": ', b'"segment": 9', 1), "leads to no row"),
        ("rows/campaigns.jsonl", lambda text: text + text, "Its rows cannot be read|one campaign"),
        (
            "rows/campaigns.jsonl",
            lambda text: text.replace(b'"preset": "', b'"preset": "un'),
            "does not know the preset",
        ),
    ],
)
def test_rows_that_no_site_has_are_refused(db, bundle, tmp_path, name, change, said):
    file = resigned(bundle / "full.zip", tmp_path / "a.zip", {name: change})
    with pytest.raises(BundleProblem, match=said):
        verify(file)


def test_what_a_manifest_says_is_not_believed(db, bundle, tmp_path):
    full = bundle / "full.zip"
    wrong = verify(resigned(full, tmp_path / "a.zip", judgments=10**6)).wrong
    assert any("of which the manifest says 1,000,000." in sentence for sentence in wrong)
    with pytest.raises(BundleProblem, match="that figures lack them"):
        verify(resigned(full, tmp_path / "b.zip", needs_texts=[SCORES]))
    with zipfile.ZipFile(full) as packed:
        files = json.loads(packed.read("manifest.json"))["files"]
    del files["judgments.jsonl"]
    file = resigned(full, tmp_path / "c.zip", files=files)
    without = altered(file, tmp_path / "d.zip", "judgments.jsonl", lambda text: None)
    assert verify(without).wrong == ["It has no judgments.jsonl."]


def test_a_campaign_without_a_name_is_named_so(db, bundle, tmp_path):
    assert verify(resigned(bundle / "full.zip", tmp_path / "a.zip", campaign="")).name == ""


def test_a_bundle_cannot_write_lines_of_its_own(db, bundle, tmp_path, capsys):
    name = "Good\x1b[2J\n9 of 9 figures were reproduced."
    file = resigned(bundle / "full.zip", tmp_path / "a.zip", campaign=name, head="0" * 64)
    with pytest.raises(CommandError):
        call_command("verify_release", str(file))
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert not any(line.startswith("9 of 9") for line in said.splitlines())
