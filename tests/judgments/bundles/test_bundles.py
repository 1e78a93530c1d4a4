"""A release of a campaign of every protocol comes out again, number by number; what was altered in
one is named."""

import io
import json
import zipfile
from pathlib import Path

import pypdf
import pytest
from django.core.management import CommandError, call_command

from judgments import demo
from judgments.bundles.problem import BundleProblem
from judgments.bundles.release import release
from judgments.bundles.verification import verify
from judgments.models import (
    Campaign,
    Decision,
    Judgment,
    Membership,
    Note,
    Output,
    SystemFacts,
    TestSet,
)
from metrics.scores.comparisons import compute_comparisons
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests.judgments.bundles.sites import assert_as_on_the_site

pytestmark = pytest.mark.slow


def load_demo():
    demo.load()
    (test_set,) = TestSet.objects.all()
    jobs.work_on(jobs.create_job(test_set, [MetricChoice("chrf"), MetricChoice("ter")], ["ref"]).pk)
    compute_comparisons(test_set)
    first, second, *_ = test_set.systems.order_by("pk")
    SystemFacts.objects.create(system=second, kind="LLM", parameters=10**10, words_per_second=40.5)
    SystemFacts.objects.create(system=first, is_human=True, post_edited_from=second)


@pytest.fixture(scope="module")
def bundle(django_db_setup, django_db_blocker, tmp_path_factory):
    """The release of a campaign that is not in the database any more."""
    from django.db import transaction

    folder = tmp_path_factory.mktemp("bundles")
    with django_db_blocker.unblock(), transaction.atomic():
        load_demo()
        release(Campaign.objects.get(protocol="pairwise"), folder / "full.zip")
        spans = Campaign.objects.get(protocol="spans")
        release(spans, folder / "hashes.zip", hashes_only=True)
        texts = Output.objects.filter(segment__test_set=spans.test_set).values_list("text")
        (folder / "texts.json").write_text(json.dumps([text for (text,) in texts]))
        transaction.set_rollback(True)
    return folder


def test_every_campaign_of_the_demo_comes_out_again(db, tmp_path):
    load_demo()
    for campaign in Campaign.objects.order_by("pk"):
        before = [model.objects.count() for model in (Judgment, Campaign, Membership, TestSet)]
        first, second = tmp_path / f"{campaign.pk}.zip", tmp_path / f"{campaign.pk}-again.zip"
        manifest = release(campaign, first, aliases=True)
        release(campaign, second, aliases=True)
        assert first.read_bytes() == second.read_bytes()
        verdict = verify(first)
        assert verdict.wrong == []
        assert verdict.left == {}
        assert {each.name for each in verdict.figures} == {
            name
            for name in manifest["files"]
            if name.startswith("results/") or name == "report/report.md"
        }
        assert {"report/report.html", "report/report.pdf"} <= set(manifest["files"])
        assert sum(each.n for each in verdict.figures) > 1000
        assert all(each.n_close == 0 for each in verdict.figures)
        assert_as_on_the_site(campaign, first)
        after = [model.objects.count() for model in (Judgment, Campaign, Membership, TestSet)]
        assert after == before


def altered(file: Path, to: Path, name: str, change) -> Path:
    """A bundle in which one file is another: `change` of its bytes; None leaves it out."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(to, "w") as new:
        names = [*old.namelist()] + [name] * (name not in old.namelist())
        for each in names:
            content = old.read(each) if each in old.namelist() else b""
            content = change(content) if each == name else content
            if content is not None:
                new.writestr(each, content)
    return to


def one_byte(place: int):
    """Another letter or digit at the first one behind a place."""

    def change(content: bytes) -> bytes:
        at = next(i for i in range(place, len(content)) if content[i : i + 1].isalnum())
        other = b"1" if content[at : at + 1] != b"1" else b"2"
        return content[:at] + other + content[at + 1 :]

    return change


ALTERED = {
    "judgments.jsonl": (
        lambda text: (
            text.replace(b'\\"value\\":', b'\\"value\\": ', 1)
            if b'\\"value\\":' in text
            else text.replace(b'\\"preferences\\":[[', b'\\"preferences\\":[[1', 1)
        ),
        "judgments.jsonl, line 1 (task ",
    ),
    "rows/outputs.jsonl": (
        lambda text: text.replace(b'"text": "', b'"text": "x', 1),
        "rows/outputs.jsonl, line 1: the text is not the one hashed.",
    ),
    "results/scores.json": (one_byte(40), "results/scores.json was altered."),
    "rows/people.jsonl": (one_byte(20), "rows/people.jsonl was altered."),
    "signing-key.txt": (one_byte(20), "signing-key.txt was altered."),
    "manifest.json": (
        lambda text: text.replace(b'"code_version": "', b'"code_version": "9', 1),
        "manifest.json or manifest.sig was altered",
    ),
    "manifest.sig": (one_byte(5), "manifest.json or manifest.sig was altered"),
    "rows/items.jsonl": (lambda text: None, "rows/items.jsonl was removed."),
    "rows/more.jsonl": (lambda text: b"{}\n", "rows/more.jsonl was added."),
}


@pytest.mark.parametrize("name", ALTERED)
def test_what_was_altered_is_named(db, bundle, tmp_path, name):
    change, said = ALTERED[name]
    verdict = verify(altered(bundle / "full.zip", tmp_path / "altered.zip", name, change))
    assert any(said in sentence for sentence in verdict.wrong), verdict.wrong
    assert verdict.figures == []  # nothing is computed from what was not signed


@pytest.mark.parametrize("name", ["judgments.jsonl", "report/report.pdf", "rows/people.jsonl"])
def test_one_byte_of_the_zip_file_itself_is_named(db, bundle, tmp_path, name):
    """In the packed content, so that the file in it unpacks in part or not at all."""
    content = bytearray((bundle / "full.zip").read_bytes())
    with zipfile.ZipFile(bundle / "full.zip") as packed:
        entry = packed.getinfo(name)
    content[entry.header_offset + 30 + len(name) + entry.compress_size // 2] ^= 1
    file = tmp_path / "damaged.zip"
    file.write_bytes(content)
    verdict = verify(file)
    assert f"{name} was altered." in verdict.wrong
    assert verdict.figures == []


def test_a_judgment_that_was_taken_out_is_named_with_its_place(db, bundle, tmp_path):
    def without_first(text):
        return text.split(b"\n", 1)[1]

    file = altered(bundle / "full.zip", tmp_path / "a.zip", "judgments.jsonl", without_first)
    wrong = " ".join(verify(file).wrong)
    assert "place 1 is missing before it" in wrong
    assert "judgments.jsonl was altered" in wrong


def resigned(file: Path, to: Path, name: str, change) -> Path:
    """The same by whoever has the key: all hashes and the signature fit."""
    from judgments.bundles import archive, signing
    from judgments.bundles.release import MANIFEST, SIGNATURE

    folder = to.with_suffix("")
    archive.unpack(file, folder)
    path = folder / name
    path.write_bytes(change(path.read_bytes()))
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["files"][name] = archive.digest_of(path)
    text = json.dumps(manifest)
    (folder / MANIFEST).write_text(text)
    (folder / SIGNATURE).write_text(signing.sign(text.encode()))
    archive.pack(folder, to)
    return to


def test_a_figure_that_its_judgments_do_not_give_is_named(db, bundle, tmp_path):
    with zipfile.ZipFile(bundle / "full.zip") as packed:
        name = next(n for n in packed.namelist() if n.startswith("results/scores/scores-"))
        head, first, *_ = packed.read(name).decode().splitlines()
        column, cell = next(
            (column, cell)
            for column, cell in zip(head.split(","), first.split(","), strict=True)
            if "." in cell
        )
    whole, fraction = cell.split(".")
    other = f"{whole}.{'1' if fraction[0] != '1' else '2'}{fraction[1:]}"
    file = resigned(
        bundle / "full.zip",
        tmp_path / "b.zip",
        name,
        lambda text: text.replace(cell.encode(), other.encode(), 1),
    )
    verdict = verify(file)
    (wrong,) = verdict.wrong
    assert f"{name}: row 2, {column}: {other} in the bundle, {cell} here" in wrong
    assert len(verdict.figures) > 10


def test_a_sentence_of_the_report_that_its_judgments_do_not_give_is_named(db, bundle, tmp_path):
    def change(text):
        assert b" judgments count here." in text
        return text.replace(b" judgments count here.", b" judgments count there.", 1)

    file = resigned(bundle / "full.zip", tmp_path / "c.zip", "report/report.md", change)
    verdict = verify(file)
    (wrong,) = verdict.wrong
    assert wrong.startswith("report/report.md: “The judgments were made up by a program")
    told = "Hashed, not made again: campaign-file.json, report/report.html, report/report.pdf."
    assert told in verdict.told


def test_the_report_of_another_version_is_hashed_alone(db, bundle, settings):
    settings.VERSION = "9.9.9"
    verdict = verify(bundle / "full.zip")
    assert "report/report.md" in verdict.left
    assert verdict.wrong == []


def text_of_pdf(content: bytes) -> str:
    pages = pypdf.PdfReader(io.BytesIO(content)).pages
    return "".join(page.extract_text() for page in pages)


def test_another_key(db, bundle, settings):
    from judgments.bundles import signing

    own = signing.public_text()
    settings.SIGNING_KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
    verdict = verify(bundle / "full.zip", signing.public_text())
    assert verdict.wrong == [f"Signed with another key: {signing.fingerprint(own)}."]
    assert verify(bundle / "full.zip", own).wrong == []


def test_hashes_only(db, bundle):
    with zipfile.ZipFile(bundle / "hashes.zip") as packed:
        manifest = json.loads(packed.read("manifest.json"))
        everything = b"\n".join(packed.read(name) for name in packed.namelist())
        rows = [json.loads(line) for line in packed.read("rows/outputs.jsonl").splitlines()]
        report = text_of_pdf(packed.read("report/report.pdf"))
    assert manifest["texts"] == "hashes"
    assert {"text_sha256", "text_words", "text_characters"} <= rows[0].keys()
    assert not any("text" in row for row in rows)
    texts = json.loads((bundle / "texts.json").read_text())
    assert len(texts) == 120
    assert [text for text in texts if text in everything.decode(errors="replace")] == []
    assert "Kind of item" in report
    squeezed = "".join(report.split())
    assert [text for text in texts if "".join(text.split()) in squeezed] == []
    verdict = verify(bundle / "hashes.zip")
    assert verdict.wrong == []
    assert set(verdict.left) == set(manifest["needs_texts"])
    assert "report/report.md" in {each.name for each in verdict.figures}
    assert sum(each.n for each in verdict.figures) > 1000


def test_no_name_leaves(db, tmp_path):
    load_demo()
    campaign = Campaign.objects.get(protocol="rating")
    task = campaign.tasks.exclude(annotator=None).first()
    user = task.annotator
    user.email, user.username = "grete@example.org", "grete-account"
    user.save()
    campaign.memberships.filter(user=user).update(alias="Grete Hermann")
    item = task.items.first()
    Note.objects.create(item=item, annotator=user, kind="flag", comment="remark-of-hers")
    owner = campaign.memberships.get(role="owner").user
    Decision.objects.create(
        campaign=campaign, annotator=user, excluded=True, reason="too fast", decided_by=owner
    )
    tokens = list(campaign.memberships.values_list("token", flat=True))
    for options, names in ({}, False), ({"aliases": True, "notes": True}, True):
        file = tmp_path / f"{names}.zip"
        release(campaign, file, **options)
        with zipfile.ZipFile(file) as packed:
            every = b"\n".join(packed.read(name) for name in packed.namelist())
            report = text_of_pdf(packed.read("report/report.pdf"))
        everything = every.decode(errors="replace") + report
        assert ("Grete Hermann" in report) == names
        for secret in ("grete@example.org", "grete-account", owner.username, *tokens):
            assert secret not in everything
        assert ("Grete Hermann" in everything) == names
        assert ("remark-of-hers" in everything) == names
        assert "too fast" in everything
        assert verify(file).wrong == []


def packed_with(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name in names:
            packed.writestr(name, "{}")
    return out.getvalue()


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"no zip", "is no whole zip file"),
        (b"", "is no whole zip file"),
        (packed_with("a.json"), "it is no release of mteval"),
        (packed_with("../manifest.json"), "No file of a bundle is called"),
        (packed_with("/etc/manifest.json"), "No file of a bundle is called"),
        (packed_with("a/../../b"), "No file of a bundle is called"),
        (packed_with("manifest.json", "manifest.json"), "stands in it twice"),
        (packed_with("manifest.json", "Manifest.json"), "stands in it twice"),
        (packed_with("manifest.json"), "cannot be read"),
    ],
)
def test_what_is_no_bundle(db, tmp_path, content, said):
    file = tmp_path / "file.zip"
    file.write_bytes(content)
    with pytest.raises(BundleProblem, match=said):
        verify(file)


def test_what_unpacks_to_too_much(db, tmp_path, monkeypatch):
    monkeypatch.setattr("judgments.bundles.archive.MOST_BYTES", 1000)
    file = tmp_path / "bomb.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("manifest.json", "0" * 100_000)
    with pytest.raises(BundleProblem, match="unpacks to more than"):
        verify(file)


def test_commands(db, tmp_path, capsys):
    load_demo()
    campaign = Campaign.objects.get(protocol="pairwise")
    file = tmp_path / "out.zip"
    call_command("release", str(campaign.pk), "--to", str(file))
    assert "signed with the key" in capsys.readouterr().out
    call_command("verify_release", str(file))
    said = capsys.readouterr().out
    assert "figures came out again." in said
    assert "WRONG" not in said
    with pytest.raises(CommandError, match="is there already"):
        call_command("release", str(campaign.pk), "--to", str(file))
    other = altered(file, tmp_path / "other.zip", "results/scores.json", one_byte(40))
    with pytest.raises(CommandError, match="1 thing is wrong"):
        call_command("verify_release", str(other))
