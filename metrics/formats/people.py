"""Files of people's scores, which have the layout of a metric's and are not one."""

import os
import re
from collections.abc import Collection
from pathlib import PurePath

from judgments.files.lines import Source, name_of

FOLDER = "human-scores"
# mt-metrics-eval's names of people's scores at WMT19 to WMT25, and of what they were made of.
NAMES = frozenset(
    {
        "appraise",
        "csqm",
        "da",
        "da-sqm",
        "esa",
        "esa.merged",
        "human",
        "mqm",
        "mqm.merged",
        "psqm",
        "sqm",
        "wmt",
        "wmt-appraise",
        "wmt-appraise-raw",
        "wmt-appraise-z",
        "wmt-raw",
        "wmt-z",
    }
)
# LP.NAME.LEVEL.score; a metric's file has no language pair in its name.
LANGUAGE = r"[a-z]{2,3}(?:_[A-Za-z]+)?"
OF_PEOPLE = re.compile(rf"{LANGUAGE}-{LANGUAGE}\..+\.\w+\.score(\.gz)?")
REFUSAL = (
    "these are scores of people, not of a metric. Import them as a campaign: on the page "
    "“Import”, or with “manage.py import_release”."
)


def is_file_of_people(source: Source, metric: str, references: Collection[str] | None) -> bool:
    """Return whether a score file has people's scores, by its folder and its name.

    `metric`, `references`: what the name says; a name with references is a metric's.
    """
    # The folder itself, or one of a language pair in it; what is above is nobody's layout.
    if FOLDER in PurePath(path_of(source)).parts[-3:]:
        return True
    return references is None and (
        OF_PEOPLE.fullmatch(name_of(source)) is not None or is_name_of_people(metric)
    )


def is_name_of_people(metric: str) -> bool:
    """Return whether people's scores are published under this name: `mqm`, `DA_SQM`."""
    return metric.lower().replace("_", "-") in NAMES


def path_of(source: Source) -> str:
    """With its folders, as far as they are known."""
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    return str(getattr(source, "path", source.name))
