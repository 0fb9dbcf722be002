import unittest
from xml.dom import minidom

from harness import flame, stacks

_SCRIPT = """
lb-1
\tffffffff81a0 tcp_sendmsg+0x1b ([kernel.kallsyms])
\tffffffff8100 entry_SYSCALL_64+0x6e ([kernel.kallsyms])
\t    7f0000aa int io.netty.channel.epoll.Native::writev(int, long) (/tmp/perf-7.map)
\t    7f0000bb void io.ballast.http.h1.ClientConnection::flush() (/tmp/perf-7.map)

lb-1
\tffffffff81a0 tcp_recvmsg+0x1b ([kernel.kallsyms])
\tffffffff8100 entry_SYSCALL_64+0x6e ([kernel.kallsyms])

lb-1
\t    7f0000cc byte java.lang.String::charAt(int) (/tmp/perf-7.map)
\t    7f0000bb void io.ballast.http.h1.ClientConnection$1::<init>() (/tmp/perf-7.map)

lb-1
\t    7f0000dd java.lang.Object io.netty.util.Recycler::get() (/tmp/perf-7.map)

C2 CompilerThre
\t    7f0000ee PhaseIdealLoop::build (/usr/lib/jvm/java/lib/server/libjvm.so)

lb-1
\t    7f0000ee JavaThread::run (/usr/lib/jvm/java/lib/server/libjvm.so)

lb-1
\t    7f0000ff [unknown] (/usr/lib/libc.so.6)
\t    7f0000ff [unknown] ([unknown])
"""


class StacksTest(unittest.TestCase):
    def setUp(self):
        self.stacks = stacks.parse(_SCRIPT)

    def test_every_stack_is_counted(self):
        self.assertEqual(self.stacks.total(), 7)

    def test_each_stack_belongs_to_one_layer(self):
        self.assertEqual(
            {name for name, _ in stacks.layers(self.stacks)},
            {
                *("kernel: send", "kernel: receive", "io.ballast.http.h1", "io.netty"),
                *("JVM: compilers", "JVM: the rest", "other"),
            },
        )
        self.assertAlmostEqual(sum(share for _, share in stacks.layers(self.stacks)), 1.0)

    def test_folded_lines_start_at_the_root(self):
        lines = stacks.folded(self.stacks).splitlines()

        self.assertIn("lb-1;entry_SYSCALL_64;tcp_recvmsg 1", lines)

    def test_a_flame_graph_has_a_box_for_every_frame(self):
        drawn = minidom.parseString(flame.svg(self.stacks))

        titles = [title.firstChild.data for title in drawn.getElementsByTagName("title")]
        self.assertEqual(titles[0], "all 100.0%")
        self.assertIn("void io.ballast.http.h1.ClientConnection$1::<init>() 14.3%", titles)
        self.assertIn("tcp_recvmsg 14.3%", titles)
