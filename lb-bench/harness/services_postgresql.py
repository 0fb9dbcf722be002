"""PostgreSQL: transactions by pgbench, large COPY in both directions, PostgreSQL's TLS through Ballast."""

import hashlib
import os
import pwd
import re
import shutil
from pathlib import Path

from harness import certificate, conditions, ports
from harness.service_session import SessionResult, run
from harness.workplace import Failure, await_true

_ROWS = 200_000


def _bin():
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    if found:
        return found[-1]
    initdb = shutil.which("initdb")
    return Path(initdb).parent if initdb else None


def missing():
    if _bin() is None or shutil.which("pgbench") is None:
        return "apt-get install postgresql"
    return None if os.geteuid() != 0 or _user() else "PostgreSQL does not run as root, and there is no user `postgres`"


def version():
    return conditions.tool_version([str(_bin() / "postgres"), "--version"])


def _user():
    """Returns the user that runs the server, which must not be root."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres").pw_uid
    except KeyError:
        return None


def start(place, port):
    data = place.directory / "data"
    data.mkdir()
    user = _user()
    if user is not None:
        os.chown(data, user, -1)
    run([_bin() / "initdb", "-D", data, "-U", "bench", "-A", "trust", "-N"], user=user)
    made = certificate.make(place)
    for source, name in ((made.certificate, "server.crt"), (made.key, "server.key")):
        copy = data / name
        shutil.copyfile(source, copy)
        copy.chmod(0o600)
        if user is not None:
            os.chown(copy, user, -1)
    # The data are discarded, so durability would only cost time.
    options = ["-c", "ssl=on", "-c", "fsync=off", "-c", "max_connections=100"]
    own = [] if user is None else ["runuser", "-u", "postgres", "--"]
    server = place.start("postgres", [*own, _bin() / "postgres", "-D", data, "-p", port, "-h", ports.LOOPBACK, "-k", data, *options])
    await_true(lambda: _is_ready(port), "PostgreSQL to answer", 10, server)
    run(["pgbench", *_to(port), "-i", "-q", "-s", "2", "postgres"], environment=_environment("disable"))


def _is_ready(port):
    try:
        return run(["psql", *_to(port), "-Atc", "SELECT 1", "postgres"], environment=_environment("disable")) == b"1\n"
    except Failure:
        return False


def _to(port):
    return ["-h", ports.LOOPBACK, "-p", port, "-U", "bench"]


def _environment(tls):
    return {**os.environ, "PGSSLMODE": tls, "PGCONNECT_TIMEOUT": "10"}


def run_client(place, port, seconds):
    faults, figures = [], {}
    for tls, words in (("disable", "without TLS"), ("require", "with its own TLS")):
        persistent = _transactions(port, seconds, tls, (), faults)
        figures[f"transactions per second, 16 connections, {words}"] = persistent
    figures["transactions per second, with a connection each"] = _transactions(port, seconds, "disable", ("-C",), faults)
    sums = "SELECT (SELECT sum(abalance) FROM pgbench_accounts) = (SELECT sum(delta) FROM pgbench_history)"
    run([*_psql(port), "-c", "DROP TABLE IF EXISTS copied; CREATE TABLE copied (id int, words text)"])
    text = "".join(f"{number}\t{'w' * (number % 97)}{number}\n" for number in range(_ROWS)).encode()
    run([*_psql(port), "-c", "COPY copied FROM STDIN"], text=text)
    read = run([*_psql(port), "-c", "COPY (SELECT * FROM copied ORDER BY id) TO STDOUT"])
    if read != text:
        faults.append(f"COPY: {len(read):,} bytes received (expected: {len(text):,} identical ones)")
    if run([*_psql(port), "-c", sums]) != b"t\n":
        faults.append("the sums of pgbench's tables differ: a transaction was lost or repeated")
    figures["bytes by COPY, in each direction"] = f"{len(text):,}"
    return SessionResult(figures, hashlib.sha256(read).hexdigest(), faults)


def _psql(port):
    return ["psql", *_to(port), "-At", "-v", "ON_ERROR_STOP=1", "postgres"]


def _transactions(port, seconds, tls, more, faults):
    command = ["pgbench", *_to(port), "-n", "-c", "16", "-T", seconds, *more, "postgres"]
    output = run(command, environment=_environment(tls)).decode()
    failed = re.search(r"number of failed transactions: (\d+)", output)
    rate = re.search(r"tps = ([\d.]+)", output)
    if not rate or not failed or int(failed[1]):
        faults.append(f"pgbench said {' '.join(output.split())[-300:]}")
    return f"{float(rate[1]):,.0f}" if rate else "–"
