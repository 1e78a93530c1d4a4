"""PostgreSQL's own programs, of a version that fits the server."""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from psycopg2.extensions import make_dsn

from mteval_site.backup import BackupProblem
from mteval_site.local import postgres
from mteval_site.local.errors import ServerError
from mteval_site.local.upkeep import arguments_of

CHUNK = 1 << 20
VERSION = re.compile(r"\(PostgreSQL\) (\d+)")


def find(name: str, server: int, at_least: int = 0) -> tuple[Path, int]:
    """Return the program (pg_dump, pg_restore) for a server of a major version, and its own.

    Older programs than the server refuse it; newer ones can say what an older server does not
    understand, so that the same version is taken if it is there. Raise BackupProblem.
    """
    oldest = max(server, at_least)
    found = {major: path for path in _candidates(name) if (major := _major(path)) >= oldest}
    if not found:
        raise BackupProblem(
            f"There is no {name} of PostgreSQL {oldest} or newer here; install the client programs "
            f"(on Debian and Ubuntu: apt install postgresql-client-{oldest})."
        )
    return found[min(found)], min(found)


def _candidates(name: str) -> Iterator[Path]:
    with contextlib.suppress(ServerError):  # a site with a server of its own may lack the wheel
        yield postgres.programs() / "bin" / name
    if on_path := shutil.which(name):
        yield Path(on_path)
    yield from Path("/usr/lib/postgresql").glob(f"*/bin/{name}")


def _major(path: Path) -> int:
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return 0
    match = VERSION.search(said.stdout)
    return int(match[1]) if match else 0


def _command(program: Path, database: dict, options: Iterable[str]) -> tuple[list[str], dict]:
    """Return command line and environment; a password is never on the command line."""
    arguments = {**arguments_of(database)}
    password = arguments.pop("password", "")
    environment = dict(os.environ) | ({"PGPASSWORD": password} if password else {})
    return [str(program), f"--dbname={make_dsn(**arguments)}", *options], environment


def output_of(program: Path, database: dict, options: Iterable[str]) -> Iterator[bytes]:
    """Yield what the program writes, piece by piece. Raise BackupProblem with its last words."""
    command, environment = _command(program, database, options)
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, env=environment)
        assert process.stdout is not None
        try:
            while chunk := process.stdout.read(CHUNK):
                yield chunk
        finally:
            process.stdout.close()
            process.wait()
        _require_success(process, program, said)


def feed(program: Path, database: dict, options: Iterable[str], chunks: Iterable[bytes]) -> None:
    """Give the program its input. Raise BackupProblem with its last words.

    Where the input itself fails, the program is killed before it sees an end: it must neither wait
    for more nor take what there was for all.
    """
    command, environment = _command(program, database, options)
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=said, env=environment)
        assert process.stdin is not None
        try:
            for chunk in chunks:
                process.stdin.write(chunk)
            process.stdin.close()
        except BrokenPipeError:  # it has given up, and says why
            pass
        except BaseException:
            process.kill()
            raise
        finally:
            process.wait()
        _require_success(process, program, said)


def _require_success(process: subprocess.Popen, program: Path, said) -> None:
    if process.returncode:
        said.seek(0)
        words = postgres.last_lines(said.read().decode(errors="replace"))
        raise BackupProblem(f"{program.name} failed: {words}")
