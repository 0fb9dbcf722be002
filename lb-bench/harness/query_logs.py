"""Non-default query logs of Ballast: their cost is measured against Ballast with the default one."""

from dataclasses import dataclass
from typing import Optional

# The lines are inserted after the line that enables forwarding.
_FORWARD = "  forward: resolvers\n"


@dataclass(frozen=True)
class QueryLog:
    """One log configuration; `lines` belong to `dns` in the configuration, `to` is the destination label in the
    metrics."""

    name: str
    about: str
    lines: str = ""
    to: str = "memory"

    @property
    def peer(self):
        """Returns the name of a Ballast with this log."""
        return f"ballast-log-{self.name}"

    def added_to(self, configuration, file):
        """Returns the configuration with this log; `file` is the log file."""
        if configuration.count(_FORWARD) != 1:
            raise ValueError(f"a configuration without the line '{_FORWARD.strip()}'")
        return configuration.replace(_FORWARD, _FORWARD + self.lines.format(file=file), 1)


# The default: the last 1,000 queries in memory, and the statistics of the page, which are computed from the log.
DEFAULT = QueryLog("default", "default: the last 1,000 in memory, and statistics")
LOGS = {
    log.name: log
    for log in (
        # The statistics consume log entries, so only sampling reduces their number.
        QueryLog(
            "off", "none in memory, and one query in a million sampled", "  query_log: {{memory: 0, sample: 1/1000000}}\n"
        ),
        QueryLog(
            "file",
            "every query as a line of JSON in a file",
            '  query_log: {{file: "{file}", rotate: {{size: 100MiB, keep: 1}}}}\n',
            to="file",
        ),
    )
}


@dataclass(frozen=True)
class Logged:
    """The log's counters since the start: written and dropped entries."""

    written: float
    dropped: float


def share(before, now, completed):
    """Returns the logged share of the answered queries in percent."""
    return (now.written - before.written) / max(1, completed) * 100


def fault(log, before, now, completed, sent) -> Optional[str]:
    """Compares the log's counters with the client's: each query is logged or dropped, unless the log is off."""
    counted = now.written - before.written + now.dropped - before.dropped
    if log.name == "off":
        return None if counted <= sent / 1000 else f"{counted:.0f} of {sent} queries were logged (expected: almost none)"
    if completed <= counted <= sent:
        return None
    return f"{sent} queries sent, {completed} answered, the log counted {counted:.0f}"
