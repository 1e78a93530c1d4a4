"""Every file of the field, as its authors published it: in by the page, out, and in again.

shared/data/10_as_released has them byte for byte. Nothing is prepared: what belongs together is
chosen together, as a person would.
"""

import json
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from judgments.exchange.releases import out, uploads
from judgments.exchange.releases.from_database import segments_of
from judgments.files.uploads import Folder
from judgments.models import Campaign, Membership, Role, Upload
from judgments.results.observations import observations
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from tests import factory
from tests.releases import bring
from tests.shared import shared_data

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]

APPRAISE, WMT22 = "appraise", "wmt22"
# What is chosen together → the format in which what came in goes out again.
SETS = {
    ("wmt23.en-de.tar.gz",): "mt-metrics-eval",
    (f"{APPRAISE}/240315rc5ESA.scores.csv.gz", f"{APPRAISE}/Annotators_mapping.csv.gz"): "appraise",
    (f"{APPRAISE}/240315rc5MQM.scores.csv.gz", f"{APPRAISE}/Annotators_mapping.csv.gz"): "appraise",
    (f"{APPRAISE}/240315rc5ESA.scores.csv.gz",): "tsv",
    (f"{APPRAISE}/DataSQM.manifest.json.gz",): "appraise-batches",
    (f"{APPRAISE}/Document.batches.json.gz",): "appraise-batches",
    (
        f"{APPRAISE}/MQM+ESA.batches_esa.json.gz",
        f"{APPRAISE}/MQM+ESA.manifest_esa.json.gz",
    ): "appraise-batches",
    (f"{APPRAISE}/MQM+ESA.batches_mqm.json.gz",): "appraise-batches",
    (
        f"{APPRAISE}/Pairwise.batches.json.gz",
        f"{APPRAISE}/Pairwise.manifest.json.gz",
    ): "appraise-batches",
    (f"{APPRAISE}/tutorial.de-en.esa.json",): "appraise-batches",
    ("google-mqm/mqm_ted_zhen.first2000.tsv.gz",): "google-mqm",
    ("google-mqm/mqm_newstest2020_zhen.source-errors.first400.tsv.gz",): "google-mqm",
    ("wmt16/wmt16.collapsed.deu-eng.csv.gz",): "wmt-ranked-pairs",
    (
        f"{WMT22}/WMT22.Appraise.SegLvlLivSrc.20221031.filtered.csv.gz",
        f"{WMT22}/header.SegLvl.csv.gz",
    ): "appraise",
    (f"{WMT22}/ad-uken-good-stnd.csv.gz",): "parquet",
    (f"{WMT22}/wmttest2022.liv-en.all.xml.gz",): "wmt-xml",  # texts alone: no campaign
    ("wmt24/esa_generalMT2024_wave2.first1500.csv.gz",): "xlsx",
}


def figures(campaign: Campaign) -> list:
    """The scores of systems on every dimension, as far as people judged."""
    selection = Selection.of(campaign)
    found = []
    for slug in [d.slug for d in observations.dimensions_of(campaign)] or [None]:
        scores = scores_figures.system_scores(selection, slug)
        found += [
            (slug, str(name), f"{mean:.10g}", int(n))
            for name, mean, n in zip(scores.names, scores.mean, scores.n_judgments, strict=True)
        ]
    return sorted(found, key=str)


def planned(campaign: Campaign) -> tuple[int, int]:
    return campaign.tasks.count(), campaign.practices.count()


@pytest.mark.parametrize(("names", "slug"), SETS.items(), ids=lambda each: str(each)[:60])
def test_in_by_the_page_out_and_in(client, tmp_path, names, slug):
    owner = factory.make_user("organizer", is_staff=True)
    client.force_login(owner)
    paths = [shared_data("10_as_released", *name.split("/")) for name in names]
    files = [SimpleUploadedFile(path.name, path.read_bytes()) for path in paths]
    client.post(reverse("import"), {"several": files})
    upload = Upload.objects.latest("pk")
    if not upload.is_reviewed:  # larger ones are a worker's
        uploads.work(upload.pk)
    page = client.get(reverse("import-found", args=[upload.pk]))
    assert page.context["upload"].is_reviewed, page.content.decode()[-3000:]
    form = page.context["form"]
    data = {field: form[field].initial or "" for field in form.fields}
    client.post(reverse("import-answer", args=[upload.pk]), {**data, "act": "import"})
    upload.refresh_from_db()
    if not upload.is_imported:
        uploads.work(upload.pk)
        upload.refresh_from_db()
    assert upload.is_imported, json.dumps(upload.outcome)[:3000]
    assert client.get(reverse("import-done", args=[upload.pk])).status_code == 200
    campaigns = [
        row.campaign
        for row in Membership.objects.filter(user=owner, role=Role.OWNER).order_by("campaign")
    ]
    if slug == "wmt-xml":
        return texts_out_and_in(owner.test_sets.get(), slug, tmp_path)
    assert campaigns
    for campaign in campaigns:
        folder = tmp_path / str(campaign.pk)
        out.write([campaign], slug, Folder(folder))
        again = [each for each, _ in bring([folder], LANGUAGES).campaigns]
        same = [each for each in again if planned(each) == planned(campaign)]
        if campaign.judgments.exists():
            same = [each for each in again if figures(each) == figures(campaign)]
        assert same, (
            campaign.name,
            planned(campaign),
            list(map(planned, again)),
            figures(campaign)[:3],
            [figures(each)[:3] for each in again],
        )


def texts_out_and_in(test_set, slug, folder) -> None:
    out.write(test_set, slug, Folder(folder))
    (again,) = bring([folder]).test_sets.values()
    for given, found in zip(segments_of(test_set), segments_of(again), strict=True):
        assert replace(given, file="") == replace(found, file="")


# What Google's tables do not say, and file names say only where people gave them.
LANGUAGES = {"source-language": "zh", "target-language": "en"}


def test_every_file_is_in_a_set():
    folder = shared_data("10_as_released")
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert {name for names in SETS for name in names} == there - {"README.md"}


def test_the_whole_folder_at_once():
    """Archives within it are unpacked too."""
    written = bring([shared_data("10_as_released")])
    assert len(written.campaigns) == 18
    assert len(written.test_sets) == 18
