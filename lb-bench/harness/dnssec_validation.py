"""The program behind lb-bench/dnssec-validation: other validators' verdicts on the zones that Ballast signs."""

import argparse
import calendar
import re
import shutil
import subprocess
import time
from pathlib import Path

from harness import ballast, conditions, ports
from harness.template import fill
from harness.workplace import BENCH, Failure, Workplace, await_true, run_program, say

_FILES = BENCH / "peers" / "dns" / "signed"
_ZONES = ("compact.example", "hashed.example")
_TOOLS = {"delv": "bind9-dnsutils", "unbound": "unbound", "dig": "bind9-dnsutils"}
_FAKETIME = [Path(f"/usr/lib/{arch}-linux-gnu/faketime/libfaketimeMT.so.1") for arch in ("x86_64", "aarch64")]
# Ballast checks the key files and the clock every two seconds.
_SETTLE_SECONDS = 5

# Name, type, and the expected result: records, no such type, or no such name.
_QUESTIONS = (
    ("", "SOA", "records"),
    ("", "DNSKEY", "records"),
    ("", "CDS", "records"),
    ("", "CDNSKEY", "records"),
    ("", "MX", "no type"),
    ("www.", "A", "records"),
    ("www.", "TXT", "no type"),
    ("mail.", "MX", "records"),
    ("alias.", "A", "records"),
    ("x.wild.", "A", "records"),
    ("x.y.wild.", "A", "records"),
    ("x.wild.", "AAAA", "no type"),
    ("q.wcn.", "A", "records"),
    ("a.b.dn.", "A", "records"),
    ("zz.dn.", "A", "no name"),
    ("b.c.", "A", "no type"),
    ("nope.", "A", "no name"),
    ("deep.nope.", "A", "no name"),
    ("x.www.", "A", "no name"),
    ("sub.", "DS", "no type"),
    ("sec.", "DS", "records"),
    ("all.", "A", "records"),
    ("all.", "AAAA", "no type"),
    ("one.", "A", "records"),
    ("two.ent.", "A", "records"),
    ("ent.", "A", "no type"),
)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="dnssec-validation",
        description="Queries signed zones with delv and unbound: after a start, a restart, in every step of a rollover, and after"
        " the clock was set back.",
    )
    parser.add_argument("--out", type=Path, help="write the report to this file")
    options = parser.parse_args(arguments)
    return run_program("dnssec-validation", _run, options.out)


def _run():
    for tool, package in _TOOLS.items():
        if shutil.which(tool) is None:
            message = f"dnssec-validation: SKIPPED, {tool} is missing (apt-get install {package})"
            say(message)
            return message, True
    with Workplace() as place:
        return _Validation(place).run()


class _Validation:
    def __init__(self, place):
        self._place = place
        self._port = ports.free(ports.DNS)
        self._dashboard_port = ports.free()
        self._config = place.write("signed.yaml", self._configuration())
        self._running = None
        self._failures = []
        self._rows = []

    def _configuration(self):
        values = {
            "data_dir": self._place.directory / "data",
            "zone_file": self._place.write("zone", (_FILES / "zone").read_text()),
            "dashboard_port": self._dashboard_port,
            "port": self._port,
        }
        return fill((_FILES / "ballast.yaml").read_text(), values)

    def run(self):
        self._start()
        first = {zone: self._ds(zone) for zone in _ZONES}
        self._check("after the first start", first)
        self._running.started.stop()
        self._start()
        self._check("after a restart", first)
        for zone in _ZONES:
            self._lb(zone, "rollover")
        time.sleep(_SETTLE_SECONDS)
        self._check("new key published, old DS", first)
        second = {zone: [ds for ds in self._ds(zone) if ds not in first[zone]] for zone in _ZONES}
        self._require_refused(lambda zone: self._lb(zone, "rollover", "--step"), "a step before the DS is published")
        for zone in _ZONES:
            self._lb(zone, "rollover", "--ds-published")
        time.sleep(_SETTLE_SECONDS)
        self._check("both DS", {zone: first[zone] + second[zone] for zone in _ZONES})
        for zone in _ZONES:
            self._lb(zone, "rollover", "--step")
        time.sleep(_SETTLE_SECONDS)
        self._check("new key signs, new DS", second)
        for zone in _ZONES:
            self._lb(zone, "rollover", "--step")
        time.sleep(_SETTLE_SECONDS)
        self._check("old key gone", second)
        self._running.started.stop()
        self._start()
        self._check("after a restart with the new key", second)
        self._running.started.stop()
        self._set_clock_back(second)
        return self._report(), not self._failures

    def _set_clock_back(self, anchors):
        """Starts three days ahead and sets the clock back to one day behind: validators with the correct time must
        accept all later answers."""
        library = next((path for path in _FAKETIME if path.exists()), None)
        if library is None:
            self._rows.append("| clock set back | SKIPPED, libfaketime is missing (apt-get install libfaketime) | |")
            return
        clock = self._place.write("clock", "+3d\n")
        self._start(
            {
                "LD_PRELOAD": str(library),
                "FAKETIME_TIMESTAMP_FILE": str(clock),
                "FAKETIME_NO_CACHE": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                "DONT_FAKE_MONOTONIC": "1",
            }
        )
        ahead = _output(["dig", f"@{ports.LOOPBACK}", "-p", self._port, "+dnssec", "+short", _ZONES[0], "SOA"])
        if not _inception(ahead) > time.time():
            raise Failure(f"the clock of Ballast is not ahead: {ahead}")
        self._place.write("clock", "-1d\n")
        time.sleep(_SETTLE_SECONDS)
        self._check("clock set back from 3 days ahead to a day behind", anchors)

    def _start(self, environment=()):
        self._running = ballast.Ballast(
            self._place, self._config.read_text(), self._port, self._dashboard_port, environment=environment
        )

    def _lb(self, zone, command, *options):
        words = ballast.lb("dnssec", command, zone, "--config", self._config, *options)
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"lb dnssec {command} {zone}: {done.stderr}")
        return done.stdout

    def _require_refused(self, step, what):
        for zone in _ZONES:
            try:
                step(zone)
            except Failure:
                continue
            self._failures.append(f"{zone}: {what} was not rejected")

    def _ds(self, zone):
        return self._lb(zone, "ds").splitlines()

    def _check(self, moment, anchors):
        say(moment)
        before = len(self._failures)
        resolver = self._start_unbound(anchors)
        try:
            for zone in _ZONES:
                trusted = self._place.write("anchors", _delv_anchors(anchors[zone]))
                for prefix, kind, leads_to in _QUESTIONS:
                    self._check_delv(moment, zone, trusted, prefix + zone, kind, leads_to)
                    self._check_unbound(moment, zone, resolver, prefix + zone, kind, leads_to)
        finally:
            resolver[0].stop()
        query_count = 2 * len(_QUESTIONS) * len(_ZONES)
        self._rows.append(f"| {moment} | {query_count} | {query_count - (len(self._failures) - before)} |")

    def _check_delv(self, moment, zone, trusted, name, kind, leads_to):
        command = ["delv", f"@{ports.LOOPBACK}", "-p", self._port, "-a", trusted, f"+root={zone}", name, kind]
        output = _output(command)
        verdict = "fully validated" if leads_to == "records" else "ncache"
        if verdict not in output or "fully validated" not in output:
            self._failures.append(f"{moment}: delv {name} {kind}: {output}")

    def _check_unbound(self, moment, zone, resolver, name, kind, leads_to):
        output = _output(["dig", f"@{ports.LOOPBACK}", "-p", resolver[1], "+dnssec", "+timeout=5", name, kind])
        flags = re.search(r"flags: ([a-z ]*);.*ANSWER: (\d+)", output)
        status = "NXDOMAIN" if leads_to == "no name" and zone.startswith("hashed") else "NOERROR"
        good = flags and "ad" in flags[1].split() and f"status: {status}" in output
        if not good or (leads_to == "records" and flags[2] == "0"):
            self._failures.append(f"{moment}: unbound {name} {kind}: {output}")

    def _start_unbound(self, anchors):
        port = ports.free(ports.DNS)
        trusted = self._place.write("anchors.ds", "\n".join(ds for zone in _ZONES for ds in anchors[zone]) + "\n")
        stubs = "".join(f"stub-zone:\n  name: {zone}\n  stub-addr: {ports.LOOPBACK}@{self._port}\n" for zone in _ZONES)
        text = fill(
            (_FILES / "unbound.conf").read_text(),
            {"port": port, "directory": self._place.directory, "anchors": trusted, "stubs": stubs},
        )
        started = self._place.start("unbound", ["unbound", "-d", "-c", self._place.write("unbound.conf", text)])
        ready = ["dig", f"@{ports.LOOPBACK}", "-p", port, "+timeout=1", "+tries=1", _ZONES[0], "SOA"]
        await_true(lambda: "status: NOERROR" in _output(ready), "unbound to answer", 20, started)
        return started, port

    def _report(self):
        facts = conditions.gather() + [("delv", _output(["delv", "-v"]).strip()), ("unbound", _unbound_version())]
        lines = ["# DNSSEC validation by other validators", ""]
        lines += [f"- {name}: {value}" for name, value in facts]
        lines += ["", "| moment | questions | accepted |", "|---|---|---|", *self._rows, ""]
        lines += self._failures or ["All answers were accepted; a premature rollover step was rejected."]
        return "\n".join(lines)


def _delv_anchors(records):
    lines = []
    for record in records:
        name, _, _, _, tag, algorithm, digest_type, digest = record.split()
        lines.append(f'  {name} static-ds {tag} {algorithm} {digest_type} "{digest}";')
    return "trust-anchors {\n" + "\n".join(lines) + "\n};\n"


def _inception(records):
    """Returns the earliest inception in seconds since 1970 of the first signature in dig's short output; 0 if there is
    none."""
    for line in records.splitlines():
        words = line.split()
        if len(words) > 8 and words[0] == "SOA":
            return calendar.timegm(time.strptime(words[5], "%Y%m%d%H%M%S"))
    return 0


def _unbound_version():
    return _output(["unbound", "-V"]).splitlines()[0]


def _output(command):
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=30)
    return done.stdout + done.stderr
