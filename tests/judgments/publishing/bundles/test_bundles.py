"""A release of a campaign of every protocol comes out again, number by number; what was altered in
one is named."""

import io
import json
import zipfile

import pypdf
import pytest
from django.core.management import CommandError, call_command

from judgments.models import (
    Campaign,
    Decision,
    Judgment,
    Membership,
    Note,
    TestSet,
)
from judgments.publishing.bundles.release import release
from judgments.publishing.bundles.verification import verify
from tests.judgments.publishing.bundles.alterations import altered, one_byte, resigned
from tests.judgments.publishing.bundles.sites import assert_as_on_the_site, load_demo

pytestmark = pytest.mark.slow


@pytest.mark.proof
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


@pytest.mark.proof
@pytest.mark.parametrize("name", ALTERED)
def test_what_was_altered_is_named(db, bundle, tmp_path, name):
    change, said = ALTERED[name]
    verdict = verify(altered(bundle / "full.zip", tmp_path / "altered.zip", name, change))
    assert any(said in sentence for sentence in verdict.wrong), verdict.wrong
    assert verdict.figures == []  # nothing is computed from what was not signed


@pytest.mark.proof
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


@pytest.mark.proof
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
        {name: lambda text: text.replace(cell.encode(), other.encode(), 1)},
    )
    verdict = verify(file)
    (wrong,) = verdict.wrong
    assert f"{name}: row 2, {column}: {other} in the bundle, {cell} here" in wrong
    assert len(verdict.figures) > 10


@pytest.mark.proof
def test_a_sentence_of_the_report_that_its_judgments_do_not_give_is_named(db, bundle, tmp_path):
    def change(text):
        assert b" judgments count here." in text
        return text.replace(b" judgments count here.", b" judgments count there.", 1)

    file = resigned(bundle / "full.zip", tmp_path / "c.zip", {"report/report.md": change})
    verdict = verify(file)
    (wrong,) = verdict.wrong
    assert wrong.startswith("report/report.md: “The judgments were made up by a program")
    note = "Hashed, not made again: campaign-file.json, report/report.html, report/report.pdf."
    assert note in verdict.notes


def test_the_report_of_another_version_is_hashed_alone(db, bundle, settings):
    settings.VERSION = "9.9.9"
    verdict = verify(bundle / "full.zip")
    assert "report/report.md" in verdict.left
    assert verdict.wrong == []


def text_of_pdf(content: bytes) -> str:
    pages = pypdf.PdfReader(io.BytesIO(content)).pages
    return "".join(page.extract_text() for page in pages)


@pytest.mark.proof
def test_another_key(db, bundle, settings):
    from judgments.publishing.bundles import signing

    own = signing.public_text()
    settings.SIGNING_KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
    verdict = verify(bundle / "full.zip", signing.public_text())
    assert verdict.wrong == [f"Signed with another key: {signing.fingerprint(own)}."]
    assert verify(bundle / "full.zip", own).wrong == []


@pytest.mark.proof
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
    assert len(texts) == 180
    assert [text for text in texts if text in everything.decode(errors="replace")] == []
    assert "Kind of item" in report
    squeezed = "".join(report.split())
    assert [text for text in texts if "".join(text.split()) in squeezed] == []
    verdict = verify(bundle / "hashes.zip")
    assert verdict.wrong == []
    assert set(verdict.left) == set(manifest["needs_texts"])
    assert "report/report.md" in {each.name for each in verdict.figures}
    assert sum(each.n for each in verdict.figures) > 1000


@pytest.mark.proof
def test_no_name_leaves(db, tmp_path):
    load_demo()
    campaign = Campaign.objects.get(protocol="rating")
    task = campaign.tasks.exclude(annotator=None).first()
    user = task.annotator
    user.email, user.username = "grete@example.org", "grete-account"
    user.save()
    campaign.memberships.filter(user=user).update(alias="Grete Hermann")
    item = task.items.first()
    output = item.shown.first().output
    Note.objects.create(
        item=item,
        annotator=user,
        kind="flag",
        comment="remark-of-hers",
        **{"side": "target", "output": output, "start": 0, "end": 4, "quote": "words-of-hers"},
    )
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
        assert ("words-of-hers" in everything) == names
        assert "too fast" in everything
        assert verify(file).wrong == []


@pytest.mark.proof
def test_commands(db, tmp_path, capsys):
    load_demo()
    campaign = Campaign.objects.get(protocol="pairwise")
    file = tmp_path / "out.zip"
    call_command("release", str(campaign.pk), "--to", str(file))
    assert "signed with the key" in capsys.readouterr().out
    call_command("verify_release", str(file))
    said = capsys.readouterr().out
    assert "figures were reproduced in " in said.splitlines()[-1]
    assert "WRONG" not in said
    assert "  same " not in said
    with pytest.raises(CommandError, match="already exists"):
        call_command("release", str(campaign.pk), "--to", str(file))
    other = altered(file, tmp_path / "other.zip", "results/scores.json", one_byte(40))
    with pytest.raises(CommandError, match="1 thing is wrong"):
        call_command("verify_release", str(other))
