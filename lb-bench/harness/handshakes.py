"""New TLS 1.3 connections, each for one request, with programs/handshakes as client."""

import json
import shutil
import subprocess

from harness import cache, wrk
from harness.workplace import Failure


def is_installed():
    return shutil.which("go") is not None


def run(port, workers, seconds, resumes):
    """Returns a wrk.Load whose requests are connections; a session that was not resumed as requested is an error."""
    command = [cache.go_program("handshakes"), port, workers, seconds, "resumed" if resumes else "full"]
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds + 60, check=False)
    if done.returncode != 0:
        raise Failure(f"handshakes exited with {done.returncode}: {done.stderr}")
    return wrk.load_of(json.loads(done.stdout))
