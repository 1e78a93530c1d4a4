"""Campaigns, tables and scores of an mteval site. docs/api.md says what every answer holds."""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import requests

if TYPE_CHECKING:
    import pandas

__all__ = ["Campaign", "Job", "Project", "Site", "SiteRefusal", "TestSet"]

SECONDS = 120  # until an answer begins
TRIES = 5  # of a request that came too soon
ENDED = ("done", "failed", "cancelled")


class SiteRefusal(Exception):
    """What the site answered instead: ``status`` (such as 404), and ``errors`` by field."""

    def __init__(self, status: int, detail: str, errors: Mapping[str, Any]) -> None:
        super().__init__(f"{status}: {detail}")
        self.status = status
        self.errors = errors


class Site:
    """A site and a token for it; those of MTEVAL_SITE and MTEVAL_TOKEN unless said.

    Raises KeyError where neither says them.
    """

    def __init__(self, address: str = "", token: str = "") -> None:
        self.address = (address or os.environ["MTEVAL_SITE"]).rstrip("/")
        self._session = requests.Session()
        token = token or os.environ["MTEVAL_TOKEN"]
        self._session.headers["Authorization"] = f"Bearer {token}"

    def ask(self, method: str, path: str, **options: Any) -> requests.Response:
        """Return the answer to a request of requests' own ``options``. path: below /api/, or an
        address that an answer gave. Raises SiteRefusal."""
        address = path if path.startswith("http") else f"{self.address}/api/{path}"
        for tried in range(1, TRIES + 1):
            answer = self._session.request(method, address, timeout=SECONDS, **options)
            if answer.status_code not in (429, 503) or tried == TRIES or method != "GET":
                break
            time.sleep(float(answer.headers.get("Retry-After", "1")))
        if not answer.ok:
            raise _refusal(answer)
        return answer

    def get(self, path: str, **query: Any) -> Any:
        """Return what stands at an address, as JSON has it. A list in the query says a name several
        times."""
        return self.ask("GET", path, params=query).json()

    def post(self, path: str, body: Any) -> Any:
        return self.ask("POST", path, json=body).json()

    def listed(self, path: str, **query: Any) -> Iterator[Any]:
        """Yield everything in a list that comes in parts."""
        part = self.get(path, limit=500, **query)
        yield from part["results"]
        while part["next"]:
            part = self.get(part["next"])
            yield from part["results"]

    def campaigns(self) -> list[Campaign]:
        """Return the campaigns whose results you may read."""
        return [Campaign(self, each) for each in self.listed("campaigns/")]

    def campaign(self, number: int) -> Campaign:
        return Campaign(self, self.get(f"campaigns/{number}/"))

    def create_campaign(self, described: Mapping[str, Any]) -> Campaign:
        """Make a campaign, all of it or nothing. described: as a campaign's file is."""
        return Campaign(self, self.post("campaigns/from-file/", described))

    def projects(self) -> list[Project]:
        """Return the projects that you may see."""
        return [Project(self, each) for each in self.listed("projects/")]

    def project(self, slug: str) -> Project:
        return Project(self, self.get(f"projects/{slug}/"))

    def create_project(self, name: str, campaigns: Sequence[int] = (), **more: Any) -> Project:
        """Make a project of campaigns, by their numbers. more: slug, description, dimensions."""
        said = {"name": name, "add": list(campaigns), **more}
        return Project(self, self.post("projects/", said))

    def test_set(self, number: int) -> TestSet:
        return TestSet(self, self.get(f"testsets/{number}/"))


class _Tables:
    """What has tables below an address of its own."""

    site: Site
    _path: str

    def get(self, path: str, **query: Any) -> Any:
        """Return what the API has below it, such as "scores/". query: filters, settings."""
        return self.site.get(self._path + path, **query)

    def tables(self, **filters: Any) -> list[dict[str, Any]]:
        """Return slug, title and addresses of all tables."""
        return self.get("tables/", **filters)["tables"]

    def rows(self, table: str, **filters: Any) -> list[dict[str, Any]]:
        """Return the rows of a table, None where a value is undefined."""
        return self.get(f"tables/{table}.json", **filters)["data"]

    def table(self, table: str, **filters: Any) -> pandas.DataFrame:
        """Return a table as a frame; needs pandas. ``attrs["selection"]`` says which judgments it
        is of."""
        import pandas

        text = self.site.ask("GET", f"{self._path}tables/{table}.json", params=filters).text
        frame = pandas.read_json(io.StringIO(text), orient="table")
        frame.attrs["selection"] = json.loads(text)["selection"]["sentence"]
        return frame


class Project(_Tables):
    """Campaigns that belong together; ``facts`` has what the site says of them."""

    def __init__(self, site: Site, facts: Mapping[str, Any]) -> None:
        self.site = site
        self.facts = facts
        self.slug: str = facts["slug"]
        self.name: str = facts["name"]
        self._path = f"projects/{self.slug}/"

    def change(
        self,
        *,
        add: Sequence[int] = (),
        remove: Sequence[int] = (),
        dimensions: Mapping[int, str] | None = None,
    ) -> None:
        """Have campaigns join or leave, by their numbers, or choose what ranks their systems."""
        chosen = {str(number): said for number, said in (dimensions or {}).items()}
        said = {"add": list(add), "remove": list(remove), "dimensions": chosen}
        self.facts = self.site.post(f"{self._path}campaigns/", said)


class Campaign(_Tables):
    """One campaign; ``facts`` has what the site says of it."""

    def __init__(self, site: Site, facts: Mapping[str, Any]) -> None:
        self.site = site
        self.facts = facts
        self.id: int = facts["id"]
        self.name: str = facts["name"]
        self._path = f"campaigns/{self.id}/"

    @property
    def status(self) -> str:
        """As it was when this was asked for, or set."""
        return self.facts["status"]

    @property
    def test_set(self) -> TestSet:
        return self.site.test_set(self.facts["test_set"])

    def chart(self, name: str, kind: str = "svg", **filters: Any) -> bytes:
        """Return a chart as a picture, svg or png."""
        return self.site.ask("GET", f"{self._path}charts/{name}.{kind}", params=filters).content

    def set_status(self, status: str) -> None:
        """Open, pause or close it. Raises SiteRefusal, with the reason, where that cannot be."""
        self.facts = self.site.post(f"{self._path}status/", {"status": status})

    def invite(self, role: str = "annotator", **more: Any) -> dict[str, Any]:
        """Make a link by which people come in; the answer has its ``url``."""
        return self.site.post(f"{self._path}invitations/", {"role": role, **more})

    def add_judgments(self, file: Path | str) -> dict[str, Any]:
        """Add judgments that were collected elsewhere: a .tsv, .csv or .jsonl."""
        path = Path(file)
        content = {"file": (path.name, path.read_bytes())}
        return self.site.ask("POST", f"{self._path}judgments/", files=content).json()


class TestSet:
    """The texts of campaigns; ``facts`` has languages, systems, references and documents."""

    __test__ = False  # pytest takes it for none of its own

    def __init__(self, site: Site, facts: Mapping[str, Any]) -> None:
        self.site = site
        self.facts = facts
        self.id: int = facts["id"]
        self._path = f"testsets/{self.id}/"

    def segments(self) -> Iterator[dict[str, Any]]:
        """Yield key, document, text, references and outputs of every segment."""
        return self.site.listed(f"{self._path}segments/")

    def upload_scores(
        self,
        metric: str,
        scores: Sequence[Mapping[str, Any]],
        *,
        higher_is_better: bool,
        references: Sequence[str] = (),
        replace: bool = False,
    ) -> dict[str, Any]:
        """Store scores of a metric: system, segment and score in each row, or a system's own
        without a segment. references: those it read, none of a metric that reads only sources."""
        said = {
            "metric": metric,
            "scores": list(scores),
            "higher_is_better": higher_is_better,
            "references": list(references) or ["src"],
            "replace": replace,
        }
        return self.site.post(f"{self._path}scores/", said)

    def compute(self, metrics: Sequence[str], references: Sequence[str] = ()) -> Job:
        """Have the site compute metrics by their names, with all references unless said."""
        asked: dict[str, Any] = {"metrics": [{"metric": metric} for metric in metrics]}
        if references:
            asked["references"] = list(references)
        return Job(self.site, self.site.post(f"{self._path}metrics/", asked))


class Job:
    """Work of the site in the background."""

    def __init__(self, site: Site, facts: Mapping[str, Any]) -> None:
        self.site = site
        self.facts = facts

    def wait(self, seconds: float = 600, every: float = 1) -> Job:
        """Ask until it has ended. Raises TimeoutError, and RuntimeError for one that failed."""
        until = time.monotonic() + seconds
        path = f"testsets/{self.facts['test_set']}/jobs/{self.facts['id']}/"
        while self.facts["status"] not in ENDED:
            if time.monotonic() > until:
                raise TimeoutError(f"the job is {self.facts['status']} after {seconds:g} s")
            time.sleep(every)
            self.facts = self.site.get(path)
        if self.facts["status"] != "done":
            raise RuntimeError(f"the job is {self.facts['status']}: {self.facts['message']}")
        return self


def _refusal(answer: requests.Response) -> SiteRefusal:
    """The problem (RFC 9457) that an answer is."""
    try:
        problem = answer.json()
    except ValueError:  # of a proxy, say
        problem = {}
    detail = problem.get("detail") or answer.reason
    return SiteRefusal(answer.status_code, detail, problem.get("errors", {}))
