"""Making a bundle. The site's data are not changed."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Sum

from judgments.models import Campaign, Chain, Judgment, SegmentMedia
from judgments.models.chains import publication
from judgments.models.moments import read_moment
from judgments.publishing.report.blocks import CampaignReport
from judgments.results.observations.observations import RESAMPLES, SEED
from judgments.test_sets.media.in_releases import NotReleased, write_media
from mteval_site.deadline import TooSlow

from . import archive, extras, signing
from .figures import ComparedFigures, Make, compare, figures, write_all
from .frame import hide_texts, write_frame
from .problem import BundleProblem
from .rebuild import rebuilt
from .report_files import in_both, report_in, report_without_texts, write_report

SCHEMA = "mteval release"
SCHEMA_VERSION = 1
MANIFEST, SIGNATURE, KEY, README = "manifest.json", "manifest.sig", "signing-key.txt", "README.txt"
UNSIGNED = (MANIFEST, SIGNATURE)  # not listed in the manifest
ABOUT = """{name}
A release of a campaign of mteval {version}: human judgments of machine translation.

manifest.json      what made it, and the SHA-256 of every file; signed in manifest.sig (Ed25519)
signing-key.txt    the public key; compare its fingerprint with that on the site it comes from
judgments.jsonl    every judgment that was ever stored, chained by hashes
rows/              texts, systems, items, annotators by pseudonym, exclusions, metric scores
results/           every figure of every page, as JSON and CSV
report/            the same for people to read: HTML, PDF, Markdown
campaign-file.json what makes the same campaign again

    manage.py verify_release FILE.zip [--key KEY]

of any mteval checks the signature and every hash, and computes every figure again.
"""
WITH_MEDIA = """
media/ holds what annotators heard and saw beside the texts, of {n:,} segments; media/media.tsv says
which is whose. A test set of the same segments takes them from this file.
"""
WITHOUT_MEDIA = """
What annotators heard and saw beside the texts, of {n:,} segments, is not in here: ask whoever
released this for the files.
"""


def release(
    campaign: Campaign,
    to: Path,
    *,
    hashes_only: bool = False,
    aliases: bool = False,
    notes: bool = False,
    media: bool = False,
) -> dict[str, Any]:
    """Write the bundle of a campaign to a file; return its manifest.

    hashes_only: no texts. aliases: annotators under their names in the campaign. notes: with their
    remarks. media: with sound, images and videos. All data of the campaign are from one snapshot.
    The figures are made from the bundle's own rows, so that they cannot contain other names. Raise
    BundleProblem for a campaign with judgments that are in no chain, and for media that are
    incomplete, or that would reveal what hashes hide.
    """
    if media and hashes_only:
        raise BundleProblem("Sound, pictures and videos go with the texts, not with their hashes.")
    with tempfile.TemporaryDirectory(prefix="mteval-release-") as place:
        folder = Path(place)
        with read_moment():
            campaign = Campaign.objects.select_related("test_set").get(pk=campaign.pk)
            refuse_unsealed(campaign)
            heads = publication.heads(campaign)
            write_frame(campaign, folder, aliases=aliases, notes=notes)
            for write in extras.FILES:
                for name, content in write(campaign, hashes_only):
                    (folder / name).parent.mkdir(parents=True, exist_ok=True)
                    (folder / name).write_bytes(content)
            (folder / README).write_text(about(campaign, media=media), encoding="utf-8")
            if media:
                try:
                    write_media(campaign.test_set, folder)
                except NotReleased as problem:
                    raise BundleProblem(str(problem)) from None
        with rebuilt(folder) as copy:
            write_all(figures(copy), folder)
            report = report_in(copy)
            if not hashes_only:
                write_report(report, folder)
        needs_texts = _hidden(folder, report, notes=notes) if hashes_only else []
        (folder / KEY).write_text(signing.key_file())
        manifest = manifest_of(campaign, heads, folder, hashes_only, needs_texts)
        sign_and_pack(manifest, folder, to)
    return manifest


def sign_and_pack(manifest: dict[str, Any], folder: Path, to: Path) -> None:
    """Add a manifest with its signature to the files that it lists, and pack all of them."""
    text = json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8", newline="\n")
    (folder / SIGNATURE).write_text(signing.sign(text.encode()) + "\n")
    archive.pack(folder, to)


def digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file except those that contain it."""
    names = (name for name in archive.names_in(folder) if name not in UNSIGNED)
    return {name: archive.digest_of(folder / name) for name in names}


def about(campaign: Campaign, *, media: bool = False) -> str:
    """Return a description of what is in a release, and what is not."""
    words = ABOUT.format(name=campaign.name, version=settings.VERSION)
    n = SegmentMedia.objects.filter(segment__test_set=campaign.test_set_id).count()
    return words + (WITH_MEDIA if media else WITHOUT_MEDIA).format(n=n) if n else words


def refuse_unsealed(campaign: Campaign) -> None:
    """Raise BundleProblem for judgments that are in no chain, which a bundle would lack."""
    sealed = Chain.objects.filter(campaign=campaign).aggregate(n=Sum("length", default=0))["n"]
    n = Judgment.objects.filter(campaign=campaign).count()
    if n > sealed:
        raise BundleProblem(
            f"{n - sealed:,} judgments are in no chain; manage.py verify_judgments names them."
        )


def _hidden(folder: Path, report: CampaignReport, *, notes: bool) -> list[str]:
    """Remove the texts, and the results that contain texts; return the names of the remaining
    figures that cannot be made without texts, which is found by making all of them without. From
    the report only blocks that are the same without texts are kept."""
    hide_texts(folder, notes=notes)
    needing = []
    with rebuilt(folder) as copy:
        for name, make in figures(copy):
            found = _without_texts(name, (folder / name).read_text(encoding="utf-8"), make)
            if found is None or found.in_words:
                (folder / name).unlink()
            elif found.different:
                needing.append(name)
        write_report(in_both(report, report_without_texts(copy)), folder)
    return needing


def _without_texts(name: str, before: str, make: Make) -> ComparedFigures | None:
    """Return the comparison of a figure with the one made without texts; None if it cannot be made
    at all."""
    try:
        with transaction.atomic():
            return compare(name, before, make())
    except TooSlow:
        raise
    except Exception:  # noqa: BLE001  whatever a page asks of texts
        return None


def manifest_of(
    campaign: Campaign,
    heads: dict[str, Any],
    folder: Path,
    hashes_only: bool,
    needs_texts: list[str],
) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "campaign": campaign.name,
        "protocol": campaign.protocol,
        "preset": campaign.preset,
        "code_version": settings.VERSION,
        "seed": SEED,
        "resamples": RESAMPLES,
        "judgments": heads["judgments"],
        "erased": heads["erased"],
        "head": heads["head"],
        "texts": "hashes" if hashes_only else "full",
        "needs_texts": needs_texts,
        "key": signing.public_text(),
        "files": digests(folder),
    }
