"""A release of a project: each campaign comes out again, and the tables of the project, too."""

import json
import zipfile

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from judgments.exchange import demo
from judgments.models import Campaign, Judgment, Project, TestSet
from judgments.models.chains.sealing import seal_all
from judgments.publishing.bundles.figures import compare
from judgments.publishing.bundles.problem import BundleProblem
from judgments.publishing.bundles.project import project_figures, release_project
from judgments.publishing.bundles.verification import verify
from judgments.results.projects.figures import ProjectResults
from tests import factory
from tests.judgments.publishing.bundles.alterations import altered, resigned

pytestmark = pytest.mark.slow


def of_project(project):
    return Campaign.objects.filter(joined__project=project).order_by("pk")


@pytest.fixture(scope="module")
def file(django_db_setup, django_db_blocker, tmp_path_factory):
    """The release of a project that is not in the database any more, and of hashes alone."""
    folder = tmp_path_factory.mktemp("projects")
    with django_db_blocker.unblock(), transaction.atomic():
        demo.load()
        project = Project.objects.get()
        rating = of_project(project).get(protocol="rating")
        project.joined.exclude(campaign__protocol__in=("rating", "pairwise")).delete()
        project.joined.filter(campaign=rating).update(dimension="fluency")
        notes = []
        release_project(
            project, of_project(project), [], 2, folder / "full.zip", progress=notes.append
        )
        assert len(notes) == 2 and notes[0] < notes[1]
        release_project(project, of_project(project), [], 0, folder / "h.zip", hashes_only=True)
        live = ProjectResults.of_campaigns(project, of_project(project))
        own = {name: make() for name, make in project_figures(live)}
        (folder / "live.json").write_text(json.dumps(own))
        transaction.set_rollback(True)
    return folder / "full.zip"


@pytest.mark.proof
def test_every_figure_comes_out_again(db, file):
    before = [model.objects.count() for model in (Judgment, Campaign, TestSet, Project)]
    verdict = verify(file)
    assert verdict.wrong == [] and verdict.left == {}
    assert any("not named: 2" in sentence for sentence in verdict.notes)
    names = {each.name for each in verdict.figures}
    assert {"results/systems.json", "results/systems/project-scores.csv"} <= names
    assert {"results/protocols/project-protocol-systems.csv", "results/years.json"} <= names
    assert any(name.startswith("campaigns/001-") and "scores.json" in name for name in names)
    assert before == [model.objects.count() for model in (Judgment, Campaign, TestSet, Project)]


@pytest.mark.proof
@pytest.mark.parametrize("name", ["full.zip", "h.zip"])
def test_the_figures_are_those_of_the_site(db, file, name):
    """Of hashes alone, too: what campaigns share is known by the hash of the source."""
    own = json.loads((file.parent / "live.json").read_text())
    with zipfile.ZipFile(file.parent / name) as packed:
        listed = {each for each in packed.namelist() if each.startswith("results/")}
        assert listed == own.keys()
        for each, text in own.items():
            found = compare(each, packed.read(each).decode(), text)
            assert found.different == [] and found.n_close == 0, each
        scores = packed.read("results/systems/project-scores.csv").decode()
        campaigns = json.loads(packed.read("manifest.json"))["campaigns"]
    assert "Fluency (Adequacy" in scores and "Adequacy (" not in scores
    assert [each["dimension"] for each in campaigns] == ["fluency", ""]


@pytest.mark.proof
def test_hashes_alone_come_out_again(db, file):
    verdict = verify(file.parent / "h.zip")
    assert verdict.wrong == []
    assert "results/systems/project-scores.csv" in {each.name for each in verdict.figures}


@pytest.mark.proof
def test_what_was_altered_is_named(db, file, tmp_path):
    with zipfile.ZipFile(file) as packed:
        part = next(name for name in packed.namelist() if name.startswith("campaigns/002"))
        inner = tmp_path / "inner.zip"
        inner.write_bytes(packed.read(part))
    changed = altered(inner, tmp_path / "a.zip", "results/scores.json", lambda text: text + b" ")
    whole = altered(file, tmp_path / "b.zip", part, lambda text: changed.read_bytes())
    assert verify(whole).wrong == [f"{part} was altered."]
    signed = resigned(file, tmp_path / "c.zip", {part: lambda text: changed.read_bytes()})
    assert f"{part}: results/scores.json was altered." in verify(signed).wrong
    name = "results/systems/project-scores.csv"
    figure = resigned(file, tmp_path / "d.zip", {name: lambda text: text.replace(b"1,", b"2,", 1)})
    assert [each.startswith(name) for each in verify(figure).wrong] == [True]


@pytest.mark.proof
def test_a_project_holds_no_project(db, file, tmp_path):
    """So that no file that contains itself is opened without end."""
    with zipfile.ZipFile(file) as packed:
        part = next(name for name in packed.namelist() if name.startswith("campaigns/"))
    nested = resigned(file, tmp_path / "a.zip", {part: lambda text: file.read_bytes()})
    with pytest.raises(BundleProblem, match="not a release of a campaign"):
        verify(nested)


@pytest.mark.proof
@pytest.mark.parametrize(
    "said",
    [
        {"campaigns": []},
        {"campaigns": [{"file": "../x"}]},
        {"campaigns": [{"file": [], "dimension": ""}]},
        {"project": {"name": 1}},
        {"left_out": 5},
        {"hidden_campaigns": "two"},
    ],
)
def test_what_a_manifest_says_is_not_believed(db, file, tmp_path, said):
    def change(text):
        return json.dumps(json.loads(text) | said).encode()

    with pytest.raises(BundleProblem, match=f"no valid {next(iter(said))}"):
        verify(altered(file, tmp_path / "a.zip", "manifest.json", change))


@pytest.mark.proof
@pytest.mark.parametrize("has_texts", [True, False])
def test_waves_with_the_same_people_are_one_there_too(db, tmp_path, has_texts):
    """Two campaigns of one test set, which is two in the verifier's database; an annotator of only
    the second has the lower id."""
    owner, late, early = (factory.make_user(name) for name in ("owner", "late", "early"))
    test_set = factory.make_test_set(owner)
    project = Project.objects.create(name="Waves", slug="waves", owner=owner)
    for n, people in enumerate(([early], [late, early])):
        campaign = factory.make_campaign(test_set, owner=owner, annotators=people, name=f"Wave {n}")
        for seat, person in enumerate(people, 1):
            for item in factory.make_task(campaign, person, seat=seat).items.all():
                row = [1.0 + (item.position + seat + n) % 5, 3.0, 5.0 - item.position % 3]
                factory.judge(item, {"adequacy": row, "fluency": row[::-1]})
        project.campaigns.add(campaign)
    if not has_texts:
        factory.take_texts(test_set)
    seal_all()
    release_project(project, of_project(project), [], 0, tmp_path / "x.zip")
    live = ProjectResults.of_campaigns(project, of_project(project))
    assert [len(column.selections) for column in live.columns] == [2]
    with zipfile.ZipFile(tmp_path / "x.zip") as packed:
        for name, make in project_figures(live):
            found = compare(name, packed.read(name).decode(), make())
            assert found.different == [] and found.n_close == 0, name
    assert verify(tmp_path / "x.zip").wrong == []


@pytest.mark.proof
def test_commands(db, tmp_path, capsys):
    with pytest.raises(CommandError, match="or a project"):
        call_command("release", to=tmp_path / "x.zip")
    with pytest.raises(CommandError, match="no project"):
        call_command("release", project="none", to=tmp_path / "x.zip")
    demo.load()
    project = Project.objects.get()
    project.joined.exclude(campaign__protocol="pairwise").delete()
    call_command("release", project=project.slug, to=tmp_path / "x.zip")
    call_command("verify_release", tmp_path / "x.zip")
    said = capsys.readouterr().out
    assert f"{project.name}: " in said and "figures were reproduced" in said
    project.joined.all().delete()
    with pytest.raises(CommandError, match="no campaign that you may release"):
        call_command("release", project=project.slug, to=tmp_path / "y.zip")
