"""An archive is whole: every link leads somewhere in it, nothing comes from elsewhere, and its
figures are those of the site's tables."""

import io
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from judgments.models import Document, Item, Segment, System
from judgments.publishing.archive.names import FileNames
from judgments.publishing.archive.pages import Archive
from judgments.publishing.archive.stores import zipped
from judgments.results import exports
from judgments.results.figure_addresses import address_of_figure
from judgments.results.scores import page as scores_page
from judgments.results.segments import links as segment_links
from judgments.results.selection.selection import Selection
from judgments.web import sections as web_sections
from tests import factory
from tests.made_files import made

from .links import assert_links_resolve

pytestmark = pytest.mark.django_db
# Of one domain, without metrics and notes, without a plan.
EMPTY = ("domains", "metrics", "notes", "stopping")
HOSTILE = '../../<script>alert("x")</script> & con'


@pytest.fixture
def campaign(db):
    """Two annotators with telling names in their accounts, three systems, hostile names."""
    owner = factory.make_user("owner", email="owner@example.org", is_staff=True)
    people = [factory.make_user(name, email=f"{name}@example.org") for name in ("ada", "ben")]
    test_set = factory.make_test_set(owner)
    campaign = factory.make_campaign(test_set, owner=owner, annotators=people)
    for alias, person in zip(("annotator-1", "annotator-2"), people, strict=True):
        campaign.memberships.filter(user=person).update(alias=alias)
    for seat, person in enumerate(people, 1):
        factory.make_task(campaign, person, seat=seat)
    for place, item in enumerate(Item.objects.order_by("pk")):
        row = [1.0 + place % 3, 3.0, 5.0 - place % 2]
        factory.judge(item, {"adequacy": row, "fluency": row[::-1]})
    System.objects.filter(name="System-A").update(name=HOSTILE)
    first, second = Segment.objects.order_by("position")[:2]
    Segment.objects.filter(pk=first.pk).update(key="a/b", source=f"<b>{HOSTILE}")
    Segment.objects.filter(pk=second.pk).update(key="A?b")
    Document.objects.filter(pk=first.document_id).update(name=HOSTILE)
    campaign.name = HOSTILE
    campaign.save()
    return campaign


@pytest.fixture
def folder(campaign, tmp_path):
    call_command("archive", campaign.pk, to=tmp_path / "archive", stdout=io.StringIO())
    return tmp_path / "archive"


def html_pages(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.html"))


@pytest.mark.proof
def test_every_link_leads_to_something_in_the_folder(folder):
    assert_links_resolve(folder)


@pytest.mark.proof
def test_nothing_comes_from_elsewhere(folder):
    for path in folder.rglob("*"):
        if path.suffix == ".css":
            assert not re.search(r"@import|url\((?!\"?data:)", path.read_text()), path
        if path.suffix == ".svg":
            kinds = {element.tag.rpartition("}")[2] for element in ElementTree.parse(path).iter()}
            assert not kinds & {"script", "image", "foreignObject", "a"}, path


@pytest.mark.proof
def test_pages_have_what_the_site_has(campaign, folder):
    selection = Selection.of(campaign)
    titles = {page.slug: str(page.name) for page, _, _ in web_sections.pages_of(selection)}
    assert {path.stem for path in (folder / "pages").iterdir()} == set(titles) - {*EMPTY}
    index = (folder / "index.html").read_text()
    assert not [title for slug, title in titles.items() if slug in EMPTY and f">{title}<" in index]
    shown = [
        (lazy, of)
        for page, of, sections in web_sections.pages_of(selection)
        for section in sections
        if page.slug not in EMPTY
        if section.exists()
        for lazy in section.files
    ]
    assert len(shown) > 10
    for lazy, of in shown:
        file = (folder / "tables" / f"{lazy.slug}.csv").read_text()
        address = address_of_figure(of, slug=lazy.slug)
        assert file == exports.table_file(lazy.make(), of.sentence, address), lazy.slug
    scores = (folder / "pages" / "scores.html").read_text()
    found = next(s for s in scores_page.sections(selection) if s.charts)
    assert found.sentence() in unescaped(scores)
    assert found.sentence() in unescaped((folder / "index.html").read_text())
    assert 'src="../charts/chart-scores-adequacy-raw.svg"' in scores
    assert 'href="../tables/scores-adequacy-raw.csv"' in scores
    text = "".join(exports.with_line(exports.tsv_lines(selection), selection))
    assert (folder / "data" / "observations.tsv").read_text() == text
    assert {path.name for path in (folder / "static").iterdir()} == {
        *("pico.min.css", "app.css", "differences.css", "segments.css"),
        *("LICENSE.md", "sortable.js", "folds.js", "steps.js", "LICENSE"),
    }


def unescaped(text: str) -> str:
    from html import unescape

    return unescape(text)


@pytest.mark.proof
def test_segments(campaign, folder):
    judged = Segment.objects.filter(items__judgments__isnull=False).distinct()
    names = sorted(path.stem for path in (folder / "segments").glob("segment-*.html"))
    assert len(names) == judged.count() > 1
    page = unescaped((folder / "segments" / "segment-ab.html").read_text())
    segment = Segment.objects.get(key="a/b")
    for text in (segment.source, *segment.outputs.values_list("text", flat=True)):
        assert text in page
    for text in segment.references.values_list("text", flat=True):
        assert text in page
    means = scores_page.segment_table(Selection.of(campaign))
    row = next(r for r in means.rows if r[:3] == ("adequacy", "System-B", "a/b"))
    assert f'data-value="{row[3]:.9g}"' in page.split(">System-B</a></th>")[1].split("</tr>")[0]
    assert "annotator-1" in page and "annotator-2" in page


def test_nobody_is_named(folder):
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            for secret in (b"example.org", b"ada@", b">ada<", b"ben@"):
                assert secret not in content, path


def test_hostile_names_are_words(folder):
    for page in html_pages(folder):
        assert "<script>alert" not in page.read_text(), page
    assert {path.name for path in folder.iterdir()} == {
        *("index.html", "pages", "charts", "tables", "segments", "data", "static"),
    }
    stems = [path.stem for path in (folder / "segments").iterdir()]
    assert {"segment-ab", "segment-ab-2"} <= set(stems), "one name for each, whatever the disk"


def test_names():
    names = FileNames()
    given = ["", "..", "con", "Ä", "A", "a", "日本", "x" * 300, "a-2", "a"]
    found = [names.of(text, "s-") for text in given]
    assert found[:3] == ["s", "s-2", "s-con"]
    assert len({each.casefold() for each in found}) == len(given)
    assert all(re.fullmatch(r"s[-a-z0-9]{0,63}", each) for each in found), found


def test_cells_lead_to_pages_of_segments(campaign):
    archive = Archive(Selection.of(campaign))
    pk = Segment.objects.get(key="a/b").pk
    system = System.objects.get(name="System-B").pk
    address = segment_links.to_segment(archive.selection, pk, system=system)
    assert archive.link(address) == f"../segments/segment-ab.html#system-{system}"
    assert archive.link(segment_links.to_segments(archive.selection, sort="clash")) == ""
    assert archive.link(segment_links.to_segment(archive.selection, 10**9)) == ""


@pytest.mark.proof
def test_the_download_is_the_folder(client, campaign, folder):
    client.force_login(campaign.memberships.get(role="owner").user)
    content = made(client, reverse("export-archive", args=[campaign.pk]))
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        assert packed.testzip() is None
        names = {name.partition("/")[2] for name in packed.namelist()}
        index = packed.read(next(n for n in packed.namelist() if n.endswith("/index.html")))
    assert names == {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert index == (folder / "index.html").read_bytes()


def test_it_is_made_file_by_file(campaign, monkeypatch):
    """The second file is not started before the first is taken."""
    asked = []
    monkeypatch.setattr(exports, "chart_file", lambda *rest: asked.append(rest) or b"<svg/>")
    files = zipped(Archive(Selection.of(campaign)).files(), "x")
    assert next(files)
    assert not asked


def test_a_selection_is_said_on_every_page(campaign, tmp_path):
    to = tmp_path / "part.zip"
    call_command("archive", campaign.pk, to=to, query="system=System-B", stdout=io.StringIO())
    with zipfile.ZipFile(to) as packed:
        (name,) = [n for n in packed.namelist() if n.endswith("pages/scores.html")]
        assert b"Only the system System-B" in packed.read(name)


def test_what_cannot_be(campaign, tmp_path):
    (tmp_path / "file").write_text("mine")
    for options in (
        {"to": tmp_path},
        {"to": tmp_path / "new", "query": "fewest_words=many"},
    ):
        with pytest.raises(CommandError):
            call_command("archive", campaign.pk, **options)
    with pytest.raises(CommandError):
        call_command("archive", 10**9, to=tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    "preset", ["pairwise", "esa-ai", "post-editing", "comprehension", "word-alignment"]
)
def test_campaigns_of_other_kinds_and_without_judgments(preset, tmp_path):
    owner = factory.make_user("owner", is_staff=True)
    campaign = factory.make_campaign(factory.make_test_set(owner), preset=preset, owner=owner)
    call_command("archive", campaign.pk, to=tmp_path / "a", stdout=io.StringIO())
    assert (tmp_path / "a" / "index.html").is_file()
