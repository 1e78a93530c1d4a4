"""A campaign's results as files: tables, observations, charts, all of it with provenance."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Any, Protocol

from django.conf import settings
from django.utils import timezone

from judgments.files.csv_files import csv_text
from judgments.files.formulas import tsv_line
from judgments.models import Campaign, TestSet
from judgments.models.chains import publication
from judgments.models.chains.texts import texts_sha256
from judgments.protocols import protocol_of
from judgments.protocols.tables import SELECTION
from judgments.results.as_data import sections_data
from judgments.results.figure_addresses import described
from judgments.results.observations import observations
from judgments.results.observations.observations import RESAMPLES, SEED, Observed
from judgments.results.selection import decisions
from judgments.results.selection.selection import Selection
from judgments.web import chart_process
from judgments.web import sections as web_sections
from judgments.web.cache import DRAWING, get_or_compute
from judgments.web.chart_process import VEGA_LITE
from judgments.web.charts import Chart, for_file
from judgments.web.sections import Section
from judgments.web.tables import Column, Table

SCHEMA = "mteval campaign"
ADDRESS = "address"
SCHEMA_VERSION = 1
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

CAMPAIGN_FIELDS = (
    "name",
    "protocol",
    "preset",
    "options",
    "instructions",
    "guideline_version",
    "status",
    "simulated",
    "by_model",
)


class SaysWhichJudgments(Protocol):
    """What a figure is of: a selection, or the selections of a project."""

    @property
    def sentence(self) -> str: ...

    @property
    def described(self) -> dict[str, Any]: ...


def csv_of(table: Table) -> str:
    """Return the table as CSV: a header row, every digit, nothing where a value is undefined."""
    return csv_text([table.keys, *table.rows])


def table_file(table: Table, sentence: str, address: str = "") -> str:
    """Return the table as CSV; its last column says which judgments the figures are of, the one
    before, where there is one, the address of the figure."""
    said = {ADDRESS: address, SELECTION: sentence} if address else {SELECTION: sentence}
    columns = (*table.heads, *map(Column, said))
    rows = [(*row, *said.values()) for row in table.rows]
    return csv_of(dataclasses.replace(table, columns=columns, rows=rows))


def observation_columns(selection: Selection) -> tuple[str, ...]:
    return protocol_of(selection.campaign).table.names


def observation_rows(selection: Selection) -> Iterator[tuple]:
    """Return current observations in long form, as `import_judgments` reads them."""
    return protocol_of(selection.campaign).table.rows(selection)


def tsv_lines(selection: Selection) -> Iterator[str]:
    """Yield the observations as lines of TSV, the header first; imports read them back."""
    yield tsv_line(observation_columns(selection))
    yield from map(tsv_line, observation_rows(selection))


def with_line(lines: Iterator[str], selection: Selection) -> Iterator[str]:
    """Yield lines of TSV with one more column, which says which judgments count."""
    end = "\t" + tsv_line([SELECTION])
    for line in lines:
        yield line[:-1] + end
        end = "\t" + tsv_line([selection.sentence])


def document(selection: Selection) -> dict[str, Any]:
    """Return the whole campaign with what a reader needs to recompute it, but without the rows of
    its observations (`json_parts` adds them); JSON knows all of its values."""
    observed = observations.load(selection)
    columns = observation_columns(selection)
    return web_sections.plain(
        {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            "code_version": settings.VERSION,
            "created": timezone.now().isoformat(timespec="seconds"),
            "campaign": _campaign(selection.campaign),
            "test_set": _test_set(selection.campaign.test_set),
            "counts": counts(selection, observed),
            "selection": described(selection),
            "exclusions": decisions.decisions(selection),
            "removed_items": decisions.removed_items(selection),
            "chain": publication.heads(selection.campaign),
            "record": publication.record_heads(selection.campaign),
            "seed": SEED,
            "resamples": RESAMPLES,
            "observations": {"columns": columns, "rows": []},
        }
        | web_sections.data_of(selection)
    )


def page_json(
    slug: str, title: str, sections: Sequence[Section], address: str, said: dict[str, Any]
) -> str:
    """Return a whole page as JSON, for one that is of several campaigns or of none and so stands in
    no campaign's. said: what its figures are of."""
    known = {
        "schema": "mteval page",
        "schema_version": SCHEMA_VERSION,
        "code_version": settings.VERSION,
        "created": timezone.now().isoformat(timespec="seconds"),
        "page": slug,
        "title": title,
        ADDRESS: address,
        "seed": SEED,
        "resamples": RESAMPLES,
    }
    found = known | web_sections.plain(said) | {"sections": sections_data(sections)}
    return json.dumps(found, ensure_ascii=False, allow_nan=False, indent=1)


def counts(selection: Selection, observed: Observed) -> dict[str, int]:
    """Return what the results are of."""
    excluded = {"excluded_annotators": observed.n_excluded}
    return excluded | protocol_of(selection.campaign).counts(selection, observed)


def json_parts(selection: Selection) -> Iterator[str]:
    """`document` as JSON, piece by piece: a million observations need no memory at once."""
    text = json.dumps(document(selection), ensure_ascii=False, allow_nan=False, indent=1)
    place = text.index("[]", text.index(' "rows": []', text.index('\n "observations": {'))) + 1
    yield text[:place]
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    separator = "\n"
    for row in observation_rows(selection):
        yield separator + encode(row)
        separator = ",\n"
    yield text[place:]


def _campaign(campaign: Campaign) -> dict[str, Any]:
    known = {field: getattr(campaign, field) for field in CAMPAIGN_FIELDS}
    dimensions = protocol_of(campaign).dimensions()
    return known | {"started": campaign.created_at.isoformat(), "dimensions": dimensions}


def _test_set(test_set: TestSet) -> dict[str, Any]:
    return {
        "name": test_set.name,
        "source_language": test_set.source_language,
        "target_language": test_set.target_language,
        "segments": test_set.segments.count(),
        "systems": list(test_set.systems.order_by("name").values_list("name", flat=True)),
        "references": test_set.reference_names,
        "texts_sha256": texts_sha256(test_set.pk),
    }


def chart_file(chart: Chart, kind: str, selection: SaysWhichJudgments, address: str = "") -> bytes:
    """Return the chart as "svg", "png" or "vl.json" (its Vega-Lite spec), with the line that says
    which judgments it is of, and the address that opens it again. Nothing is fetched for it.
    Pictures are kept: drawing thousands of points takes most of the time."""
    spec = drawable(for_file(chart.spec, chart.title, selection.sentence, address))
    if kind == "vl.json":
        spec["usermeta"] = {SELECTION: selection.described | {ADDRESS: address}}
        return json.dumps(spec, ensure_ascii=False, indent=1).encode()
    if kind not in ("svg", "png"):
        raise ValueError(f"a chart is written as svg, png or vl.json, not {kind!r}")
    picture = _drawn(json.dumps(spec), kind)
    return (
        picture
        if kind == "svg"
        else described_png(picture, f"{selection.sentence} {address}".strip())
    )


def drawable(value: Any) -> Any:
    """Return a spec without characters that no SVG can hold (XML 1.0, 2.2): a name with one of them
    would make the program that draws end this process, and not only the picture."""
    if isinstance(value, str):
        return NOT_XML.sub("\ufffd", value)
    if isinstance(value, dict):
        return {drawable(key): drawable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [drawable(each) for each in value]
    return value


def _drawn(spec: str, kind: str) -> bytes:
    """Return a Vega-Lite spec as a picture, drawn once: the PNG is made from the SVG."""

    def draw() -> bytes:
        if kind == "png":
            return chart_process.draw("png", _drawn(spec, "svg").decode())
        return chart_process.draw("svg", spec)

    mark = hashlib.sha256(f"{kind} {VEGA_LITE} {version('vl-convert-python')} {spec}".encode())
    return get_or_compute(mark.hexdigest(), draw, group=DRAWING)


def described_png(picture: bytes, sentence: str) -> bytes:
    """Return the picture with a sentence for those who cannot see it, as `Description` (PNG 3,
    11.3.3)."""
    text = b"Description\0\0\0\0\0" + sentence.encode()
    chunk = struct.pack(">I", len(text)) + b"iTXt" + text
    chunk += struct.pack(">I", zlib.crc32(b"iTXt" + text))
    end = 8 + 25  # behind the signature and the header
    return picture[:end] + chunk + picture[end:]
