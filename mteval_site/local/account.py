"""The system user that the embedded PostgreSQL runs as.

PostgreSQL refuses to run as root. An ordinary user runs it as himself; root hands it to a system
user without rights, made for the purpose.
"""

import os
import pwd
import shutil
import stat
import subprocess
from pathlib import Path

NAME = "mteval"


def current() -> pwd.struct_passwd:
    return pwd.getpwuid(os.geteuid())


def choose(data: Path) -> pwd.struct_passwd:
    """Return whose process the server is: the owner of `data` if it exists, else a fitting user."""
    if os.geteuid() != 0:
        return current()
    if data.exists() and (owner := data.stat().st_uid) != 0:
        return pwd.getpwuid(owner)
    return find(NAME) or create(NAME) or pwd.getpwnam("nobody")


def find(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def create(name: str) -> pwd.struct_passwd | None:
    """Return a new system user without home, password or shell; None where `useradd` cannot."""
    useradd = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if useradd:
        options = ["--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent"]
        command = [useradd, *options, "--shell", "/usr/sbin/nologin", name]
        subprocess.run(command, capture_output=True, check=False)
    return find(name)  # also when another start was faster


def can_reach(account: pwd.struct_passwd, path: Path) -> bool:
    """Return whether every folder above `path` lets the account pass.

    Looks at owner and "other" bits only: an access list that grants more is not seen, which
    costs a copy elsewhere and nothing else.
    """
    if account.pw_uid == os.geteuid():
        return True
    for folder in path.resolve().parents:
        status = folder.stat()
        needed = stat.S_IXUSR if status.st_uid == account.pw_uid else stat.S_IXOTH
        if not status.st_mode & needed:
            return False
    return True


def give(path: Path, account: pwd.struct_passwd) -> None:
    """Make the account the owner of a folder or file."""
    if os.geteuid() == 0:
        os.chown(path, account.pw_uid, account.pw_gid)
