"""A release with hashes only has no text in any of its files."""

import hashlib
import json
import tempfile
import zipfile
from pathlib import Path

from judgments.models import JudgeAnswer
from judgments.publishing.bundles.release import release
from tests.base import CastTestCase
from tests.judgments.judges.test_runs import new_judge


class HashedExtrasTest(CastTestCase):
    def released(self, campaign):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "hashes.zip"
            release(campaign, path, hashes_only=True)
            with zipfile.ZipFile(path) as packed:
                return {name: packed.read(name) for name in packed.namelist()}

    def test_answers_of_a_language_model_are_hashed(self):
        judge = new_judge(self.campaign, self.owner)
        item = judge.answers.tasks.get().items.order_by("position").first()
        text = item.shown.first().output.text
        said = {"text": f'accuracy - "{text}"', "problem": f"“{text}” is in no text."}
        JudgeAnswer.objects.create(judge=judge, item=item, number=1, **said)
        files = self.released(judge.answers)
        self.assertEqual([name for name in files if text.encode() in files[name]], [])
        (line,) = map(json.loads, files["judge-answers.jsonl"].splitlines())
        for name, words in said.items():
            self.assertNotIn(name, line)
            self.assertEqual(line[f"{name}_sha256"], hashlib.sha256(words.encode()).hexdigest())
            self.assertEqual(line[f"{name}_characters"], len(words))
        self.assertEqual(line["segment"], item.segment.key)

    def test_the_tutorial_is_left_out(self):
        text = self.test_set.segments.first().source
        self.campaign.practices.create(position=0, source=text, outputs=[text], feedback="Right.")
        files = self.released(self.campaign)
        self.assertEqual([name for name in files if text.encode() in files[name]], [])
        self.assertNotIn("materials", json.loads(files["campaign-file.json"]))
