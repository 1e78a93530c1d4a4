"""Whether the commands of the guides install mteval on a clean Debian, and how long that takes.

    python benchmarks/installs.py [--repeats 3] [--way checkout] [--against COMMIT]

Runs the code blocks of `README.md` (*Two commands*) and `docs/guide/operator.md` (*A wheel*) word
for word in clean roots of Debian 12: those with `apt` as root, the others as an ordinary user, with
this checkout's last commit as `ADDRESS`. Each way starts the site, creates README's example
campaign with the texts of `docs/guide/formats.md`, and stops. Prints seconds until the site is
ready and the megabytes of packages. Exits with 1 if a command fails.

Then installs the packages of the checkout again, without a start, with full caches of packages;
`--against` does the same for another commit, by turns.

Needs root, mmdebstrap, Git and a package index. The roots get this machine's certificates, name
servers and settings of pip.
"""

import argparse
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(?:sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
YAML = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
README, OPERATOR, FORMATS = "README.md", "docs/guide/operator.md", "docs/guide/formats.md"
SECTIONS = {"checkout": (README, "## Two commands"), "wheel": (OPERATOR, "### A wheel")}
USER = "newcomer"
FROM_HERE = ("SSL_CERT_FILE", "PIP_CERT", "PIP_INDEX_URL", "UV_INDEX_URL")
COPIED = ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt")
# Where the packages are, by the beginning of a command.
PACKAGES = {
    "uvx": ".cache/uv",
    "pipx run": ".local/pipx/.cache",
    "pipx install": ".local/pipx/venvs/mteval-web",
}
TEXTS = re.compile(r"^```text ((?:source|plain|fancy)\.txt)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--way", choices=SECTIONS)
    parser.add_argument("--against", help="a commit whose packages are installed, too")
    options = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        sys.exit("This needs root and mmdebstrap.")
    with tempfile.TemporaryDirectory(prefix="mteval-installs-", dir="/tmp") as folder:
        place = Path(folder)
        place.chmod(0o711)
        debian = place / "debian.tar"
        make = ["mmdebstrap", "--quiet", "--variant=important", "--include=ca-certificates"]
        subprocess.run([*make, "bookworm", debian], check=True)
        if options.way != "wheel":
            commits = ["HEAD", *([options.against] if options.against else [])]
            measure_checkouts(place, debian, commits, options.repeats)
        if options.way != "checkout":
            measure_wheel(place, debian)
    return 0


def measure_checkouts(place: Path, debian: Path, commits: list[str], repeats: int) -> None:
    root = clean_root(place, debian, "checkout")
    packages, start = blocks("checkout")
    start = start.partition("\n./test")[0].replace("ADDRESS", "/srv/mteval.git")
    seconds = in_root(root, "root", packages)
    print(f"{'packages of Debian':<34}{seconds:7.1f} s", flush=True)
    checkout = root / f"home/{USER}/mteval"
    bundle(root, "HEAD")
    seconds = site(root, start, "cd mteval && ./run manage")
    print(f"{'./run':<34}{seconds:7.1f} s {megabytes(checkout / '.venv'):6} MB", flush=True)
    found: dict[str, list[tuple[float, int]]] = {commit: [] for commit in commits}
    for turn in range(repeats + 1):
        for commit in commits:
            shutil.rmtree(checkout)
            bundle(root, commit)
            in_root(root, USER, start.partition("\n")[0])
            seconds = in_root(root, USER, "cd mteval && ./run manage version")
            if turn:
                found[commit].append((seconds, megabytes(checkout / ".venv")))
    for commit, each in found.items():
        seconds, size = (statistics.median(column) for column in zip(*each, strict=True))
        name = f"packages of {commit[:9]}, median of {len(each)}"
        print(f"{name:<34}{seconds:7.1f} s {size:6} MB", flush=True)


def measure_wheel(place: Path, debian: Path) -> None:
    packages, uv, start = blocks("wheel")
    root = clean_root(place, debian, "wheel")
    subprocess.run(["make", "--silent", "wheel"], cwd=ROOT, check=True)
    wheel = max((ROOT / "var/dist").glob("*.whl"), key=lambda path: path.stat().st_mtime)
    shutil.copy(wheel, root / f"home/{USER}")
    seconds = in_root(root, "root", packages) + in_root(root, USER, uv)
    print(f"{'pipx and uv':<34}{seconds:7.1f} s", flush=True)
    for line in start.replace("VERSION", wheel.name.split("-")[1]).splitlines():
        seconds = site(root, line, f"{line.split(' && ')[-1]} manage")
        name = next(name for name in PACKAGES if line.startswith(name))
        size = megabytes(root / f"home/{USER}" / PACKAGES[name])
        print(f"{name:<34}{seconds:7.1f} s {size:6} MB", flush=True)
        shutil.rmtree(root / f"home/{USER}/.local/share/mteval")


def blocks(way: str) -> list[str]:
    """Return the commands of a way, in the order of its section: the first are those of root."""
    file, heading = SECTIONS[way]
    section = (ROOT / file).read_text(encoding="utf-8").split(f"\n{heading}\n")[1]
    found = [block.strip() for block in BLOCK.findall(re.split(r"^##", section, flags=re.M)[0])]
    assert found[0].startswith("apt install "), found[0]
    return found[: 2 if way == "checkout" else 3]


def campaign_file() -> str:
    return YAML.findall((ROOT / README).read_text(encoding="utf-8"))[0]


def clean_root(place: Path, debian: Path, name: str) -> Path:
    root = place / name
    root.mkdir()
    subprocess.run(["tar", "-C", root, "-xf", debian], check=True)
    for file in COPIED:
        if Path(file).exists():
            shutil.copy(file, f"{root}{file}")
    in_root(root, "root", f"apt-get update -qq && useradd --create-home --shell /bin/bash {USER}")
    (texts := root / f"home/{USER}/texts").mkdir()
    for each, lines in TEXTS.findall((ROOT / FORMATS).read_text(encoding="utf-8")):
        (texts / each).write_text(lines, encoding="utf-8")
    (texts.parent / "campaign.yaml").write_text(campaign_file(), encoding="utf-8")
    return root


def bundle(root: Path, commit: str) -> None:
    """Put the repository with a commit as its newest state into the root."""
    to = root / "srv/mteval.git"
    shutil.rmtree(to, ignore_errors=True)
    subprocess.run(["git", "clone", "-q", "--bare", ROOT, to], check=True)
    full = subprocess.check_output(["git", "rev-parse", f"{commit}^{{commit}}"], cwd=ROOT).strip()
    subprocess.run(["git", "-C", to, "update-ref", "HEAD", full], check=True)
    (root / "etc/gitconfig").write_text("[safe]\ndirectory = *\n")


def shell(root: Path, user: str, commands: str) -> list[str]:
    """Return a command that runs others in the root, as after signing in."""
    home = "/root" if user == "root" else f"/home/{user}"
    variables = {name: os.environ[name] for name in FROM_HERE if name in os.environ}
    variables |= {"HOME": home, "USER": user, "DEBIAN_FRONTEND": "noninteractive"}
    inside = ["chroot", f"--userspec={user}:{user}", str(root), "/bin/env", "-i"]
    inside += [f"{name}={value}" for name, value in variables.items()]
    mounts = [f"mount --rbind /{name} {root}/{name}" for name in ("proc", "dev", "sys")]
    outer = " && ".join(["mount --make-rprivate /", *mounts, 'exec "$@"'])
    inside += ["bash", "-lc", f"cd; {commands}"]
    return ["unshare", "--mount", "sh", "-c", outer, "sh", *inside]


def in_root(root: Path, user: str, commands: str) -> float:
    """Run commands in the root; returns the seconds. Ends the program if they fail."""
    begun = time.monotonic()
    commands = commands.replace("apt install", "apt-get install --yes")
    line = shell(root, user, commands)
    done = subprocess.run(line, capture_output=True, text=True, timeout=900)
    if done.returncode:
        sys.exit(f"{commands}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return time.monotonic() - begun


def site(root: Path, commands: str, manage: str) -> float:
    """Run commands that start the site until it is ready, and stop it; returns the seconds."""
    begun = time.monotonic()
    process = subprocess.Popen(
        shell(root, USER, commands), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if "Ctrl-C" in line:
            break
    else:
        sys.exit(f"{commands}\ndid not start the site:\n{''.join(said)}")
    seconds = time.monotonic() - begun
    in_root(root, USER, f"{manage} create_campaign ~/campaign.yaml --owner manager")
    os.killpg(process.pid, signal.SIGTERM)  # a shell's background ignores SIGINT
    process.communicate(timeout=60)
    return seconds


def megabytes(folder: Path) -> int:
    return int(subprocess.check_output(["du", "-s", "--block-size=MB", folder]).split(b"MB")[0])


if __name__ == "__main__":
    sys.exit(main())
