"""What came of a talk with a service."""

import subprocess
from dataclasses import dataclass, field

from harness.workplace import Failure

_PATIENCE_SECONDS = 120


@dataclass
class Talk:
    """`figures` by what they are, in words; `faults` in words; `digest` of what was read, equal for equal talks."""

    figures: dict
    digest: str = ""
    faults: list = field(default_factory=list)


def run(command, text=None, environment=None, user=None):
    """Runs a client to its end and returns what it said. One that ends badly is a failure with its last words."""
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
            timeout=_PATIENCE_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"{words[0]}: no end within {_PATIENCE_SECONDS} s") from None
    if done.returncode != 0:
        said = (done.stderr + done.stdout).decode(errors="replace")
        raise Failure(f"{words[0]} ended with {done.returncode}: {' '.join(said.split())[-400:]}")
    return done.stdout
