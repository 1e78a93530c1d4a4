"""Published human judgments in ``shared/data`` → campaigns, through the import of releases.

The files are imported unchanged; answers supply what their columns cannot. Each function needs the
database, skips the test if the data are missing, and returns the campaign or the test set.
"""

from collections.abc import Mapping
from pathlib import Path

from django.core.management import call_command

from judgments.exchange.releases.writing import Written
from judgments.models import Campaign, TestSet
from judgments.quality.decisions.exclusions import ExclusionRow, add_exclusions

from .releases import OWNER, bring
from .shared import read_tsv, shared_data
from .written_files import write_lines

__all__ = [
    "OWNER",
    "WMT22_KINDS",
    "import_ko_en",
    "import_mlqepe_texts",
    "import_wmt13",
    "import_wmt22",
    "import_wmt23_texts",
]

# WMT22's names for the texts that people saw.
WMT22_KINDS = {
    "SYSTEM": "regular",
    "REPEAT": "repeat",
    "BAD_REF": "degraded",
    "REF": "reference",
}


def _imported(folder: str, names: list[str], answers: Mapping[str, str]) -> Written:
    return bring([shared_data(folder, name) for name in names], answers)


def _campaign(written: Written) -> Campaign:
    ((campaign, _),) = written.campaigns
    return campaign


def _test_set(written: Written) -> TestSet:
    (test_set,) = written.test_sets.values()
    return test_set


def import_wmt22(folder: Path, pair: str) -> Campaign:
    """Import WMT22 direct assessment, `pair` uk-en or liv-en: every row is a separate item."""
    names = [f"{name}.{pair}.tsv.gz" for name in ("ratings", "segments", "outputs")]
    answers = {"column:z": "unused", "scale:raw": "0-100", "name": f"WMT22 {pair}"}
    return _campaign(_imported("02_da_wmt22", names, answers))


def import_ko_en(folder: Path) -> Campaign:
    """Import Korean–English adequacy, fluency and believability, 0 to 100, of one system.
    Annotators without a published z in a dimension were excluded from it by the authors, and are
    here."""
    names = ["ratings.tsv.gz", "segments.tsv.gz", "outputs.tsv.gz"]
    answers = {
        "name": "TED ko-en",
        "source-language": "ko",
        "target-language": "en",
        "column:text_tokenised": "text",
        **{f"scale:{name}": "0-100" for name in ("adequacy", "fluency", "believability")},
    }
    campaign = _campaign(_imported("01_adequacy_fluency_ko-en", names, answers))
    ratings = read_tsv(shared_data("01_adequacy_fluency_ko-en", "ratings.tsv.gz"))
    dimensions = ("adequacy", "fluency", "believability")
    without_z = {(r["annotator"], d) for r in ratings for d in dimensions if not r[f"z_{d}"]}
    reason = "The authors left the annotator out of this dimension."
    rows = [ExclusionRow(annotator, d, reason=reason) for annotator, d in sorted(without_z)]
    add_exclusions(campaign, campaign.test_set.owner, rows)
    return campaign


def import_wmt13(folder: Path) -> Campaign:
    """Import WMT13 French–English: 10,196 rankings of five systems by 218 judges."""
    names = ["rankings.tsv.gz", "segments.tsv.gz", "outputs.tsv.gz"]
    answers = {"name": "WMT13 fr-en", "source-language": "fr", "target-language": "en"}
    return _campaign(_imported("06_ranking_wmt13_fr-en", names, answers))


def import_wmt23_texts(folder: Path) -> TestSet:
    """Import the texts of WMT23 English–German, on which metrics were evaluated: 557 segments."""
    names = ["segments.en-de.tsv.gz", "outputs.en-de.tsv.gz"]
    answers = {"name": "WMT23 en-de", "count_from": "1", "column:synthetic_ref": "unused"}
    return _test_set(_imported("03_mqm_esa_wmt23_en-de", names, answers))


def import_mlqepe_texts(folder: Path) -> TestSet:
    """Import MLQE-PE Romanian–English: 1,000 segments of one system, tokenized as they were scored,
    with its post-edits."""
    name = "segments.ro-en.tsv.gz"
    answers = {"name": "MLQE-PE ro-en", "column:mt_tok": "text", "system": "NMT"}
    test_set = _test_set(_imported("07_postedit_mlqepe_ro-en", [name], answers))
    rows = read_tsv(shared_data("07_postedit_mlqepe_ro-en", name))
    folder.mkdir(parents=True, exist_ok=True)
    write_lines(folder / "NMT.txt", [row["pe_tok"] for row in rows])
    call_command(
        *("import_postedits", test_set.pk, "--system", str(folder / "NMT.txt")), verbosity=0
    )
    return test_set
