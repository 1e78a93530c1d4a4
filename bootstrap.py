"""Makes the environment `.venv` match its lock file, then becomes the command in it.

    python3 bootstrap.py run ...      the site, or `run manage COMMAND ...`
    python3 bootstrap.py test ...     pytest: all tests but the proofs, on all cores; --quick the
                                      quick ones of them, --proofs or --changed the proofs
    python3 bootstrap.py python ...   Python in the tests' environment
    python3 bootstrap.py run extras   the packages that single features need (pyproject.toml)
    python3 bootstrap.py run neural   the environment of the neural metrics, beside the other

Needs the standard library only, and is written so that an old Python can read it far enough to
say that it is too old. MTEVAL_VENV names another folder than `.venv`, MTEVAL_NEURAL another than
`.venv-neural`.
"""

import fcntl
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.abspath(os.environ.get("MTEVAL_VENV") or os.path.join(ROOT, ".venv"))
PYTHON = os.path.join(VENV, "bin", "python")
# Which lock files the environment satisfies, one hash a line; written last.
STAMP = os.path.join(VENV, "mteval-stamp")
# There while an environment is being filled for the first time: what is killed then starts anew.
UNFINISHED = os.path.join(VENV, "mteval-unfinished")

SITE_LOCK = os.path.join(ROOT, "requirements.txt")
# Each holds all of the one before, and more.
ALL_LOCK = os.path.join(ROOT, "requirements-all.txt")
TEST_LOCK = os.path.join(ROOT, "requirements-test.txt")
UV_LOCK = os.path.join(ROOT, "requirements-uv.txt")
NEURAL_LOCK = os.path.join(ROOT, "requirements-neural.txt")
NEURAL_VENV = os.environ.get("MTEVAL_NEURAL") or os.path.join(ROOT, ".venv-neural")
PIP_INSTALL = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check"]
OLDEST = (3, 11)
NEWER = ["python3.14", "python3.13", "python3.12", "python3.11"]
# COMET needs a NumPy that newer releases of Python cannot use.
NEWEST_FOR_NEURAL = (3, 12)
FOR_NEURAL = ["python3.12", "python3.11"]

# Long modules come first (tests/conftest.py), hence the order as it is.
ON_ALL_CORES = ["-n", "auto", "--dist", "loadscope", "--no-loadscope-reorder"]
QUICK = "not browser and not slow and not neural and not proof"

NO_VENV = (
    "Python's module for virtual environments is missing; "
    "install it (on Debian and Ubuntu: apt install python3-venv) and start again."
)


def main():
    if sys.version_info < OLDEST:
        use_newer_python()
    command, arguments = (sys.argv[1] if len(sys.argv) > 1 else "run"), sys.argv[2:]
    if command == "run" and arguments[:1] == ["neural"]:
        start_neural(arguments[1:])
    if command == "run" and arguments[:1] == ["extras"]:
        command = "extras"
    lock = {"run": SITE_LOCK, "extras": ALL_LOCK, "neural": NEURAL_LOCK}.get(command, TEST_LOCK)
    if not satisfied(lock):
        try:
            prepare(lock)
        except PermissionError as error:
            sys.exit(f"You may not write to {error.filename}; start from a checkout that is yours.")
    if command == "extras":
        print("All packages are installed. Restart the site if it is running.")
    else:
        become(command, arguments)


def become(command, arguments):
    """Replace this process, so that signals reach the command itself."""
    if command == "run" and arguments[:1] == ["manage"]:
        line = [PYTHON, os.path.join(ROOT, "manage.py"), *arguments[1:]]
    elif command == "run":
        line = [PYTHON, os.path.join(ROOT, "mteval_site", "local", "__main__.py"), *arguments]
    elif command == "test":
        os.chdir(ROOT)
        # Or each process of the tests, and each that they start, would compile all modules anew.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        line = [PYTHON, "-m", "pytest", *tests_of(arguments)]
    elif command == "neural":
        os.chdir(ROOT)
        line = [PYTHON, "-m", "metrics.neural", *arguments]
    else:
        line = [PYTHON, *arguments]
    os.execv(PYTHON, line)


def tests_of(arguments):
    """Arguments of pytest. All tests, all quick ones or all proofs (tests/proofs.py) run on all
    cores, those of a module or a class in one process; what somebody chooses runs in a single
    process, which starts sooner."""
    rest = [argument for argument in arguments if argument != "--quick"]
    quick = ["-m", QUICK] if "--quick" in arguments else []
    # Words beside options are names of tests, but for the minutes after --within.
    are_all = not rest or rest[0].split("=")[0] in ("--proofs", "--changed")
    return [*(ON_ALL_CORES if are_all else []), *quick, *rest]


def start_neural(arguments):
    """Start again with the other environment's folder in the place of `.venv`."""
    if sys.version_info[:2] > NEWEST_FOR_NEURAL:
        use_other_python(FOR_NEURAL)
        sys.exit(
            "The neural metrics need Python 3.11 or 3.12, and python3 is "
            f"{sys.version_info[0]}.{sys.version_info[1]}; install one of them beside it."
        )
    os.environ["MTEVAL_VENV"] = NEURAL_VENV
    os.execv(sys.executable, [sys.executable, os.path.abspath(__file__), "neural", *arguments])


def use_newer_python():
    use_other_python(NEWER)
    sys.exit(
        "mteval needs Python 3.11 or newer, and python3 is "
        f"{sys.version_info[0]}.{sys.version_info[1]}; install a newer one."
    )


def use_other_python(names):
    for name in names:
        path = shutil.which(name)
        if path:
            os.execv(path, [path, os.path.abspath(__file__), *sys.argv[1:]])


def fingerprint(lock):
    """Changes with the lock file and with the Python that the environment was made of."""
    with open(lock, "rb") as file:
        digest = hashlib.sha256(file.read())
    digest.update(os.path.realpath(PYTHON).encode())
    return digest.hexdigest()


def satisfied(lock):
    try:
        with open(STAMP) as file:
            return os.path.exists(PYTHON) and fingerprint(lock) in file.read().split()
    except OSError:
        return False


def prepare(lock):
    """Fill the environment; a second start waits for the first."""
    folder = os.path.dirname(VENV)
    os.makedirs(folder, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("Waiting for another start that is installing packages ...", flush=True)
        fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        if not satisfied(lock):
            install(lock)
    finally:
        os.close(handle)


def install(lock):
    # A changed lock file must not throw out what ./test or ./run extras have installed.
    if lock in (SITE_LOCK, ALL_LOCK) and holds("bin/pytest"):
        lock = TEST_LOCK
    elif lock == SITE_LOCK and holds("lib/python*/site-packages/typst"):
        lock = ALL_LOCK
    started = time.monotonic()
    name = os.path.basename(lock)
    print(f"Installing the packages of {name} ...", flush=True)
    if os.path.exists(STAMP):
        os.remove(STAMP)
    # pip is missing when the machine's Python has moved to a new version below the environment.
    if os.path.exists(UNFINISHED) or not quiet([PYTHON, "-c", "import pip"]):
        make_venv()
    how = fill(lock)
    chain = [SITE_LOCK, ALL_LOCK, TEST_LOCK]
    satisfies = chain[: chain.index(lock) + 1] if lock in chain else [lock]
    with open(STAMP + ".part", "w") as file:
        file.write("\n".join(fingerprint(each) for each in satisfies) + "\n")
    os.replace(STAMP + ".part", STAMP)
    if os.path.exists(UNFINISHED):
        os.remove(UNFINISHED)
    print(f"  packages       {time.monotonic() - started:5.1f} s   with {how}", flush=True)


def holds(path):
    return bool(glob.glob(os.path.join(VENV, path)))


def make_venv():
    shutil.rmtree(VENV, ignore_errors=True)
    os.makedirs(VENV)
    open(UNFINISHED, "w").close()
    uv = shutil.which("uv")
    # The marker is in the folder already, hence --allow-existing.
    if uv and quiet([uv, "venv", "--allow-existing", "--seed", "--python", sys.executable, VENV]):
        return
    made = subprocess.run(
        [sys.executable, "-m", "venv", VENV], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if made.returncode:
        shutil.rmtree(VENV, ignore_errors=True)
        said = made.stdout.decode(errors="replace")
        sys.exit(NO_VENV if "ensurepip" in said or "No module" in said else last_lines(said))


def fill(lock):
    """Install exactly what the lock file names; returns the tool that did it."""
    uv = shutil.which("uv") or own_uv()
    if uv and quiet([uv, "pip", "sync", "--require-hashes", "--python", PYTHON, lock]):
        how = "uv"
    else:
        # The lock of the neural metrics is complete but for PyTorch, which pip would miss.
        alone = ["--no-deps"] if lock == NEURAL_LOCK else []
        pip_install(["--require-hashes", *alone, "-r", lock])
        how = "pip"
    if lock == NEURAL_LOCK:
        pip_install([torch_of(lock)])
    return how


def torch_of(lock):
    """PyTorch with its version alone: which of its builds fits depends on the machine, and each
    has a hash of its own. It comes last, when all that it needs is there by hash, but for the
    libraries of a graphics card. With pip, which reads the machine's settings of indexes."""
    with open(lock) as file:
        found = re.findall(r"^# without its hash: (torch==\S+)$", file.read(), re.MULTILINE)
    return found[0]


def pip_install(what):
    done = subprocess.run([*PIP_INSTALL, *what], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(
            "The packages could not be installed; check the network connection, or set "
            "PIP_INDEX_URL to a package index that can be reached. pip said:\n"
            + last_lines(done.stdout.decode(errors="replace"))
        )


def own_uv():
    """uv inside the environment, by the hashes of its lock file; None if that fails.

    Measured with warm caches: uv fills the environment in 0.3 s, pip in 17 s.
    """
    uv = os.path.join(VENV, "bin", "uv")
    return (
        uv
        if os.path.exists(uv) or quiet([*PIP_INSTALL, "--require-hashes", "-r", UV_LOCK])
        else None
    )


def quiet(command):
    """Whether the command can be run and succeeds; what it says is not shown."""
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError:
        return False
    return done.returncode == 0


def last_lines(text, count=5):
    return "\n".join("  " + line for line in text.strip().splitlines()[-count:])


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
