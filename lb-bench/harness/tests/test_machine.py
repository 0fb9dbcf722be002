import os
import signal
import subprocess
import sys
import unittest

from harness import conditions, ports, procfs, template
from harness.workplace import BENCH, Failure, Workplace, await_true


class ProcfsTest(unittest.TestCase):
    def test_a_command_may_contain_spaces_and_parentheses(self):
        stat = "42 (a (b) c) S 1 42 7 0 -1 4194560 1 2 3 4 250 50 0 0 20 0 1 0 100 1000 10"

        session, seconds = procfs.parse_stat(stat)

        self.assertEqual(session, 7)
        self.assertAlmostEqual(seconds, 300 / os.sysconf("SC_CLK_TCK"))

    def test_status_lines_are_kilobytes(self):
        self.assertEqual(procfs.parse_status("VmHWM:\t    12 kB\nVmRSS:\t    10 kB\n", "VmRSS"), 10240)
        self.assertEqual(procfs.parse_status("Name:\tx\n", "VmRSS"), 0)


class TemplateTest(unittest.TestCase):
    def test_names_are_replaced_and_single_braces_are_kept(self):
        self.assertEqual(template.fill("{a} {{port}}", {"port": 80}), "{a} 80")

    def test_a_name_without_a_value_and_a_value_without_a_name_are_errors(self):
        with self.assertRaises(KeyError):
            template.fill("{{port}}", {})
        with self.assertRaises(KeyError):
            template.fill("", {"port": 80})


class PortsTest(unittest.TestCase):
    def test_ports_differ(self):
        self.assertEqual(len({ports.free() for _ in range(50)}), 50)


class ConditionsTest(unittest.TestCase):
    def test_cpu_model_is_that_of_the_first_core(self):
        self.assertEqual(conditions.cpu_model("processor\t: 0\nmodel name\t: Some CPU\nmodel name\t: Other\n"), "Some CPU")


class WorkplaceTest(unittest.TestCase):
    def test_children_are_killed_with_the_workplace(self):
        with Workplace() as place:
            started = place.start("parent", ["sh", "-c", "sleep 60 & sleep 60"])
            await_true(lambda: len(procfs.session_members(started.pid)) >= 2, "children", 5)

        await_true(lambda: not _living(started.pid), "the end of the children", 5)
        self.assertFalse(place.directory.exists())

    def test_children_are_killed_with_an_interrupted_program(self):
        program = (
            "import sys, time; from harness.workplace import Workplace\n"
            "with Workplace() as place:\n"
            "    print(place.start('child', ['sleep', '60']).pid, flush=True)\n"
            "    time.sleep(60)\n"
        )
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                with subprocess.Popen(
                    [sys.executable, "-c", program],
                    cwd=BENCH,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                ) as running:
                    child = int(running.stdout.readline())
                    running.send_signal(number)
                    running.wait(20)

                await_true(lambda: not _living(child), "the end of the child", 5)

    def test_a_failed_start_is_a_failure_with_the_end_of_the_log(self):
        with Workplace() as place:
            started = place.start("broken", ["sh", "-c", "echo no such file; exit 3"])

            with self.assertRaisesRegex(Failure, "exited with 3:\nno such file"):
                await_true(lambda: False, "nothing", 5, started)


def _living(session):
    return [pid for pid in procfs.session_members(session) if _state(pid) not in "ZX"]


def _state(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
            return stat.read().rpartition(")")[2].split()[0]
    except OSError:
        return "X"
