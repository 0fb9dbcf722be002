"""The result of a client session with a service."""

import subprocess
from dataclasses import dataclass, field

from harness.workplace import Failure

_TIMEOUT_SECONDS = 120


@dataclass
class SessionResult:
    """`figures` by description; `faults` as texts; `digest` of the received data, equal for equal sessions."""

    figures: dict
    digest: str = ""
    faults: list = field(default_factory=list)


def run(command, text=None, environment=None, user=None):
    """Runs a client and returns its output. A client that fails raises Failure with the end of its output."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words,
            input=text,
            capture_output=True,
            check=False,
            env=environment,
            user=user,
            cwd="/",
            timeout=_TIMEOUT_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"{words[0]}: did not exit within {_TIMEOUT_SECONDS} s") from None
    if done.returncode != 0:
        output = (done.stderr + done.stdout).decode(errors="replace")
        raise Failure(f"{words[0]} exited with {done.returncode}: {' '.join(output.split())[-400:]}")
    return done.stdout
