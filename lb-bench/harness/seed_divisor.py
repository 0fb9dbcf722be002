"""seed-tables divisor: Divisor's five published scenarios, with the same tool and columns."""

import re
import time

from harness import backends, ballast, bombardier, conditions, divisor_report, peers, ports, report, shares, wrk
from harness.workplace import ROOT, Workplace, say

_NOTE = (
    "The published figures are Divisor's own, from other hardware (AMD Ryzen 5 5500, Windows, Docker): the shares of"
    " the backends can be compared, rates and times cannot. `compare http` with DIVISOR set measures both side by side."
)
_SETTLE_SECONDS = 0.5


def run(options):
    """Returns (report, whether no request failed and every share is right)."""
    tool = "bombardier" if bombardier.is_installed() else "wrk"
    if tool == "wrk":
        say("bombardier is missing (go install github.com/codesenberg/bombardier@latest): using wrk instead")
    parts = [
        "# seed-tables divisor",
        f"`{tool} -c {options.connections} -d {options.seconds}s`, {options.warmup} s of warm-up."
        + (" bombardier is missing." if tool == "wrk" else ""),
        _NOTE,
        report.conditions([*conditions.gather(), (tool, conditions.tool_version([tool, "-v" if tool == "wrk" else "--version"]))]),
    ]
    good = True
    wanted = options.strategies.split(",") if options.strategies else None
    for published in divisor_report.SCENARIOS:
        if wanted is None or published.strategy in wanted:
            say(f"{published.strategy}")
            text, is_good = _scenario(published, options)
            parts.append(text)
            good &= is_good
    return "\n\n".join(parts), good


def _scenario(published, options):
    """Runs one strategy in a new workplace, so that all counters start at 0."""
    with Workplace() as place:
        servers = _backends(place, published)
        config, port, dashboard_port = moved((ROOT / published.config).read_text(), servers)
        running = ballast.Ballast(place, config, port, dashboard_port)
        url = f"http://{ports.LOOPBACK}:{port}/"
        if options.warmup:
            _load(url, options.connections, options.warmup)
            time.sleep(_SETTLE_SECONDS)
        before = running.stats()
        summary, failed = _load(url, options.connections, options.seconds)
        time.sleep(_SETTLE_SECONDS)
        after = running.stats()["backends"]
        rows = [_since(a, b) for a, b in zip(before["backends"], after)]
    weights = [int(weight) for weight in re.findall(r"weight: (\d+)", config)] or [1] * len(rows)
    # Includes the warm-up, because the shares are exact only if counting begins at the start of a round-robin turn.
    counts = [backend["total_req_count"] for backend in after]
    verdict, holds = shares.check(published.strategy, counts, weights, peers.cores())
    lines = [
        f"## {published.strategy}",
        f"`{published.config}`" + _delays(published),
        f"```\n{summary}\n```",
        f"Published: {published.rate:,.0f} requests/s, latency {published.average_ms} ms on average,"
        f" {published.max_ms:,} ms at most, {published.ok:,} successful responses.",
        _table(published, rows),
        f"Shares since the start: {verdict}: {'right' if holds else '**wrong**'}."
        + (f" **{failed} requests failed.**" if failed else " No request failed."),
    ]
    return "\n\n".join(lines), holds and not failed


def _backends(place, published):
    if any(published.delays_ms):
        delays = enumerate(published.delays_ms, start=1)
        servers = [backends.JavaBackend(place, number, delay) for number, delay in delays]
        for server in servers:
            server.await_ready()
        return servers
    return backends.start(place, len(published.backends))


def moved(config, servers):
    """Returns (text, port, dashboard port): the published configuration on free ports, otherwise unchanged."""
    port, dashboard_port = ports.free(), ports.free()
    text, found = re.subn(r"(?m)^port: 8000$", f"port: {port}", config)
    for address, server in zip(divisor_report.ADDRESSES, servers):
        # The address is written as `localhost:8080`, to keep the name resolution.
        text, here = re.subn(rf"\b{address}\b", f"localhost:{server.port}", text)
        found += here
    if found != 1 + len(divisor_report.ADDRESSES):
        raise ValueError(f"not one of the published configurations:\n{config}")
    return f"{text}\nmonitoring:\n  host: {ports.LOOPBACK}\n  port: {dashboard_port}\n", port, dashboard_port


def _load(url, connections, seconds):
    """Returns (the tool's summary, number of failed requests)."""
    if bombardier.is_installed():
        summary, text = bombardier.run(url, connections, seconds)
        return text, summary.failed
    load = wrk.run(url, connections, seconds)
    return load.text, load.failed


def _since(before, after):
    """Returns (requests, average response time in ms) between two readings of a backend's counters."""
    count = after["total_req_count"] - before["total_req_count"]
    total = after["avg_res_time"] * after["total_req_count"] - before["avg_res_time"] * before["total_req_count"]
    return count, total / count if count else 0.0


def _delays(published):
    delays = [f"`{a}` waits {d} ms" for a, d in zip(divisor_report.ADDRESSES, published.delays_ms) if d]
    return ", " + ", ".join(delays) if delays else ""


def _table(published, rows):
    header = ["addr", "total_req_count", "avg_res_time(ms)", "published count", "published time"]
    cells = [
        [address, str(count), f"{millis:.3f}", str(their_count), f"{their_millis:.3f}"]
        for address, (count, millis), (their_count, their_millis) in zip(
            divisor_report.ADDRESSES, rows, published.backends
        )
    ]
    return report.table(header, cells)
