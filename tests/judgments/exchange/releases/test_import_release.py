"""manage.py import_release and import_wmt."""

import json
import re
import zipfile
from unittest import mock

import pytest
from django.core.management import CommandError, call_command

from judgments.management.commands import import_release
from judgments.models import Campaign, TestSet
from judgments.publishing.bundles.release import release
from judgments.publishing.bundles.verification import verify
from tests import factory
from tests.gates.files import JSON_LINES, XML
from tests.shared import shared_data

from .test_hostile_files import WMT, laid

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def owner():
    return factory.make_user("owner")


def run(capsys, *arguments, command="import_release"):
    call_command(command, *map(str, arguments), "--owner", "owner")
    return capsys.readouterr().out.splitlines()


def refused(capsys, *arguments, command="import_release"):
    with pytest.raises(CommandError, match="Nothing was imported") as error:
        call_command(command, *map(str, arguments), "--owner", "owner")
    assert error.value.returncode == 1
    assert not TestSet.objects.exists()
    return capsys.readouterr().err


def test_an_import_says_how_far_it_is():
    said = []
    with mock.patch.object(import_release.time, "monotonic", iter([0, 4, 11, 12, 30]).__next__):
        progress = import_release.progress_lines(said.append)
        for n in (10, 2000, 2500, 4000):
            progress(n)
    assert said == ["2,000 rows after 11 s", "4,000 rows after 30 s"]


def test_what_was_found_and_what_came_in(capsys):
    path = shared_data("10_as_released", "wmt22", "wmttest2022.liv-en.all.xml.gz")
    lines = run(capsys, path)
    test_set = TestSet.objects.get()
    assert lines == [
        "Found 420 segments in 420 documents of 1 domain with 1 reference and 2,100 outputs of "
        "5 systems, liv-en.",
        f"Test set {test_set.pk}, wmttest2022.liv-en.all: 420 segments, 5 systems.",
        f"See /testsets/{test_set.pk}/",
    ]


def test_a_dry_run_stores_nothing(capsys, tmp_path):
    (tmp_path / "a.xml").write_text(XML)
    lines = run(capsys, tmp_path / "a.xml", "--dry-run")
    assert lines[-1] == "Everything can be imported. This was a dry run: nothing was stored."
    assert not TestSet.objects.exists()


def test_a_question_without_an_answer_says_how_to_answer_it(capsys, tmp_path):
    path = tmp_path / "texts.jsonl"
    path.write_text(JSON_LINES)
    output = refused(capsys, path)
    assert "Language of the source: give --answer source-language=…. Such as de or pt-BR." in output
    answers = ["--answer", "source-language=de", "--answer", "target-language=en"]
    run(capsys, path, *answers, "--answer", "test-set-1=Mine")
    assert TestSet.objects.get().name == "Mine"
    assert TestSet.objects.get().source_language == "de"


def test_an_answer_that_nothing_asks_for_is_refused(capsys, tmp_path):
    path = tmp_path / "texts.de-en.jsonl"
    path.write_text(JSON_LINES)
    for more in ([], ["--dry-run"]):
        with pytest.raises(
            CommandError, match=r"There is no question pair; .*source-language, .*test"
        ):
            run(capsys, path, "--answer", "pair=de-en", *more)
        assert not TestSet.objects.exists()


def test_a_dry_run_says_what_can_be_answered(capsys, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("rater,segment,score\nMia,1,80\nMia,2,60\n")
    lines = run(capsys, path, "--dry-run")
    assert "--answer source-language=… Language of the source, now “und”." in lines
    assert "--answer system=… Name of the system, now “system”." in lines


def test_problems_are_told_with_their_row(capsys, tmp_path):
    path = tmp_path / "texts.de-en.jsonl"
    path.write_text(JSON_LINES + '{"src": 1}\n')
    output = refused(capsys, path)
    assert "texts.de-en.jsonl, row 2, column source: the value should be a text." in output


def test_only_a_format_that_was_named(capsys, tmp_path):
    path = tmp_path / "texts.de-en.jsonl"
    path.write_text(JSON_LINES)
    assert "no format that the site reads" in refused(capsys, path, "--format", "wmt-xml")


def test_pairs_of_a_folder(capsys, tmp_path):
    both = WMT | {path.replace("de-en", "cs-uk"): text for path, text in WMT.items()}
    (folder,) = laid(tmp_path, both)
    output = refused(capsys, folder, "--pair", "de-fr", command="import_wmt")
    assert "there is no language pair de-fr; there are cs-uk, de-en." in output
    lines = run(capsys, folder, "--pair", "cs-uk", command="import_wmt")
    assert TestSet.objects.get().source_language == "cs"
    assert "Found 1 error span and 1 rating by 1 rater on 1 segment of 1 system, cs-uk." in lines
    campaigns = [line for line in lines if line.startswith("Campaign ")]
    assert [re.sub(r"^Campaign \d+", "", line) for line in campaigns] == [
        ", w cs-uk da: 1 judgment (1 observation) by 1 rater.",
        ", w cs-uk mqm: 1 judgment (2 observations) by 1 rater.",
    ]


def test_rows_that_cannot_be_read_are_left_out_when_asked(capsys, tmp_path):
    """One of 41 rows is 2.4 %: more than the usual limit of one percent."""
    path = tmp_path / "mqm_ende.tsv"
    columns = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
    good = [f"X\td\td1\t{n}\tr\teins\tone\tNo-error\tNo-error" for n in range(20)]
    bad = "X\td\td1\t1\tr\teins\t<v>one\tAccuracy\tMajor"
    path.write_text("\n".join([columns, *good, bad]) + "\n")
    why = "mqm_ende.tsv, row 22, column target: “<v>” has no “</v>” after it."
    for arguments in ([], ["--leave-out"]):
        output = refused(capsys, path, *arguments).splitlines()
        assert output == [
            why,
            "1 row of these files cannot be read (2.4 % of all). --leave-out 3 imports the rest.",
        ]
    lines = run(capsys, path, "--leave-out", "3", "--dry-run")
    assert lines[-1].startswith("All but 1 row can be imported.")
    call_command("import_release", str(path), "--owner", "owner", "--leave-out", "3")
    output = capsys.readouterr()
    assert output.err.splitlines() == [why]
    assert "1 row left out, with these problems." in output.out
    assert Campaign.objects.get().import_records.get().n_left_out == 1
    call_command("verify_judgments")


def test_a_campaign_without_a_row_leaves_as_a_bundle_that_says_so(capsys, tmp_path):
    """What was left out is counted in the bundle, whose figures come out anew."""
    path = tmp_path / "mqm_ende.tsv"
    columns = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
    good = [f"X\td\td1\t{n}\tr\teins\tone\tNo-error\tNo-error" for n in range(20)]
    path.write_text("\n".join([columns, *good, "X\td\td1\t1\tr\teins\t<v>one\tA\tMajor"]) + "\n")
    run(capsys, path, "--leave-out", "5")
    campaign = Campaign.objects.get()
    bundle = tmp_path / "release.zip"
    release(campaign, bundle)
    assert verify(bundle).wrong == []
    with zipfile.ZipFile(bundle) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("import-records.jsonl")]
        (record,) = map(json.loads, archive.read(name).decode().splitlines())
    assert (record["n_left_out"], "left_out" in record, "notes" in record) == (1, False, False)
