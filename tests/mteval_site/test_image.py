"""The container image: built with buildah, run with Podman, with a read-only root and an ordinary
user. Needs both programs and a machine on which they may start containers."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.waiting import wait_until

from .conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.proof]
# Storage and limits for machines on which the defaults are not allowed.
BUILDAH = os.environ.get("BUILDAH", "").split()
PODMAN = os.environ.get("PODMAN", "").split()
NAME = "mteval-tested"


def podman(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["podman", *BUILDAH, *arguments], capture_output=True, text=True)


@pytest.fixture(scope="module")
def image() -> str:
    if not shutil.which("podman") or not shutil.which("buildah"):
        pytest.skip("podman and buildah are not installed")
    if made := os.environ.get("MTEVAL_IMAGE"):
        return made
    built = subprocess.run(
        [ROOT / "docs" / "deploy" / "build-image", NAME], capture_output=True, text=True
    )
    if built.returncode:
        pytest.skip(f"the image cannot be built here: {built.stderr.strip().splitlines()[-1]}")
    return f"localhost/{NAME}"


@pytest.fixture
def container(image: str, tmp_path: Path) -> Iterator[str]:
    started = podman(
        "run", "--detach", "--name", NAME, "--read-only", "--tmpfs", "/tmp", *PODMAN,
        "--env", "ALLOWED_HOSTS=127.0.0.1", "--env", "SECRET_KEY=" + "an image in a test " * 4,
        image, "./run", "--no-demo",
    )  # fmt: skip
    if started.returncode:
        pytest.skip(f"no container can be started here: {started.stderr.strip().splitlines()[-1]}")
    yield NAME
    podman("rm", "--force", NAME)


def inside(container: str, *command: str) -> str:
    done = podman("exec", container, *command)
    return (done.stdout + done.stderr).strip()


def test_the_site_serves_from_a_read_only_root(container: str) -> None:
    ask = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8000/').status)"
    wait_until(lambda: podman("healthcheck", "run", container).returncode == 0, 180)
    assert inside(container, "python3", "-c", ask) == "200"
    assert inside(container, "id", "-u") != "0"
    assert "Read-only file system" in inside(container, "touch", "/srv/mteval/file")
    assert inside(container, "ls", "/var/lib/mteval/var/secret_key").startswith("ls: cannot")
    assert podman("stop", "--time", "20", container).returncode == 0
