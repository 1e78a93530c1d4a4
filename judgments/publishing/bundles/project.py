"""A project as one signed file: the releases of its campaigns, each as it is alone, and the tables
of the project's own pages, which are made of the rows in these."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.text import slugify

from judgments.models import Campaign, Project, TestSet
from judgments.results.as_data import sections_data
from judgments.results.observations.observations import RESAMPLES, SEED
from judgments.results.projects.figures import ProjectResults
from judgments.results.projects.joining import identities
from judgments.results.projects.pages import ProjectPage, asked_of, project_pages
from judgments.results.selection.selection import Selection
from judgments.web.sections import Section

from . import archive, signing
from .figures import FOLDER, Make, table_text, write_all
from .problem import BundleProblem
from .rebuild import UNREADABLE, RebuiltCampaign, read_rows, rebuilt_together
from .release import KEY, README, SCHEMA, SCHEMA_VERSION, digests, release, sign_and_pack

CAMPAIGNS = "campaigns"
ABOUT = """{name}
A release of a project of mteval {version}: campaigns of human judgments of machine translation.

manifest.json      what made it, which campaigns were left out, and the SHA-256 of every file;
                   signed in manifest.sig (Ed25519)
signing-key.txt    the public key; compare its fingerprint with that on the site it comes from
campaigns/         each campaign as a release of its own, which can be verified alone
results/           the tables of the project's pages, as JSON and CSV

    manage.py verify_release FILE.zip [--key KEY]

of any mteval checks all of it and every campaign, and computes every figure again.
"""


def _nobody_waits(n_bytes: int) -> None:
    pass


def release_project(
    project: Project,
    campaigns: Sequence[Campaign],
    left_out: Sequence[Campaign],
    n_hidden: int,
    to: Path,
    *,
    progress: Callable[[int], None] = _nobody_waits,
    **options: bool,
) -> dict[str, Any]:
    """Write the bundle of a project to a file; its manifest.

    left_out: other campaigns, which it names; n_hidden: how many it counts alone. progress: is told
    how many bytes there are after each campaign. options: as of `release`. Raise BundleProblem
    without a campaign, and as `release`.
    """
    if not campaigns:
        raise BundleProblem("It has no campaign that you may release.")
    results = ProjectResults.of_campaigns(project, campaigns)
    with tempfile.TemporaryDirectory(prefix="mteval-release-") as place:
        folder, parts, n_bytes, n_judgments = Path(place, "bundle"), [], 0, 0
        (folder / CAMPAIGNS).mkdir(parents=True)
        listed = []
        for n, campaign in enumerate(campaigns, 1):
            name = f"{CAMPAIGNS}/{n:03}-{slugify(campaign.name)[:60]}".rstrip("-") + ".zip"
            said = release(campaign, folder / name, **options)
            n_judgments += said["judgments"]
            by = results.dimension_of(campaign)
            listed.append({"campaign": said["campaign"], "file": name, "dimension": by})
            n_bytes += (folder / name).stat().st_size
            progress(n_bytes)
            parts.append(Path(place, str(n)))
            archive.unpack(folder / name, parts[-1])
        manifest: dict[str, Any] = {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            "project": {"name": project.name, "address": project.slug},
            "description": project.description,
            "campaigns": listed,
            "left_out": [each.name for each in left_out],
            "hidden_campaigns": n_hidden,
            "code_version": settings.VERSION,
            "seed": SEED,
            "resamples": RESAMPLES,
            "judgments": n_judgments,
            "texts": "hashes" if options.get("hashes_only") else "full",
            "needs_texts": [],
            "key": signing.public_text(),
        }
        with rebuilt_project(manifest, parts) as copy:
            write_all(project_figures(copy), folder)
        (folder / KEY).write_text(signing.key_file())
        about = ABOUT.format(name=project.name, version=settings.VERSION)
        (folder / README).write_text(about, encoding="utf-8")
        manifest["files"] = digests(folder)
        sign_and_pack(manifest, folder, to)
    return manifest


# ---- Its tables ----------------------------------------------------------------------------------


@contextmanager
def rebuilt_project(
    manifest: Mapping[str, Any], folders: Sequence[Path]
) -> Iterator[ProjectResults]:
    """The results of the campaigns in some folders, which are in the database until the end of the
    block."""
    with rebuilt_together(folders) as copies:
        said = manifest["project"]
        chosen = [each["dimension"] for each in manifest["campaigns"]]
        numbers = [copy.campaign.pk for copy in copies]
        yield ProjectResults(
            Project(name=said["name"], slug=said["address"]),
            tuple(Selection.of(copy.campaign) for copy in copies),
            0,
            dict(zip(numbers, chosen, strict=True)),
            _identify(copies, folders),
        )


def _identify(
    copies: Sequence[RebuiltCampaign], folders: Sequence[Path]
) -> Callable[[TestSet], dict[int, str]]:
    """Return what segments have in common, by the hashes that stand for texts, too. A test set of
    several campaigns, which is several here, is known by the number that it had."""
    sets: dict[int, int] = {}
    hashes: dict[int, str] = {}
    try:
        for copy, folder in zip(copies, folders, strict=True):
            sets |= {here: there for there, here in copy.numbers["test-sets"].items()}
            for row in read_rows(folder, "segments"):
                hashes[copy.numbers["segments"][row["id"]]] = row["source_sha256"]
    except UNREADABLE as error:
        raise BundleProblem(f"Its segments cannot be told apart: {error}.") from error
    return lambda test_set: identities(test_set, sets[test_set.pk], hashes)


def project_figures(results: ProjectResults) -> Iterator[tuple[str, Make]]:
    """Yield (path, what makes its text) of the pages that its report has, for everything that can
    be chosen there."""
    with translation.override("en"):
        for page in project_pages():
            for n, query in enumerate(_queries(page, results), 1):
                folder = f"{FOLDER}/{page.slug}" + (f"-{n}" if n > 1 else "")
                _, chosen, sections = asked_of(page, results, query)
                yield f"{folder}.json", _data(chosen, sections)
                for section in sections:
                    for table in section.files if section.exists() else ():
                        yield f"{folder}/{table.slug}.csv", table_text(table, {})


def _queries(page: ProjectPage, results: ProjectResults) -> list[dict[str, str]]:
    if not page.is_reported:
        return []
    choices = [choice for choice in page.choices(results) if choice.options]
    return [{choice.name: value} for choice in choices for value in choice.options] or [{}]


def _data(chosen: Mapping[str, str], sections: Sequence[Section]) -> Make:
    def make() -> str:
        with translation.override("en"):
            found = {"chosen": chosen, "sections": sections_data(sections)}
            return json.dumps(found, ensure_ascii=False, allow_nan=False, indent=1, default=str)

    return make
