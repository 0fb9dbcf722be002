"""Ballast's query log in other ways than it comes: what a log costs is told by Ballast beside itself."""

from dataclasses import dataclass
from typing import Optional

# Where the lines go: behind the line that turns forwarding on.
_FORWARD = "  forward: resolvers\n"


@dataclass(frozen=True)
class QueryLog:
    """One way to log; `lines` belong to `dns` in the configuration, `to` is where the metrics count what was logged."""

    name: str
    about: str
    lines: str = ""
    to: str = "memory"

    @property
    def peer(self):
        """What Ballast is called that logs so."""
        return f"ballast-log-{self.name}"

    def added_to(self, configuration, file):
        """The configuration with this log; `file` is where it may write."""
        if configuration.count(_FORWARD) != 1:
            raise ValueError(f"a configuration without the line '{_FORWARD.strip()}'")
        return configuration.replace(_FORWARD, _FORWARD + self.lines.format(file=file), 1)


# As it comes: the last 1,000 queries in memory, and the statistics of the page, which are made of the log.
DEFAULT = QueryLog("default", "as it comes: the last 1,000 in memory, and statistics")
LOGS = {
    log.name: log
    for log in (
        # Statistics listen to the log, so nothing but a sample keeps queries from being handed over.
        QueryLog(
            "off", "none in memory, and one query in a million handed over", "  query_log: {{memory: 0, sample: 1/1000000}}\n"
        ),
        QueryLog(
            "file",
            "every query a line of JSON in a file",
            '  query_log: {{file: "{file}", rotate: {{size: 100MiB, keep: 1}}}}\n',
            to="file",
        ),
    )
}


@dataclass(frozen=True)
class Logged:
    """What a log says it has done since the start: entries written, and lost on the way to it or by it."""

    written: float
    dropped: float


def share(before, now, completed):
    """How much of what was answered is in the log, in percent."""
    return (now.written - before.written) / max(1, completed) * 100


def fault(log, before, now, completed, sent) -> Optional[str]:
    """What the log counted otherwise than the client: each query is in it or was dropped, but for a log that is off."""
    counted = now.written - before.written + now.dropped - before.dropped
    if log.name == "off":
        return None if counted <= sent / 1000 else f"{counted:.0f} of {sent} queries were logged (expected: next to none)"
    if completed <= counted <= sent:
        return None
    return f"{sent} queries sent, {completed} answered, the log counted {counted:.0f}"
