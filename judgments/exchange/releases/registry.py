"""The formats of the field, from the most particular to those that recognize the most."""

from __future__ import annotations

from collections.abc import Sequence

from judgments.files.problem import ImportProblem
from judgments.files.uploads import ReleaseFile, without

from .appraise import Appraise
from .appraise_batches import AppraiseBatches
from .crowd_assessments import WmtDirectAssessment
from .format import Answers, Format
from .google_mqm import GoogleMqm
from .iwslt import Iwslt
from .marot import Marot
from .mt_metrics_eval import MtMetricsEval
from .pearmut import Pearmut
from .plain_folder import PlainFolder
from .published_tables import PublishedTables
from .rankings import WmtRankedPairs, WmtRankings
from .records import Problems, Release
from .tables.any_table import AnyTable, RecipeTables
from .tables.long_formats import LongTsv, ParquetTables, XlsxWorkbook
from .tables.recipes import is_recipe
from .texts_beside import join_texts
from .tmx import Tmx
from .weights import settle_weights
from .wmt_documents import WmtDocuments
from .wmt_jsonl import WmtJsonl
from .wmt_xml import WmtXml
from .xliff import Xliff

FORMATS: tuple[Format, ...] = (
    MtMetricsEval(),
    PublishedTables(),
    Appraise(),
    AppraiseBatches(),
    Marot(),
    GoogleMqm(),
    Pearmut(),
    WmtDirectAssessment(),
    WmtRankings(),
    WmtRankedPairs(),
    LongTsv(),
    XlsxWorkbook(),
    ParquetTables(),
    Xliff(),
    Tmx(),
    RecipeTables(),
    WmtXml(),
    WmtDocuments(),
    Iwslt(),
    WmtJsonl(),
    PlainFolder(),
    AnyTable(),
)
NAMED = 20  # files that are left out and named one by one
BY_SLUG = {each.slug: each for each in FORMATS}


def recognize(
    files: Sequence[ReleaseFile], only: str = ""
) -> tuple[list[tuple[Format, list[ReleaseFile]]], list[ReleaseFile]]:
    """Return each format with the files that it reads, and the files that none does.

    A file goes to the first format that takes it; a recipe that came with it goes before all.
    only: the slugs of formats that a person named.
    """
    found = []
    rest = list(files)
    brought = [BY_SLUG["recipes"]] if any(map(is_recipe, files)) else []
    for each in [BY_SLUG[slug] for slug in only.split()] or [*brought, *FORMATS]:
        if taken := each.recognize(rest):
            found.append((each, taken))
            rest = without(rest, taken)
    return found, rest


def read(
    files: Sequence[ReleaseFile], answers: Answers, problems: Problems, only: str = ""
) -> Release:
    """Return all that some files hold, whatever formats they have. Raise ImportProblem when no
    format knows any of them; a file that none knows beside others is said in the release's
    notes."""
    found, rest = recognize(files, only)
    if not found:
        names = ", ".join(file.name for file in files[:5])
        reason = "no format that the site reads has files like this."
        if files and not any(file.head() for file in files):
            reason = "there is nothing in it: the file is empty."
        elif all(file.name.endswith((".txt", ".txt.gz")) for file in files):
            reason += " Plain text needs a file that is named like a source, such as source.txt."
        elif all(file.name.removesuffix(".gz").endswith(".score") for file in files):
            reason += (
                " Scores are read with their texts: upload the whole folder of the release, or "
                "add them on the page Automatic metrics of their test set."
            )
        raise ImportProblem(names or "files", None, "", reason)
    release = Release()
    for each, taken in found:
        release.add(each.read(taken, answers, problems))
    for file in rest[:NAMED]:
        why = "no format knows it" if file.head() else "it is empty"
        release.notes.append(f"{file.path} was left out: {why}.")
    if (more := len(rest) - NAMED) > 0:
        release.notes.append(f"So were {more:,} more files.")
    join_texts(release)
    settle_weights(release, answers)
    return release
