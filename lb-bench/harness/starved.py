"""Repeated runs of stalled uploads and slow readers while a process gets almost no CPU. It must not exit.

A wrong decision of the watchdog is rare, so it takes many runs. Each process is started outside its control group,
because a start takes long inside, and moved into it when it responds.
"""

from contextlib import ExitStack
from dataclasses import dataclass

from harness import backends, conditions, crowds, report, scarce
from harness.cgroups import CpuGroup
from harness.probes import Prober, Probes
from harness.workplace import Failure, Workplace, say, sleep_while

# Shares of one CPU.
SHARES = (0.25, 0.10)
PEERS = ("ballast-epoll", "ballast-io_uring")
# The options of bin/lb in such a group, and with two cores.
OPTIONS = ("-XX:ActiveProcessorCount=1 -XX:TieredStopAtLevel=1", "")
# Two of three are uploads, which take more CPU.
KINDS = (scarce.UPLOADS, scarce.UPLOADS, scarce.READERS)
RUNS_OF_A_PROCESS = 5

_OPEN_SECONDS = 180
_HOLD_SECONDS = 9
_AFTER_SECONDS = 3


@dataclass(frozen=True)
class StarvedRun:
    """The result of one process; `exit_code` is None if it ran until it was killed."""

    share: float
    peer: str
    options: str
    runs: int
    probes: Probes
    warnings: int
    exit_code: int | None


def run(options):
    """Returns (report, whether no process exited)."""
    facts = conditions.gather()
    why_not = CpuGroup.why_not()
    if why_not:
        raise Failure(f"no control group: {why_not}")
    cases = [(share, peer, java) for java in OPTIONS for share in SHARES for peer in PEERS]
    seen, number, left = [], 0, options.runs
    while left > 0:
        one = _one(*cases[number % len(cases)], min(left, RUNS_OF_A_PROCESS), options.count)
        seen.append(one)
        say(f"{options.runs - left + one.runs} of {options.runs} runs: {' | '.join(row([one]))}")
        left -= one.runs
        number += 1
    wrong = problems(seen)
    return _report(facts, seen, wrong, options), not wrong


def problems(seen):
    """Returns the processes that exited."""
    return [
        f"{one.peer} with {one.share:.0%} of a CPU exited with code {one.exit_code} in its run {one.runs}"
        for one in seen
        if one.exit_code is not None
    ]


def _one(share, peer, java, runs, count):
    with Workplace() as place, ExitStack() as stack:
        servers = backends.start(place, count=2, listen=" sndbuf=32k")
        sink = crowds.start_sink(place)
        group = stack.enter_context(CpuGroup("ballast-bench", share))
        started, port = scarce.start(place, peer, None, servers, sink, {"LB_JAVA_OPTS": java})
        stack.callback(started.kill)
        group.add(started.pid)
        prober = Prober(port)
        prober.start()
        done = 0
        while done < runs and started.is_running():
            scenario = KINDS[done % len(KINDS)]
            crowd = crowds.Crowd(place, scenario.kind, port, count, scenario.path)
            try:
                crowd.await_open(_OPEN_SECONDS)
                sleep_while(started.is_running, _HOLD_SECONDS)
            finally:
                crowd.started.kill()
            sleep_while(started.is_running, _AFTER_SECONDS)
            done += 1
        probes = prober.stop()
        if not started.is_running():
            say(started.log_tail())
        return StarvedRun(share, peer, java, done, probes, started.output().count("gets too little CPU"), started.exit_code())


def row(ones):
    """Returns one row of the report for processes of the same kind."""
    first, probes = ones[0], sum((one.probes for one in ones), Probes((), 0))
    return [
        f"{first.share:.0%} of a CPU",
        first.peer,
        first.options or "none",
        str(sum(one.runs for one in ones)),
        f"{probes.failed} of {probes.count}",
        str(sum(one.warnings for one in ones)),
        str(sum(one.exit_code is not None for one in ones)),
    ]


HEADER = ["limit", "balancer", "Java options", "runs", "failed probes", "CPU starvation warnings", "exited processes"]


def _report(facts, seen, wrong, options):
    kinds = dict.fromkeys((one.share, one.peer, one.options) for one in seen)
    rows = [row([one for one in seen if (one.share, one.peer, one.options) == kind]) for kind in kinds]
    return "\n\n".join(
        [
            "# slow-clients --starved",
            f"{options.count:,} slow clients connect at once, stay for {_HOLD_SECONDS} s and disconnect at once, {options.runs} times;"
            f" two of three loads upload to a backend that never reads, the others read slowly. A new process is started"
            f" after {RUNS_OF_A_PROCESS} runs. It runs in a control group with a share of one CPU once it responds. No process may"
            " exit.",
            report.conditions(facts),
            report.table(HEADER, rows),
            "\n".join(f"- **not met**: {one}" for one in wrong) if wrong else "No process exited.",
        ]
    )
