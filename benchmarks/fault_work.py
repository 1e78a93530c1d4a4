"""Imports and scoring jobs interrupted by faults, and whether they were left half-done."""

import asyncio
import subprocess
import sys
import time
from argparse import Namespace
from collections import Counter
from pathlib import Path

from browsers import Browser, Offline
from served import ROOT
from texts import find_texts

N_ROWS = 4000
N_SCORED, N_SYSTEMS = 1000, 3
METRICS = ("bleu", "chrf", "ter", "meteor")
JOB_SECONDS = 120


class Imports:
    """Files of N_ROWS judgments, each into a separate campaign: imported completely, or not at
    all."""

    def __init__(self, campaign, owner, folder: Path) -> None:
        self.test_set, self.owner, self.folder = campaign.test_set, owner, folder
        self.made = 0
        self.uploads: list[int] = []
        self.seconds = self.upload_seconds = 0.0
        self.segments = [s.key for s in self.test_set.segments.all()]
        self.systems = [s.name for s in self.test_set.systems.all()]

    def rows(self) -> str:
        """Return a table of ratings: N_ROWS different judgments of one output each."""
        lines = ["annotator\tsegment\tsystem\tdimension\tvalue"]
        cells = [(segment, system) for segment in self.segments for system in self.systems]
        for i in range(N_ROWS):
            segment, system = cells[i % len(cells)]
            lines.append(f"reader {i // len(cells)}\t{segment}\t{system}\tda\t{i % 101}")
        return "\n".join(lines) + "\n"

    def start_command(self, environment: dict[str, str]) -> tuple[subprocess.Popen[bytes], Path]:
        self.made += 1
        file = self.folder / f"import-{self.made}.tsv"
        file.write_text(self.rows())
        plain = {k: v for k, v in environment.items() if k != "LD_PRELOAD"}
        command = [sys.executable, str(ROOT / "manage.py"), "import_judgments", str(file)]
        command += ["--create", f"Import {self.made}", "--owner", self.owner.username]
        command += ["--test-set", str(self.test_set.pk), "--preset", "direct-assessment"]
        with open(self.folder / "imports.log", "ab") as log:
            return subprocess.Popen(command, env=plain, stdout=log, stderr=log), file

    async def upload(self, port: int, cookies: dict[str, str]) -> int:
        """Send a file to the page Import judgments of a new campaign; return the status of the
        answer, 0 without one."""
        campaign = await asyncio.to_thread(self.campaign_for_upload)
        boundary = "a-line-that-is-in-no-file"
        body = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="r.tsv"\r\n'
            f"Content-Type: text/tab-separated-values\r\n\r\n{self.rows()}\r\n--{boundary}--\r\n"
        )
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        browser = Browser("127.0.0.1", port, cookies)
        try:
            answer = await browser.post(f"/campaigns/{campaign}/import/", "upload", body, headers)
            return answer.status
        except Offline:
            return 0
        finally:
            browser.close()

    def campaign_for_upload(self) -> int:
        from django.db import connection

        from judgments.models.chains import record
        from tests import factory

        connection.close()
        name = f"Upload {len(self.uploads) + 1}"
        campaign = factory.make_campaign(
            self.test_set, preset="direct-assessment", owner=self.owner, name=name
        )
        record.begin(campaign.pk, "opened")
        connection.close()
        self.uploads.append(campaign.pk)
        return campaign.pk

    async def rehearse(self, site, cookies: dict[str, str]) -> None:
        """Run each once without faults, to measure their time; end the run if one fails."""
        started = time.monotonic()
        process, file = self.start_command(site.environment)
        if await asyncio.to_thread(process.wait):
            sys.exit(f"The import failed: {(self.folder / 'imports.log').read_text()}")
        file.unlink()
        self.seconds = time.monotonic() - started
        started = time.monotonic()
        status = await self.upload(site.port, cookies)
        if status != 302:
            sys.exit(f"The upload was answered with {status}.")
        self.upload_seconds = time.monotonic() - started

    def half_done(self) -> list[str]:
        """Return the campaigns of imports with neither all judgments of the file nor none."""
        from judgments.models import Campaign, Rating

        found = []
        for number in range(1, self.made + 1):
            campaigns = list(Campaign.objects.filter(name=f"Import {number}"))
            wanted = (N_ROWS,) if campaigns else ()
            if len(campaigns) > 1:
                found.append(f"Import {number} is there {len(campaigns)} times")
            for campaign in campaigns:
                n_rows = Rating.objects.filter(judgment__campaign=campaign).count()
                if n_rows not in wanted:
                    found.append(f"{campaign.name}: {n_rows} of {N_ROWS} ratings")
        for pk in self.uploads:
            n_rows = Rating.objects.filter(judgment__campaign=pk).count()
            if n_rows not in (0, N_ROWS):
                found.append(f"Upload into campaign {pk}: {n_rows} of {N_ROWS} ratings")
        return found


class Scoring:
    """Jobs that score one test set repeatedly; each must end with the scores of the first."""

    def __init__(self, owner) -> None:
        from tests import factory

        self.test_set = factory.make_test_set(
            owner, n_segments=N_SCORED, n_systems=N_SYSTEMS, n_documents=8, name="Scored set"
        )
        self.write_texts()
        self.seconds = 0.0
        self.expected: Counter | None = None
        self.wrong: list[str] = []

    def write_texts(self) -> None:
        """Write sentences of some twenty words instead of those of the tests."""
        from judgments.models import Output, Reference

        reference, systems = find_texts(Namespace(data=None, systems=N_SYSTEMS, segments=N_SCORED))
        references = list(
            Reference.objects.filter(segment__test_set=self.test_set).select_related("segment")
        )
        for row in references:
            row.text = reference[row.segment.position]
        Reference.objects.bulk_update(references, ["text"])
        names = [system.pk for system in self.test_set.systems.order_by("name")]
        outputs = list(
            Output.objects.filter(segment__test_set=self.test_set).select_related("segment")
        )
        for output in outputs:
            output.text = systems[names.index(output.system_id)][output.segment.position]
        Output.objects.bulk_update(outputs, ["text"])

    async def start(self) -> int:
        """Return a new job that has begun."""
        job = await asyncio.to_thread(self._start)
        until = time.monotonic() + 30
        while await asyncio.to_thread(self._status, job) == "queued":
            if time.monotonic() > until:
                break
            await asyncio.sleep(0.05)
        return job

    def _start(self) -> int:
        from django.db import connection

        from metrics.models import MetricScore
        from metrics.scoring import choices, jobs
        from metrics.scoring import tasks as scoring_tasks

        connection.close()
        MetricScore.objects.filter(test_set=self.test_set).delete()
        metrics = [choices.parse_metric(name) for name in METRICS]
        job = jobs.create_job(self.test_set, metrics, self.test_set.reference_names)
        scoring_tasks.enqueue(job)
        connection.close()
        return job.pk

    def _status(self, job: int) -> str:
        """Return the status of the job, in lower case; "unknown" while the database does not
        answer."""
        from django.db import DatabaseError, connection

        from metrics.models import ScoringJob

        try:
            return str(ScoringJob.objects.values_list("status", flat=True).get(pk=job)).lower()
        except DatabaseError:
            return "unknown"
        finally:
            connection.close()

    async def ends(self, job: int) -> str:
        """Wait until the job is done; return what is wrong with its result, or an empty text."""
        until = time.monotonic() + JOB_SECONDS
        while (status := await asyncio.to_thread(self._status, job)) != "done":
            if status in ("failed", "cancelled") or time.monotonic() > until:
                return f"job {job} is {status}"
            await asyncio.sleep(0.1)
        scores = await asyncio.to_thread(self._scores)
        self.expected = self.expected or scores
        if scores != self.expected:
            self.wrong.append(f"job {job}: {scores} instead of {self.expected}")
        return ""

    def _scores(self) -> Counter:
        from django.db import connection

        from metrics.models import MetricScore

        rows = MetricScore.objects.filter(test_set=self.test_set)
        found = Counter(
            (row.metric, row.system_id, round(row.score, 9)) for row in rows.order_by("pk")
        )
        connection.close()
        return found

    async def rehearse(self) -> None:
        started = time.monotonic()
        if wrong := await self.ends(await self.start()):
            sys.exit(wrong)
        self.seconds = time.monotonic() - started
