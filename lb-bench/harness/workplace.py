"""Everything that a run starts or writes, and its removal: also on Ctrl-C, on SIGTERM and after an exception."""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "lb-bench"

_STOP_SECONDS = 5


class Failure(Exception):
    """The run cannot go on; the message says why."""


class Started:
    """A process that we started, leader of a session of its own: its children are those with the same session."""

    def __init__(self, name, command, log, environment=None, talks=False):
        self.name = name
        self.log = log
        with open(log, "ab") as out:
            self._popen = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.PIPE if talks else subprocess.DEVNULL,
                stdout=subprocess.PIPE if talks else out,
                stderr=subprocess.STDOUT,
                cwd=ROOT,
                env={**os.environ, **(environment or {})},
                start_new_session=True,
            )
        self.pid = self._popen.pid
        # Of one that talks: what it reads and what it says. Else None.
        self.stdin, self.stdout = self._popen.stdin, self._popen.stdout

    def is_running(self):
        return self._popen.poll() is None

    def exit_code(self):
        """What it ended with; None while it runs."""
        return self._popen.poll()

    def wait(self):
        """Waits until it has ended by itself."""
        self._popen.wait()

    def require_running(self):
        if not self.is_running():
            raise Failure(f"{self.name} ended with {self._popen.returncode}:\n{self.last_words()}")

    def said(self):
        """All that it has written so far."""
        return Path(self.log).read_text(errors="replace")

    def last_words(self):
        return "\n".join(self.said().splitlines()[-20:])

    def terminate(self):
        """Asks it to end, and does not wait for it."""
        self._signal(signal.SIGTERM)

    def kill(self):
        """Ends it and its children at once, without a chance to say goodbye."""
        self._signal(signal.SIGKILL)
        self._popen.wait()
        for pipe in (self.stdin, self.stdout):
            if pipe is not None:
                _close(pipe)

    def quit(self):
        """Asks it to finish what it does and to end; ends it if it does not. For programs that know SIGQUIT so."""
        self.stop(signal.SIGQUIT)

    def stop(self, number=signal.SIGTERM):
        if self.is_running():
            self._signal(number)
            try:
                self._popen.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                pass
        self.kill()

    def _signal(self, number):
        try:
            os.killpg(self.pid, number)
        except ProcessLookupError:
            pass


def _close(pipe):
    try:
        pipe.close()
    except BrokenPipeError:
        # What was still to be written to a process that has ended.
        pass


class Workplace:
    """A temporary directory and the processes whose files lie in it. Use as a context."""

    def __init__(self):
        self.directory = Path(tempfile.mkdtemp(prefix="ballast-bench-"))
        # Workers of servers that drop root must be able to reach their files.
        self.directory.chmod(0o755)
        self._started = []
        atexit.register(self.close)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def start(self, name, command, environment=None, talks=False):
        """Starts a process, whose output goes to a log; with `talks` to us, who may also write to it."""
        started = Started(name, command, self.directory / f"{name}.log", environment, talks)
        self._started.append(started)
        return started

    def write(self, name, text):
        file = self.directory / name
        file.write_text(text)
        return file

    def subdirectory(self, name):
        directory = self.directory / name
        directory.mkdir(exist_ok=True)
        return directory

    def close(self):
        """Stops the processes in the reverse order of their start, then removes the directory. Can be repeated."""
        interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            while self._started:
                self._started.pop().stop()
            shutil.rmtree(self.directory, ignore_errors=True)
        finally:
            signal.signal(signal.SIGINT, interrupt)


def await_true(condition, what, seconds, started=None):
    """Waits until the condition holds; if `started` is given, fails at once should that process end."""
    end = time.monotonic() + seconds
    while not condition():
        if started is not None:
            started.require_running()
        if time.monotonic() > end:
            words = "" if started is None else "\n" + started.last_words()
            raise Failure(f"waited {seconds} s in vain for {what}{words}")
        time.sleep(0.02)


def sleep_while(condition, seconds):
    """Waits for some seconds, but no longer than the condition holds."""
    end = time.monotonic() + seconds
    while condition() and time.monotonic() < end:
        time.sleep(0.05)


def say(text):
    """Progress, for the one who watches; results go to standard output."""
    print(text, file=sys.stderr, flush=True)


def run_program(name, produce, out=None):
    """Runs `produce`, which returns (report, whether all is well); prints the report, returns the exit code."""
    try:
        report, is_good = produce()
    except Failure as failure:
        say(f"{name}: {failure}")
        return 1
    except KeyboardInterrupt:
        say(f"{name}: stopped")
        return 130
    print(report)
    if out:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(report + "\n")
        say(f"written to {out}")
    return 0 if is_good else 1
