"""What the identifier of a document of WMT26 says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import problem_with_name
from judgments.files.texts import LONGEST_DOMAIN, LONGEST_NAME
from judgments.files.uploads import ReleaseFile

from .languages import language_code


class DocumentId(NamedTuple):
    edition: str
    domain: str
    source: str
    target: str
    name: str

    @property
    def pair(self) -> str:
        return f"{self.source}-{self.target}"

    @property
    def key(self) -> str:
        return json.dumps([self.pair, self.domain, self.name])


def id_in(file: ReleaseFile, number: int, row: Mapping[str, Any]) -> DocumentId:
    """Return what the `doc_id` of a row says. Raise ImportProblem, naming the row."""
    parts = str(row.get("doc_id")).split("_###_")
    if len(parts) != 5 or not all(part.strip() for part in parts):
        reason = (
            f"{shortened(str(row.get('doc_id')))} should be five parts, as in "
            "WMT26_###_news_###_eng_Latn_###_ces_Latn_###_NAME."
        )
        raise ImportProblem(file.name, number, "doc_id", reason)
    edition, domain, source, target, name = parts
    for text, longest in ((domain, LONGEST_DOMAIN), (name, LONGEST_NAME - 10)):
        if problem := problem_with_name(text, longest):
            raise ImportProblem(file.name, number, "doc_id", problem)
    return DocumentId(edition, domain, language_code(source), language_code(target), name)
