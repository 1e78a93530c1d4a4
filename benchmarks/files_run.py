"""Number of our files that a request executes.

    python benchmarks/files_run.py

Uses the demo in a separate PostgreSQL. Each request is made once before, so that imports are done
and caches filled; then every file of judgments, metrics and mteval_site in which a function is
called is counted. Prints the number and its limit, and with --files their names. Exits with 1 if it
is exceeded.
"""

import argparse
import contextlib
import os
import re
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

from databases import database_in

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

OURS = tuple(f"{ROOT / name}/" for name in ("judgments", "metrics", "mteval_site"))
MOST = {"404": 8, "answer": 25, "Scores": 35, "Metrics": 55, "MQM import": 35}
MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    "A\tone\t1\t1\tr1\tEin Haus.\tA <v>mouse</v>.\tAccuracy/Mistranslation\tMajor\n"
    "B\tone\t1\t1\tr1\tEin Haus.\tA house.\tNo-error\tno-error\n"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--files", action="store_true", help="print the names, too")
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="mteval-bench-", dir="/tmp") as folder,
        database_in(Path(folder)),
    ):
        os.environ["RATE_LIMITS"] = "0"
        found = measure()
    for name, files in found.items():
        print(f"{name:<12}{len(files):>4} files, at most {MOST[name]}")
        if arguments.files:
            print("".join(f"    {Path(file).relative_to(ROOT)}\n" for file in sorted(files)))
    sys.exit(any(len(files) > MOST[name] for name, files in found.items()))


def measure() -> dict[str, set[str]]:
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    call_command("load_demo", verbosity=0)
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.SESSION_COOKIE_SECURE = False
    settings.SECURE_SSL_REDIRECT = False
    return {name: files_run(name, request) for name, request in requests().items()}


def requests() -> dict[str, Callable[[], None]]:
    """Return the requests by name."""
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.test import Client

    from judgments.exchange.releases import uploads
    from judgments.models import Campaign, Role

    campaign = Campaign.objects.get(preset="adequacy-fluency")
    owner = campaign.memberships.filter(role=Role.OWNER)[0].user
    task = campaign.tasks.exclude(annotator=None)[0]
    assert task.annotator is not None
    researcher, annotator = Client(), Client()
    researcher.force_login(owner)
    annotator.force_login(task.annotator)

    def get(client: Client, address: str, status: int = 200) -> None:
        response = client.get(address)
        assert response.status_code == status, (address, response.status_code)

    def answer() -> None:
        """Answer like the script of the judging screen; judged before, so this is a revision."""
        address = f"/judge/{campaign.pk}/1/"
        ticket = re.search(r'name="ticket" value="([^"]+)"', annotator.get(address).text)
        names = set(re.findall(r'name="(output\d+-[\w-]+)"', annotator.get(address).text))
        assert ticket and names
        with counted():
            data = {"ticket": ticket[1], **dict.fromkeys(names, "3")}
            response = annotator.post(address, data)
        assert response.status_code < 400, response.text

    def mqm() -> None:
        file = SimpleUploadedFile("mqm_demo.tsv", MQM.encode())
        uploads.work_at_once(uploads.store(owner, [("mqm_demo.tsv", file)]).pk)

    return {
        "404": lambda: get(Client(), "/nothing/", 404),
        "answer": answer,
        "Scores": lambda: get(researcher, f"/campaigns/{campaign.pk}/scores/"),
        "Metrics": lambda: get(researcher, f"/campaigns/{campaign.pk}/correlation/"),
        "MQM import": mqm,
    }


_files: set[str] = set()


@contextlib.contextmanager
def counted() -> Iterator[None]:
    """Count our files in which a function is called in the block, in any thread, and no others."""
    _files.clear()
    threading.setprofile(_note)
    sys.setprofile(_note)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def _note(frame: FrameType, event: str, argument: object) -> None:
    if event == "call" and frame.f_code.co_filename.startswith(OURS):
        _files.add(frame.f_code.co_filename)


def files_run(name: str, request: Callable[[], None]) -> set[str]:
    """Return the files of a request; for an answer those of sending it, without the page before."""
    request()
    if name == "answer":
        request()
    else:
        with counted():
            request()
    return set(_files)


if __name__ == "__main__":
    main()
