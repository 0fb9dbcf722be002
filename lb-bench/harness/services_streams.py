"""iperf3: TCP streams in both directions, and UDP, whose control connection uses the same path."""

import json
import shutil

from harness import conditions, ports
from harness.service_session import SessionResult, run
from harness.workplace import await_true

_UDP_BITS = 100_000_000
_MAX_LOST_PERCENT = 1.0


def missing():
    return None if shutil.which("iperf3") else "apt-get install iperf3"


def version():
    return conditions.tool_version(["iperf3", "--version"])


def start(place, port):
    started = place.start("iperf3", ["iperf3", "--forceflush", "-s", "-B", ports.LOOPBACK, "-p", port])
    await_true(lambda: "Server listening" in started.log.read_text(), "iperf3 to listen", 10, started)


def run_client(place, port, seconds):
    faults, figures = [], {}
    for name, more in (("to the server", []), ("from the server", ["-R"]), ("both ways, 8 streams", ["-P", "8", "--bidir"])):
        end = _iperf3(port, seconds, more)["end"]
        sent, received = end["sum_sent"]["bytes"], end["sum_received"]["bytes"]
        figures[f"Gbit/s, TCP {name}"] = f"{end['sum_received']['bits_per_second'] / 1e9:.1f}"
        if not received or received > sent:
            faults.append(f"TCP {name}: {received:,} bytes received of {sent:,} sent")
    for name, more in (("to the server", []), ("from the server", ["-R"])):
        end = _iperf3(port, seconds, ["-u", "-b", _UDP_BITS, "-l", "1200", *more])["end"]["sum"]
        figures[f"Mbit/s, UDP {name}; lost"] = f"{end['bits_per_second'] / 1e6:.0f}; {end['lost_percent']:.2f} %"
        if not end["packets"] or end["lost_percent"] > _MAX_LOST_PERCENT:
            faults.append(f"UDP {name}: {end['lost_percent']:.1f} % of {end['packets']:,} datagrams lost")
    return SessionResult(figures, "", faults)


def _iperf3(port, seconds, more):
    return json.loads(run(["iperf3", "-c", ports.LOOPBACK, "-p", port, "-t", seconds, "-J", *more]))
