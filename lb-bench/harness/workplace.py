"""The processes and files of a run, which are also removed after Ctrl-C, SIGTERM and exceptions."""

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
    """The run cannot continue; the message contains the reason."""


class Started:
    """A started process, leader of a session of its own, which its children share."""

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
        # Pipes of an interactive process; otherwise None.
        self.stdin, self.stdout = self._popen.stdin, self._popen.stdout

    def is_running(self):
        return self._popen.poll() is None

    def exit_code(self):
        """Returns the exit code; None while it runs."""
        return self._popen.poll()

    def wait(self):
        """Waits until it has exited."""
        self._popen.wait()

    def require_running(self):
        if not self.is_running():
            raise Failure(f"{self.name} exited with {self._popen.returncode}:\n{self.log_tail()}")

    def output(self):
        """Returns its output so far."""
        return Path(self.log).read_text(errors="replace")

    def log_tail(self):
        return "\n".join(self.output().splitlines()[-20:])

    def terminate(self):
        """Sends SIGTERM without waiting."""
        self._signal(signal.SIGTERM)

    def kill(self):
        """Kills it and its children."""
        self._signal(signal.SIGKILL)
        self._popen.wait()
        for pipe in (self.stdin, self.stdout):
            if pipe is not None:
                _close(pipe)

    def quit(self):
        """Sends SIGQUIT for a graceful exit, for programs that support it; kills it after a timeout."""
        self.stop(signal.SIGQUIT)

    def stop(self, number=signal.SIGTERM, seconds=_STOP_SECONDS):
        """Sends a signal, and kills the process if it still runs after some seconds."""
        if self.is_running():
            self._signal(number)
            try:
                self._popen.wait(seconds)
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
        # Pending output to an exited process.
        pass


class Workplace:
    """A temporary directory, and the processes that use it. Use it as a context manager."""

    def __init__(self):
        self.directory = Path(tempfile.mkdtemp(prefix="ballast-bench-"))
        # Workers of servers that drop root privileges must be able to read their files.
        self.directory.chmod(0o755)
        self._started = []
        atexit.register(self.close)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def start(self, name, command, environment=None, talks=False):
        """Starts a process. Its output goes to a log file; with `talks`, its input and output are pipes instead."""
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
        """Stops the processes in reverse order of their start, then removes the directory. Idempotent."""
        interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            while self._started:
                self._started.pop().stop()
            shutil.rmtree(self.directory, ignore_errors=True)
        finally:
            signal.signal(signal.SIGINT, interrupt)


def await_true(condition, what, seconds, started=None):
    """Waits until the condition holds; if `started` is given, fails at once when that process exits."""
    end = time.monotonic() + seconds
    while not condition():
        if started is not None:
            started.require_running()
        if time.monotonic() > end:
            words = "" if started is None else "\n" + started.log_tail()
            raise Failure(f"timeout after {seconds} s waiting for {what}{words}")
        time.sleep(0.02)


def sleep_while(condition, seconds):
    """Waits for some seconds; returns earlier if the condition no longer holds."""
    end = time.monotonic() + seconds
    while condition() and time.monotonic() < end:
        time.sleep(0.05)


def say(text):
    """Prints progress to standard error; results go to standard output."""
    print(text, file=sys.stderr, flush=True)


def run_program(name, produce, out=None):
    """Runs `produce`, which returns (report, whether it passed); prints the report, returns the exit code."""
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


def run_scenarios(work, names, judge):
    """Runs `judge(place, name)` for each scenario in a workplace of its own; returns (report, whether every run was valid).

    A failed scenario does not affect the reports of the others."""
    reports, complete = [], True
    for name in names:
        say(f"scenario {name}")
        try:
            with Workplace() as place:
                text, is_good = judge(place, name)
        except Failure as failure:
            say(f"{name}: {failure}")
            text, is_good = f"# compare {work}: {name}\n\n**Failed**:\n```\n{failure}\n```", False
        reports.append(text)
        complete &= is_good
    return "\n\n".join(reports), complete
