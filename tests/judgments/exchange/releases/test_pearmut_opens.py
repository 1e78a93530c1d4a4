"""What the site writes for Pearmut is opened by Pearmut itself, version 1.1.6.

It needs an interpreter of its own, of Python 3.12: PEARMUT_PYTHON names one that has Pearmut.
"""

import json
import os
import shutil
import subprocess

import pytest

from judgments.exchange.releases.pearmut import Pearmut
from judgments.files.uploads import Folder

from .pearmut_files import GARDEN, campaign, entry, item, lines, read, said

HOUSE = item("s1", "a house 🏠", A="ein Haus 🏠", B="eine Maus", C="Haus")
PROGRAM = """
import json, shutil, sys
from importlib.metadata import version
from pearmut import cli
assert version("pearmut") == "1.1.6"
found = {}
for path in sys.argv[1:]:
    campaign = json.load(open(path))
    name = campaign["campaign_id"]
    cli._add_single_campaign(campaign, False, None)
    annotations = path.replace(".campaign.json", ".annotations.jsonl")
    try:
        shutil.copy(annotations, f"data/annotations/{name}.jsonl")
    except FileNotFoundError:
        pass
from pearmut import app, assignment, results_export
for name, progress in app.progress_data.items():
    users = list(progress)
    about = name, users[0], app.campaigns_data, app.progress_data
    shown = [
        json.loads(assignment.get_i_item(*about, n).body)
        for n in range(len(progress[users[0]]["progress"]))
    ]
    scores = results_export.compute_model_scores(name)
    found[name] = {"users": users, "shown": shown, "scores": scores}
print(json.dumps(found), file=open("found.json", "w"))
"""


@pytest.fixture
def opened_by_pearmut(tmp_path):
    """Return a function of a folder of written files: what Pearmut has of each campaign."""
    python = os.environ.get("PEARMUT_PYTHON") or shutil.which("python3.12") or ""
    has_it = [python, "-c", "import pearmut"]
    if not python or subprocess.run(has_it, cwd=tmp_path, capture_output=True).returncode:
        pytest.skip("needs PEARMUT_PYTHON, a Python 3.12 that has pearmut==1.1.6")
    root = tmp_path / "pearmut"
    root.mkdir()

    def opened(folder):
        paths = [str(path) for path in sorted(folder.glob("*.campaign.json"))]
        subprocess.run([python, "-c", PROGRAM, *paths], cwd=root, check=True, capture_output=True)
        return json.loads((root / "found.json").read_text("utf-8"))

    return opened


@pytest.mark.proof
def test_a_contrastive_campaign_that_was_judged(tmp_path, opened_by_pearmut):
    marks = (9, 10, "minor"), (11, 11, "major")  # the house, of two units, and [missing]
    first = {"A": said(90.0, *marks), "B": said(20.0, (10, 10, "minor"))}
    entries = [
        entry("u1", [HOUSE], [first | {"C": said(50.0)}]),
        entry("u2", [HOUSE], [{"A": said(80.0), "B": said(40.0), "C": said(60.0)}]),
        entry("u1", [GARDEN], [{"A": said(70.0), "B": said(10.0)}], 1),
    ]
    found = campaign(campaign_id="c", data=[[HOUSE], [GARDEN]])
    found["info"] |= {"assignment": "single-stream", "protocol": "cESA"}
    found["info"]["special_tokens"] = ["[missing]", "[instructions fault]"]
    (tmp_path / "c.json").write_text(json.dumps(found), "utf-8")
    release, problems = read(lines(tmp_path / "c.jsonl", *entries), tmp_path / "c.json")
    assert not problems.n
    Pearmut().write(release, Folder(tmp_path / "out"))
    there = opened_by_pearmut(tmp_path / "out")["c"]
    assert there["users"] == ["u1", "u2"]
    house, garden = there["shown"]
    assert house["info"]["special_tokens"] == found["info"]["special_tokens"]
    assert house["info"]["protocol"] == "cESA"
    assert house["payload"][0]["tgt"] == HOUSE["tgt"]
    # The same places as were logged: Pearmut shows what the last of all users said of a model.
    (answer,) = garden["payload_existing"]["annotation"]
    assert {model: each["score"] for model, each in answer.items()} == {"A": 70, "B": 10}
    spans = [
        [(s["start_i"], s["end_i"], s["severity"]) for s in each["error_spans"]]
        for row in (tmp_path / "out/c.annotations.jsonl").read_text("utf-8").splitlines()[:1]
        for each in json.loads(row)["annotation"][0].values()
    ]
    assert spans == [[(9, 10, "minor"), (11, 11, "major")], [(10, 10, "minor")], []]
    # Means over items of the last score of each, as its dashboard has them.
    scores = {each["model"]: each["score"] for each in there["scores"]}
    assert scores == {"A": 75, "B": 25, "C": 60}


@pytest.mark.proof
def test_a_campaign_that_is_to_be_judged(tmp_path, opened_by_pearmut):
    (tmp_path / "c.json").write_text(json.dumps(campaign()), "utf-8")
    release, _ = read(tmp_path / "c.json")
    Pearmut().write(release, Folder(tmp_path / "out"))
    (there,) = opened_by_pearmut(tmp_path / "out").values()
    assert len(there["users"]) == 2 and there["scores"] == []
    assert "Complete all welcome items" in there["shown"][0]
