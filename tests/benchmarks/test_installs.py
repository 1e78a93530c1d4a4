"""The commands that `benchmarks/installs.py` takes from the guides."""

import re

import installs
import pytest

WHEEL = "./mteval_web-VERSION-py3-none-any.whl"
DEPLOYMENT = (installs.ROOT / "docs/guide/deployment.md").read_text()


def test_a_checkout():
    packages, start = installs.blocks("checkout")
    assert packages.splitlines() == ["apt install python3-venv git"]
    clone, run, tests = start.splitlines()
    assert clone == "git clone ADDRESS mteval && cd mteval"
    assert run.startswith("./run ")
    assert tests.startswith("./test ")


def test_a_wheel():
    packages, uv, start = installs.blocks("wheel")
    assert (packages, uv) == ("apt install pipx", "pipx install uv")
    assert [re.split(r" mteval| && ", line)[0] for line in start.splitlines()] == [
        f"uvx --from {WHEEL}",
        f"pipx run --spec {WHEEL}",
        f"pipx install {WHEEL}",
    ]


@pytest.mark.parametrize("program", ["docker compose", "podman-compose"])
def test_containers_have_the_same_steps_with_both_programs(program: str):
    (block,) = [
        block for block in installs.BLOCK.findall(DEPLOYMENT) if f"\n{program} " in f"\n{block}"
    ]
    compose = f"{program} -f docs/deploy/compose.yaml"
    steps = [line for line in block.splitlines() if line.startswith(compose)]
    assert re.match(rf"{compose} up -d\b", steps[0])
    assert steps[-1] == f"{compose} exec site ./run manage createsuperuser"


def test_the_campaign_of_the_readme():
    assert "files: [texts]" in installs.campaign_file()
