"""Whole documents of WMT26: sources and systems' files in the shapes that its repository describes
(github.com/wmt-conference/wmt26-general-mt, README), with texts of our own."""

import json
from collections import Counter

import pytest
from django.core.management import CommandError, call_command

from judgments.exchange.releases import registry
from judgments.exchange.releases.importer import bring_in
from judgments.exchange.releases.languages import language_code, pair_in
from judgments.exchange.releases.records import Problems
from judgments.files.uploads import opened
from judgments.models import Reference, ReferenceFacts, SegmentMedia, TestSet
from tests.media_files import png
from tests.shared import shared_data

PARTS = "WMT26_###_{}_###_eng_Latn_###_{}_###_{}"


def lines(path, *rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def source(domain, target, name, text, **more):
    row = {"doc_id": PARTS.format(domain, target, name), "domain": domain}
    row |= {"src_lang": "eng_Latn", "tgt_lang": target, "src_text": text, "video": None}
    row |= {"screenshot": None, "gold_transcript": None, "prompt_instruction": "Translate."}
    return row | {"multimodal_instruction": None, "evaluation_instruction": "", "refs": {}} | more


def output(domain, target, name, text):
    row = {"doc_id": PARTS.format(domain, target, name), "hypothesis": text}
    return row | {"metadata": {}}


@pytest.fixture
def folder(tmp_path):
    video = {"id": "v1", "path": "videos/v1.mp4"}
    two = "<p>A cat.</p>\n<p>A dog\nbarks.</p>"
    lines(
        tmp_path / "wmt26-genmt.jsonl",
        source("news", "ces_Latn", "d1", two, refs={"refA": {"ref": "<p>R1</p> <p>R2</p>"}}),
        source("news", "ekk_Latn", "d1", two),
        source("speech", "ekk_Latn", "s1", "", gold_transcript="Well.", video=video),
        source("social", "ekk_Latn", "d2", "<p>One.</p><p>Two.</p>"),
        source("news", "deu_Latn", "d1", two),
    )
    systems = tmp_path / "data/systems"
    lines(
        systems / "Alpha.jsonl",
        output("news", "ekk_Latn", "d1", "<p>Kass.</p>\n<p>Koer.</p>"),
        output("speech", "ekk_Latn", "s1", "Noh."),
        output("social", "ekk_Latn", "d2", "<p>Üks. Kaks.</p>"),
        output("social", "ekk_Latn", "gone", "?"),
    )
    lines(
        systems / "Beta.jsonl",
        output("news", "ces_Latn", "d1", "<p>Kočka.</p>\n<p>Pes.</p>"),
        output("news", "ekk_Latn", "d1", ""),
    )
    return tmp_path


def read(*paths, **answers):
    with opened(paths) as files:
        found, rest = registry.recognize(files)
        problems = Problems()
        release = registry.read(files, answers, problems)
        texts = {part.name: list(part.segments()) for part in release.texts}
    assert [each.slug for each, _ in found] == ["wmt-documents"] and not rest
    return release, texts, problems


def test_paragraphs_are_segments(folder):
    release, texts, problems = read(folder)
    assert not problems.n
    assert [(p.name, p.source_language, p.target_language) for p in release.texts] == [
        ("wmt26 en-cs", "en", "cs"),
        ("wmt26 en-et", "en", "et"),
    ]
    first, second = texts["wmt26 en-cs"]
    assert (first.key, first.document, first.domain) == ("d1:1", "d1", "news")
    assert first.instructions == "Translate."
    assert (second.source, second.references) == ("A dog\nbarks.", {"refA": "R2"})
    assert second.outputs == {"Beta": "Pes."}
    found = [(s.key, s.source, s.outputs) for s in texts["wmt26 en-et"]]
    assert found == [
        ("d1:1", "A cat.", {"Alpha": "Kass.", "Beta": ""}),
        ("d1:2", "A dog\nbarks.", {"Alpha": "Koer.", "Beta": ""}),
        ("s1", "Well.", {"Alpha": "Noh."}),
        ("d2", "One.\n\nTwo.", {"Alpha": "Üks. Kaks."}),
    ]


def test_what_stays_outside_is_said(folder):
    notes = " ".join(read(folder)[0].notes)
    for words in (
        "Left out: outputs of documents without a source (1).",
        "Documents of one segment each (1)",
        "Left out: videos (1).",
        "Left out: language pairs without outputs (1).",
    ):
        assert words in notes
    assert "metadata" not in notes, "it is empty in all rows"


def test_one_pair_and_no_sources(folder):
    release, texts, _ = read(folder / "data", pairs="en-cs")
    assert [segment.source for segment in texts["wmt26 en-cs"]] == ["(no source)"] * 2
    assert "The sources are not there" in release.notes[0]


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ({"doc_id": "WMT26_###_news", "hypothesis": "x"}, "doc_id"),
        (output("news", "ekk_Latn", "d1", None), "hypothesis"),
        (output("news", "ekk_Latn", "d1", "again"), "doc_id"),
        (output(" ", "ekk_Latn", "d1", "x"), "doc_id"),
    ],
)
def test_a_bad_row_is_named(folder, row, column):
    good = output("news", "ekk_Latn", "d1", "x")
    lines(folder / "data/systems/Gamma.jsonl", good, row)
    _, _, problems = read(folder)
    (problem,) = problems.first
    assert (problem.file, problem.row, problem.column) == ("Gamma.jsonl", 2, column)


@pytest.mark.django_db
def test_in_one_command(folder, admin_user):
    call_command("import_wmt", str(folder), owner=admin_user.username, verbosity=0)
    found = {each.name: each.segments.count() for each in TestSet.objects.all()}
    assert found == {"wmt26 en-cs": 2, "wmt26 en-et": 4}


CHOSEN = "wmt26_synthetic_references"


def chosen(domain, target, name, text, donor, n_replaced):
    """A row in the shape of `synthetic_references/` of the same repository."""
    row = output(domain, target, name, text) | {"hypothesis_segmented": text.split("\n")}
    about = {"document_selected_system": donor, "replaced_segments": n_replaced}
    return row | {"metadata": about}


@pytest.fixture
def put_together(folder):
    lines(
        folder / f"synthetic_references/{CHOSEN}.jsonl",
        chosen("news", "ekk_Latn", "d1", "<p>Kass.</p> <p>Koer haugub.</p>", "Alpha", 1),
        chosen("speech", "ekk_Latn", "s1", "Noh.", "Alpha", 0),
        chosen("social", "ekk_Latn", "d2", "<p>Üks.</p> <p>Kaks.</p>", "Nobody", 0),
    )
    return folder


def donor_table(folder, *rows):
    head = "direction,doc_id,segment_index,document_score,final_system\n"
    text = head + "".join(
        f"x,{PARTS.format(domain, 'ekk_Latn', name)},{place},99.5,{donor}\n"
        for domain, name, place, donor in rows
    )
    (folder / "synthetic_references/segment_provenance.csv").write_text(text, "utf-8")


def test_references_put_together_of_outputs_have_donors(put_together):
    release, texts, problems = read(put_together)
    assert not problems.n
    found = {s.key: (s.references, s.donors) for s in texts["wmt26 en-et"]}
    assert found == {
        # A paragraph was replaced, and no table says which.
        "d1:1": ({CHOSEN: "Kass."}, {}),
        "d1:2": ({CHOSEN: "Koer haugub."}, {}),
        "s1": ({CHOSEN: "Noh."}, {CHOSEN: "Alpha"}),
        "d2": ({CHOSEN: "Üks.\n\nKaks."}, {CHOSEN: "Nobody"}),
    }
    assert "donors of references that are no systems of the files (1)" in " ".join(release.notes)
    assert all(part.reference_kinds == {CHOSEN: "chosen"} for part in release.texts)


def test_a_table_says_whose_the_paragraphs_are(put_together):
    rows = ("news", "d1", 0, "Alpha"), ("news", "d1", 1, "Beta"), ("social", "d2", 0, "Alpha")
    donor_table(put_together, *rows, ("social", "d2", 1, "Beta"))
    _, texts, problems = read(put_together)
    assert not problems.n
    found = {s.key: s.donors.get(CHOSEN) for s in texts["wmt26 en-et"]}
    # d2 is one segment with paragraphs of two systems; what its row says of it counts.
    assert found == {"d1:1": "Alpha", "d1:2": "Beta", "s1": "Alpha", "d2": "Nobody"}
    donor_table(put_together, ("news", "d1", "first", "Alpha"), ("news", "d1", 1, "Beta"))
    _, texts, problems = read(put_together)
    (problem,) = problems.first
    assert (problem.row, problem.column) == (2, "segment_index")
    assert texts["wmt26 en-et"][1].donors == {}, "one of two rows is no table of the document"


@pytest.mark.parametrize(
    ("rows", "row", "column"),
    [
        ((("news", "d1", 0, "Alpha"), ("news", "d1", 0, "Beta")), 3, "segment_index"),
        ((("news", "d1", 0, "A" * 50_001),), 2, "final_system"),
    ],
)
def test_a_bad_row_of_the_table_is_named(put_together, rows, row, column):
    donor_table(put_together, *rows)
    _, texts, problems = read(put_together)
    (problem,) = problems.first
    assert (problem.file, problem.row) == ("segment_provenance.csv", row)
    assert problem.column == column
    assert texts["wmt26 en-et"][0].donors == {}


@pytest.mark.parametrize("donor", ["Al\0pha", "\ud800", 7, ["Alpha"]])
def test_a_bad_donor_of_a_document_is_named(folder, donor):
    row = chosen("speech", "ekk_Latn", "s1", "Noh.", donor, 0)
    lines(folder / f"synthetic_references/{CHOSEN}.jsonl", row)
    _, _, problems = read(folder)
    (problem,) = problems.first
    place = f"{CHOSEN}.jsonl", 1, "document_selected_system"
    assert (problem.file, problem.row, problem.column) == place


def test_a_table_of_one_of_several_references_is_said_to_be_left_out(put_together):
    donor_table(put_together, ("news", "d1", 0, "Alpha"), ("news", "d1", 1, "Beta"))
    assert "the table of donors" not in " ".join(read(put_together)[0].notes)
    row = chosen("speech", "ekk_Latn", "s1", "Noh!", "Alpha", 0)
    lines(put_together / "synthetic_references/other.jsonl", row)
    release, texts, problems = read(put_together)
    assert not problems.n
    assert "does not say of which of the 2 references it is" in " ".join(release.notes)
    assert texts["wmt26 en-et"][0].donors == {}


@pytest.mark.django_db
def test_donors_are_stored(put_together, admin_user):
    donor_table(put_together, ("news", "d1", 0, "Alpha"), ("news", "d1", 1, "Beta"))
    call_command("import_wmt", str(put_together), owner=admin_user.username, verbosity=0)
    references = Reference.objects.filter(name=CHOSEN).order_by("segment__position")
    found = list(references.values_list("segment__key", "donor__name"))
    assert found == [("d1:1", "Alpha"), ("d1:2", "Beta"), ("s1", "Alpha"), ("d2", None)]
    facts = ReferenceFacts.objects.get()
    assert (facts.test_set.name, facts.name, facts.kind) == ("wmt26 en-et", CHOSEN, "chosen")


def test_a_source_names_the_donor_of_its_reference(folder):
    refs = {"refA": {"ref": "<p>R1</p> <p>R2</p>", "post_edited_from": "Gamma"}}
    two = "<p>One.</p> <p>Two.</p>"
    lines(folder / "wmt26-genmt.jsonl", source("news", "ces_Latn", "d1", two, refs=refs))
    lines(folder / "data/systems/Gamma.jsonl", output("news", "ces_Latn", "d1", two))
    _, texts, _ = read(folder)
    assert [s.donors for s in texts["wmt26 en-cs"]] == [{"refA": "Gamma"}] * 2


MP4 = b"\0\0\0\x20ftypisom" + bytes(64)


@pytest.fixture
def shown(folder, settings, tmp_path_factory):
    """The same with the video named by its speech, and pictures of three other documents: one
    exists, one is not a picture, and one was not uploaded. One document has nothing else."""
    settings.MEDIA_ROOT = tmp_path_factory.mktemp("kept")
    (folder / "videos").mkdir()
    (folder / "videos/v1.mp4").write_bytes(MP4)
    pictures = folder / "screenshots"
    pictures.mkdir()
    (pictures / "p1.png").write_bytes(png())
    (pictures / "p2.png").write_bytes(b"<html>")
    (pictures / "p3.png").write_bytes(png() + b"\n")
    with (folder / "wmt26-genmt.jsonl").open("a") as file:
        for n, name in enumerate(("p1", "p2", "gone"), 1):
            picture = {"id": name, "path": f"screenshots/{name}.png"}
            text = "<p>One.</p><p>Two.</p>" if n > 1 else ""
            file.write(json.dumps(source("web", "ekk_Latn", f"w{n}", text, screenshot=picture)))
            file.write("\n")
    rows = [output("web", "ekk_Latn", f"w{n}", "<p>Üks.</p><p>Kaks.</p>") for n in (1, 2, 3)]
    lines(folder / "data/systems/Gamma.jsonl", *rows)
    return folder


def test_media_stand_at_their_documents(shown):
    release, texts, problems = read(shown)
    assert not problems.n
    found = {s.key: (s.source, s.media and s.media.file) for s in texts["wmt26 en-et"]}
    assert found["s1"] == ("Well.", "videos/v1.mp4")
    assert found["w1:2"] == ("", "screenshots/p1.png"), "nothing to read, but something to see"
    assert found["w2:1"] == ("One.", None)
    notes = " ".join(release.notes)
    assert "Named by no document: sound, pictures and videos (1)." in notes
    assert "Left out: screenshots (2)." in notes
    assert "It was left out: “screenshots/p2.png” is of no kind that is taken" in notes
    assert "Left out: videos" not in notes


@pytest.mark.django_db
def test_media_are_stored_with_the_texts_and_not_in_a_trial(shown, admin_user, settings):
    def stored():
        return [path for path in settings.MEDIA_ROOT.rglob("*") if path.is_file()]

    findings = bring_in([shown], admin_user, keep=False)
    assert "3 with sound, a picture or a video" in findings.found[1].sentence
    assert not stored()
    with pytest.raises(CommandError, match="no published figures"):
        call_command("recompute", str(shown), verbosity=0)
    assert not stored(), "nothing is stored by a command that only computes"
    bad = lines(shown / "data/systems/Delta.jsonl", {"doc_id": "WMT26_###_web", "hypothesis": "x"})
    assert bring_in([shown], admin_user).written is None
    assert not stored(), "nothing came in"
    bad.unlink()
    assert bring_in([shown], admin_user).written
    media = SegmentMedia.objects.filter(segment__test_set__name="wmt26 en-et")
    kinds = {each.segment.key: each.file.kind for each in media.select_related("file", "segment")}
    assert kinds == {"s1": "video/mp4", "w1:1": "image/png", "w1:2": "image/png"}
    assert len(stored()) == 2
    assert TestSet.objects.get(name="wmt26 en-et").has_media


def test_codes_with_scripts():
    codes = "eng_Latn", "ekk_Latn", "srp_Cyrl", "zho_Hans", "arz_Arab", "pt_BR", "sme_Latn"
    expected = ["en", "et", "sr-Cyrl", "zh-Hans", "arz", "pt-BR", "se"]
    assert [language_code(code) for code in codes] == expected
    assert pair_in("eng_Latn---ces_Latn v3") == ("en", "cs")
    assert pair_in("wmt25_#_en-cs_CZ") == ("en", "cs-CZ")


def test_published_outputs():
    """Four systems as WMT26 released them: documents of each pair as zcat and grep count them."""
    _, texts, problems = read(*sorted(shared_data("11_wmt26").glob("*.jsonl.gz")))
    assert not problems.n
    assert len(texts) == 6
    for segments in texts.values():
        counts = Counter(domain for _, domain in {(s.document, s.domain) for s in segments})
        assert counts == {"speech": 133, "social": 44, "news": 14, "software": 7}
