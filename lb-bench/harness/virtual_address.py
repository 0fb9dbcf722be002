"""The program behind lb-bench/virtual-address: two nodes with keepalived, and a client that notices when the address moves."""

import argparse
import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from harness import ballast, conditions, report
from harness.namespaces import Network, address
from harness.workplace import BENCH, ROOT, Failure, Workplace, await_true, run_program, say

# Hosts of the network, by number.
_NODES = {1: "n1", 2: "n2"}
_VOTER, _BACKENDS, _CLIENT, _HOSTS = 3, (4, 5), 6, 6
_ADDRESS = "10.77.0.100"
_NAME = "www.edge.example"
_EXAMPLE = ROOT / "examples" / "virtual-address"

_MAX_GAP_SECONDS = 3.0
_MOVE_SECONDS = 15
_READY_SECONDS = 120
_STEADY_SECONDS = 3


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("virtual-address", _run, options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="virtual-address",
        description="Two nodes share an address by keepalived, with the files of examples/virtual-address. Ballast is stopped, killed"
        " and cut off, and a client measures the interruption. Needs root.",
    )
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


def _run():
    for tool in ("ip", "keepalived", "curl"):
        if shutil.which(tool) is None:
            message = f"virtual-address: SKIPPED, {tool} is missing (apt-get install {tool.replace('ip', 'iproute2', 1)})"
            say(message)
            return message, True
    ballast.build()
    facts = [*conditions.gather(), ("keepalived", conditions.tool_version(["keepalived", "--version"]))]
    with Workplace() as place, Network(_HOSTS, prefix="lbv") as network:
        trial = _Trial(place, network)
        trial.start()
        trial.interrupt("Ballast ends (SIGTERM)", trial.stop_ballast, trial.start_ballast)
        trial.interrupt("Ballast is killed (SIGKILL)", trial.kill_ballast, trial.start_ballast)
        trial.interrupt("the network of the node is cut", trial.cut, trial.connect)
    return trial.report(facts), not trial.faults


class _Trial:
    def __init__(self, place, network):
        self._place, self._network = place, network
        self._processes = {}
        self._rows = []
        self.faults = []

    # ---- processes

    def _at(self, host, name, words):
        started = self._place.start(name, self._network.command(host, words))
        self._processes[name] = started
        return started

    def start(self):
        files = self._place.subdirectory("certificates")
        _lb("cluster", "init", "edge", "--directory", files)
        for node in (*_NODES.values(), "n3"):
            _lb("cluster", "cert", node, "--directory", files)
        for host in _BACKENDS:
            self._at(host, f"backend{host}", [sys.executable, "-m", "http.server", "8080", "--directory", files])
        self._at(_VOTER, "n3", ballast.lb("run", self._place.write("n3.yaml", self._voter(files))))
        for host in _NODES:
            self.start_ballast(host, wait=False)
        for host in _NODES:
            self._await_ready(host)
        for host, node in _NODES.items():
            config = self._place.write(f"keepalived-{node}.conf", keepalived_file(host))
            config.chmod(0o644)
            run = self._place.directory
            self._at(
                host,
                f"keepalived-{node}",
                ["keepalived", "--dont-fork", "--log-console", "--vrrp", "--use-file", config]
                + ["--pid", run / f"{node}.pid", "--vrrp_pid", run / f"{node}.vrrp.pid"],
            )
        await_true(lambda: len(self._holders()) == 1, "one node to have the address", _MOVE_SECONDS)

    def start_ballast(self, host, wait=True):
        node = _NODES[host]
        directory = self._place.directory
        text = node_file(host).replace("/etc/ballast", str(directory / "certificates"))
        text = text.replace("/var/lib/ballast", str(directory / f"data-{node}"))
        self._at(host, node, ballast.lb("run", self._place.write(f"{node}.yaml", text)))
        if wait:
            self._await_ready(host)

    def _await_ready(self, host):
        words = ["curl", "--silent", "--fail", "--max-time", "1", "--output", "/dev/null", "http://127.0.0.1:8002/readyz"]
        command = self._network.command(host, words)
        node = self._processes[_NODES[host]]
        await_true(lambda: subprocess.run(command, check=False).returncode == 0, f"{node.name} to be ready", _READY_SECONDS, node)

    def _voter(self, files):
        text = node_file(1).replace("/etc/ballast/n1", str(files / "n3")).replace("/etc/ballast", str(files))
        text = text.replace(f"bind: {address(1)}:7946", f"bind: {address(_VOTER)}:7946")
        return f"data_dir: {self._place.directory}/data-n3\n" + text[text.index("cluster:") :]

    # ---- faults

    def stop_ballast(self, host):
        self._processes[_NODES[host]].stop(signal.SIGTERM, seconds=40)

    def kill_ballast(self, host):
        self._processes[_NODES[host]].stop(signal.SIGKILL)

    def cut(self, host):
        self._network.disconnect(host)

    def connect(self, host):
        self._network.connect(host)

    def interrupt(self, what, begin, end):
        """Lets the node with the address fail while the client sends requests, and repairs it afterwards."""
        say(what)
        await_true(lambda: len(self._holders()) == 1, "one node to have the address", _MOVE_SECONDS)
        (before,) = self._holders()
        (other,) = set(_NODES) - {before}
        client = self._place.start(f"client-{len(self._rows)}", self._network.command(_CLIENT, self._client()), talks=False)
        time.sleep(_STEADY_SECONDS)
        failed_at = time.time()
        begin(before)
        await_true(lambda: other in self._holders(), f"{_NODES[other]} to take the address", _MOVE_SECONDS)
        time.sleep(_STEADY_SECONDS)
        end(before)
        time.sleep(2 * _STEADY_SECONDS)
        if other not in self._holders():
            self.faults.append(f"{what}: the address moved back")
        client.stop(signal.SIGINT)
        self._record(what, [json.loads(line) for line in client.output().splitlines() if line.startswith("{")], failed_at)

    def _client(self):
        code = f"import sys; sys.path.insert(0, {str(BENCH)!r}); from harness.address_client import main; main()"
        return [sys.executable, "-u", "-c", code, _ADDRESS, _NAME, "90"]

    def _holders(self):
        holders = set()
        for host in _NODES:
            words = self._network.command(host, ["ip", "-oneline", "address", "show", "dev", "eth0"])
            if f" {_ADDRESS}/" in subprocess.run(words, check=True, capture_output=True, text=True).stdout:
                holders.add(host)
        return holders

    # ---- results

    def _record(self, what, results, failed_at):
        expected = {"http": "200", "dns": sorted(address(host) for host in _BACKENDS)}
        cells = []
        for kind, right in expected.items():
            own = [each for each in results if each["kind"] == kind]
            wrong = [each for each in own if each["failure"] is None and each["result"] != right]
            gap = longest_gap(own, failed_at)
            if wrong:
                self.faults.append(f"{what}: {len(wrong)} wrong {kind} responses, such as {wrong[0]['result']}")
            if gap is None:
                self.faults.append(f"{what}: no {kind} response before or after the fault")
            elif gap > _MAX_GAP_SECONDS:
                self.faults.append(f"{what}: {gap:.2f} s without a {kind} response (bar {_MAX_GAP_SECONDS:.0f})")
            failures = sum(each["failure"] is not None for each in own)
            cells += ["–" if gap is None else f"{gap:.2f}", f"{failures} of {len(own)}", str(len(wrong))]
        self._rows.append([what, *cells])

    def report(self, facts):
        header = ["event", "HTTP: longest time without a response, s", "failed", "wrong"]
        header += ["DNS: longest time without an answer, s", "failed", "wrong"]
        parts = ["# Two nodes with a virtual address", report.conditions(facts), report.table(header, self._rows)]
        parts.append(
            f"A request and a query every 50 ms, each on a new socket, with a time limit of 0.4 s. Bar: {_MAX_GAP_SECONDS:.0f} s, and"
            " no wrong answer."
        )
        parts += [f"- **Fault**: {fault}" for fault in self.faults]
        return "\n\n".join(parts)


def longest_gap(results, since):
    """Returns the longest time in seconds between two successes, of which the second is after `since`; None without one."""
    times = [each["at"] for each in results if each["failure"] is None]
    gaps = [later - earlier for earlier, later in zip(times, times[1:]) if later >= since]
    return max(gaps, default=None)


def node_file(host):
    """Returns the example of Ballast for a node."""
    text = (_EXAMPLE / "ballast.yaml").read_text()
    text = text.replace(f"bind: {address(1)}:7946", f"bind: {address(host)}:7946")
    return text.replace("/etc/ballast/n1.", f"/etc/ballast/{_NODES[host]}.")


def keepalived_file(host):
    """Returns the example of keepalived for a node."""
    text = (_EXAMPLE / "keepalived.conf").read_text()
    if host == 2:
        own, other = address(1), address(2)
        text = text.replace(own, "{own}").replace(other, own).replace("{own}", other).replace("priority 110", "priority 100")
    return text


def _lb(*words):
    done = subprocess.run(ballast.lb(*words), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"lb {' '.join(map(str, words))}: {done.stdout}{done.stderr}")
