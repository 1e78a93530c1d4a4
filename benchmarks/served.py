"""A separate site for a benchmark: `./run` in a new folder, a campaign, and its annotators."""

import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

OURS = ("DATABASE_URL", "MTEVAL_VAR", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "WEB_CONCURRENCY")
START_SECONDS = 120
HEALTH = ("/health/ready/", "/health/")  # without the slash it would be a redirection


def free_port() -> int:
    """Return a port below those that the kernel assigns to outgoing connections."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Site:
    """`./run --no-demo` with `var` as its folder; output goes to `log`, which is outside of it.

    within: a command before it, such as one that enters a network namespace. host: the address to
    listen on; the loopback by default.
    """

    def __init__(
        self,
        var: Path,
        log: Path,
        *,
        port: int | None = None,
        environment: dict[str, str] | None = None,
        within: tuple[str, ...] = (),
        host: str = "",
    ) -> None:
        self.host = host
        self.var, self.log, self.within = var, log, within
        self.database = var / "postgres"  # PostgreSQL's data
        self.port = port or free_port()
        clean = {name: value for name, value in os.environ.items() if name not in OURS}
        self.environment = {**clean, "MTEVAL_VAR": str(var), **(environment or {})}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [*self.within, str(ROOT / "run"), "--no-demo", "--port", str(self.port)]
        command += ["--host", self.host] if self.host else []
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, cwd="/",
            )  # fmt: skip

    def wait(self) -> None:
        """Wait until it reports that it is ready; end the benchmark with its output if it does
        not."""
        until = time.monotonic() + START_SECONDS
        while "Ctrl-C" not in self.said():
            if self.ended or time.monotonic() > until:
                sys.exit(f"The site did not start:\n{self.said()}")
            time.sleep(0.05)

    def said(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    @property
    def ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def stop(self) -> None:
        if self.process is not None and not self.ended:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def health(self) -> str:
        """Return the URL of the readiness check: `ready` if it exists."""
        for path in HEALTH:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5).close()
                return path
            except urllib.error.URLError:
                continue
        sys.exit("The site has no page of health.")


def use_django(environment: dict[str, str]) -> None:
    """Set up Django in this process, with the site's database and secret."""
    os.environ |= {name: environment[name] for name in OURS if name in environment}
    os.environ["DJANGO_SETTINGS_MODULE"] = "mteval_site.settings"
    # The script queries the database between the steps of its event loop, on purpose.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    import django

    django.setup()


def make_campaign(n_annotators: int, n_tasks: int, items_each: int, n_segments: int = 50):
    """Return an open campaign of two questions about three translations each, with free batches;
    and the cookies of its annotators: (campaign, owner, cookies)."""
    from judgments.models.chains import record
    from tests import factory

    owner = factory.make_user("fault-owner")
    test_set = factory.make_test_set(owner, n_segments=n_segments, n_systems=3)
    campaign = factory.make_campaign(test_set, preset="adequacy-fluency", owner=owner)
    users = [new_annotator(campaign, f"annotator-{i + 1}") for i in range(n_annotators)]
    add_tasks(campaign, n_tasks, items_each)
    record.begin(campaign.pk, "opened")
    return campaign, owner, [cookies_of(user) for user in users]


def new_annotator(campaign, alias: str):
    from judgments.models import Membership, Role
    from judgments.people.members.members import new_guest

    user = new_guest()
    Membership.objects.create(campaign=campaign, user=user, role=Role.ANNOTATOR, alias=alias)
    return user


def add_tasks(campaign, n_tasks: int, items_each: int) -> None:
    """Add batches that wait to be claimed."""
    from judgments.models import Item, ItemOutput, Task

    outputs = {
        segment.pk: [output.pk for output in segment.outputs.all()]
        for segment in campaign.test_set.segments.prefetch_related("outputs")
    }
    segments = list(outputs)
    tasks = Task.objects.bulk_create(
        Task(campaign=campaign, batch=number, n_items=items_each)
        for number in range(1, n_tasks + 1)
    )
    items = Item.objects.bulk_create(
        [
            Item(task=task, position=i, segment_id=segments[(task.batch + i) % len(segments)])
            for task in tasks
            for i in range(items_each)
        ],
        batch_size=5000,
    )
    shown = (
        ItemOutput(item=item, output_id=output, position=place)
        for item in items
        for place, output in enumerate(outputs[item.segment_id])
    )
    ItemOutput.objects.bulk_create(shown, batch_size=10_000)


def cookies_of(user) -> dict[str, str]:
    """Return the cookies of a signed-in user."""
    from importlib import import_module

    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return {settings.SESSION_COOKIE_NAME: session.session_key, "csrftoken": "x" * 32}
