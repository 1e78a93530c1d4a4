"""manage.py export_judgments and recompute: out they go, and figures are computed anew."""

import io
import re

import pytest
from django.core.management import CommandError, call_command

from judgments.models import Campaign, TestSet
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory

pytestmark = pytest.mark.django_db


def run(*arguments, **options) -> str:
    output = io.StringIO()
    call_command(*arguments, stdout=output, stderr=output, **options)
    return output.getvalue()


@pytest.fixture
def campaign():
    owner = factory.make_user("owner", is_staff=True)
    people = [factory.make_user(f"annotator-{n}") for n in (1, 2)]
    test_set = factory.make_test_set(owner)
    found = factory.make_campaign(test_set, owner=owner, annotators=people)
    for seat, person in enumerate(people, 1):
        for item in factory.make_task(found, person, seat=seat).items.order_by("position"):
            n = (item.position + seat) % 3
            factory.judge(item, {"adequacy": [5 - n, 3, 1 + n], "fluency": [4, 4 - n, 2]})
    return found


def test_one_campaign_into_a_folder(campaign, tmp_path):
    folder = tmp_path / "out"
    output = run(
        "export_judgments", str(campaign.pk), "--format", "mt-metrics-eval", "--to", str(folder)
    )
    assert f"Campaign {campaign.pk}, Small campaign:" in output
    assert (folder / "small-set" / "sources" / "de-en.txt").exists()
    with pytest.raises(CommandError, match="not empty"):
        run("export_judgments", "--format", "tsv", "--to", str(folder))


def test_all_campaigns_each_into_its_own(campaign, tmp_path):
    people = list(campaign.members.filter(username__startswith="annotator"))
    pairwise = factory.make_campaign(
        campaign.test_set, preset="pairwise", name="Pairs", annotators=people
    )
    for item in factory.make_task(pairwise, people[0]).items.all():
        factory.judge(item, 1)
    output = run("export_judgments", "--format", "mt-metrics-eval", "--to", str(tmp_path / "out"))
    assert f"Campaign {pairwise.pk}, Pairs, was left out" in output
    assert [path.name for path in (tmp_path / "out").iterdir()] == [f"{campaign.pk}-small-campaign"]


def test_what_cannot_be_written(campaign, tmp_path):
    with pytest.raises(CommandError, match="There is no format “mtme”"):
        run("export_judgments", "--format", "mtme", "--to", str(tmp_path / "out"))
    with pytest.raises(CommandError, match="There is no campaign 999999"):
        run("export_judgments", "999999", "--format", "tsv", "--to", str(tmp_path / "out"))


def test_a_folder_is_recomputed_and_nothing_stays(campaign, tmp_path):
    run(
        "export_judgments",
        str(campaign.pk),
        "--format",
        "mt-metrics-eval",
        "--to",
        str(tmp_path / "o"),
    )
    before = Campaign.objects.count(), TestSet.objects.count()
    output = run("recompute", str(tmp_path / "o"), "--all")
    assert "same    system mean adequacy System-A: 3.875 published, 3.875 here" in output
    output = run("recompute", str(tmp_path / "o"))
    assert output.count("\n") == 1 and re.fullmatch(
        r"([0-9,]+) published figures: \1 with every digit\.", output.strip()
    )
    assert (Campaign.objects.count(), TestSet.objects.count()) == before


def test_scores_of_metrics_are_computed_anew(campaign, tmp_path):
    jobs.work_on(jobs.create_job(campaign.test_set, [MetricChoice("bleu")], ["ref"]).pk)
    to = str(tmp_path / "o")
    run("export_judgments", str(campaign.pk), "--format", "mt-metrics-eval", "--to", to)
    output = run("recompute", to, "--all")
    assert "small-set de-en, metrics" in output
    for system in ("System-A", "System-B", "System-C"):
        assert f"same    BLEU of a system {system}: " in output


def test_a_figure_that_is_wrong_ends_with_an_error(campaign, tmp_path):
    folder = tmp_path / "o"
    run("export_judgments", str(campaign.pk), "--format", "mt-metrics-eval", "--to", str(folder))
    (scores,) = folder.rglob("*.adequacy.sys.score")
    scores.write_text(scores.read_text().replace("3.875", "3.975"))
    with pytest.raises(CommandError, match="1 figure differs"):
        run("recompute", str(folder))
    faults = tmp_path / "faults.tsv"
    header = "figure\tdimension\tof\tpublished\town\treason\n"
    row = "system mean\tadequacy\tSystem-A\t3.975\t3.875\ta digit was lost\n"
    faults.write_text(header + row)
    output = run("recompute", str(folder), known_faults=faults)
    assert "  1 fault: a digit was lost\n" in output
    assert "    fault   system mean adequacy System-A: 3.975 published, 3.875 here\n" in output
    assert output.splitlines()[-1].endswith(" with every digit, 1 known faults of the publication.")
    for other in (row.replace("3.975", "3.976"), row.replace("3.875", "3.874")):
        faults.write_text(header + other)
        with pytest.raises(CommandError, match="1 figure differs"):
            run("recompute", str(folder), known_faults=faults)
    faults.write_text(header + row.replace("a digit was lost", ""))
    with pytest.raises(CommandError, match=r"faults.tsv, row 2, column reason"):
        run("recompute", str(folder), known_faults=faults)
    with pytest.raises(CommandError, match="no format that the site reads"):
        (tmp_path / "x.bin").write_bytes(b"\0")
        run("recompute", str(tmp_path / "x.bin"))
    (tmp_path / "chrF-refA.seg.score").write_text("System-A\t1\n")
    with pytest.raises(CommandError, match="add them on the page Automatic metrics"):
        run("recompute", str(tmp_path / "chrF-refA.seg.score"))


def test_a_reason_that_many_figures_share_is_said_once(campaign, tmp_path):
    folder = tmp_path / "o"
    run("export_judgments", str(campaign.pk), "--format", "mt-metrics-eval", "--to", str(folder))
    (scores,) = folder.rglob("*.adequacy.sys.score")
    changed = [line.rsplit("\t", 1)[0] + "\t9.5" for line in scores.read_text().splitlines()]
    scores.write_text("\n".join(changed) + "\n")
    rows = [line.split("\t")[0] for line in changed]
    faults = tmp_path / "faults.tsv"
    stdout = io.StringIO()
    with pytest.raises(CommandError, match=f"{len(rows)} figures differ"):
        call_command("recompute", str(folder), stdout=stdout)
    own = dict(re.findall(r"adequacy (\S+): 9.5 published, (\S+) here", stdout.getvalue()))
    assert set(own) == set(rows)
    header = "figure\tdimension\tof\tpublished\town\treason\n"
    lines = [
        f"system mean\tadequacy\t{of}\t9.5\t{here}\tone column off\n" for of, here in own.items()
    ]
    faults.write_text(header + "".join(lines))
    output = run("recompute", str(folder), known_faults=faults)
    assert output.count("one column off") == 1
    assert output.count("9.5 published") == len(rows)


def test_a_test_set_alone(campaign, tmp_path):
    number = str(campaign.test_set_id)
    run(
        "export_judgments", "--test-set", number, "--format", "wmt-xml", "--to", str(tmp_path / "o")
    )
    assert [path.name for path in (tmp_path / "o").iterdir()] == ["texts.de-en.all.xml"]
    with pytest.raises(CommandError, match="There are no judgments"):
        run(
            "export_judgments",
            "--test-set",
            number,
            "--format",
            "marot",
            "--to",
            str(tmp_path / "p"),
        )
    with pytest.raises(CommandError, match="texts: download it from the page"):
        run(
            "export_judgments", "--format", "wmt-xml", "--to", str(tmp_path / "q"), str(campaign.pk)
        )
