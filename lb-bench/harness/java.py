"""Classes of the benchmarks jar, which is built if it is missing or outdated."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from harness.workplace import BENCH, ROOT, Failure, say

_JAR = BENCH / "target" / "benchmarks.jar"


def executable():
    home = os.environ.get("JAVA_HOME")
    return f"{home}/bin/java" if home else "java"


def command(main_class, *arguments):
    """Returns the command that runs a class of the benchmarks jar in a small heap."""
    return [executable(), "-Xmx64m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp", jar(), main_class, *arguments]


def jar():
    """Returns the benchmarks jar, built if it is missing or older than its sources."""
    if _is_out_of_date():
        _build()
    return _JAR


def _is_out_of_date():
    if not _JAR.exists():
        return True
    built = _JAR.stat().st_mtime
    sources = (path for module in ROOT.glob("lb-*") for path in (module / "src" / "main").rglob("*"))
    return any(path.stat().st_mtime > built for path in [BENCH / "pom.xml", *sources])


def _build():
    say(f"building {_JAR.relative_to(ROOT)}")
    done = subprocess.run(
        ["./mvnw", "-B", "-q", "-DskipTests", "package", "-pl", "lb-bench", "-am"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Failure(f"could not build {_JAR}:\n{done.stdout[-4000:]}")


def command_to(pid, command):
    """Sends a diagnostic command to a running Java; returns the output, None if that Java has no jcmd."""
    jcmd = Path(os.readlink(f"/proc/{pid}/exe")).with_name("jcmd")
    if not jcmd.exists():
        return None
    done = subprocess.run([jcmd, str(pid), *command.split()], capture_output=True, text=True, check=False, timeout=60)
    return done.stdout if done.returncode == 0 else None


def version(running=None):
    """Returns the Java version of process `running`, or of the Java on the PATH."""
    binary = os.readlink(f"/proc/{running}/exe") if running else shutil.which(executable())
    if binary is None or not binary.endswith("java"):
        return "none"
    text = subprocess.run([binary, "-version"], capture_output=True, text=True, check=False).stderr
    match = re.search(r'version "([^"]+)"', text)
    return match[1] if match else "unknown"
