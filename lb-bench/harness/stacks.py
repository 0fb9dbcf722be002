"""Where a process spends its CPU time, from the stacks that `perf script` prints."""

import re
from collections import Counter

_KERNEL = "[kernel"
# The order matters: on loopback the receiver's work is done inside send, and a wake-up inside both.
_KERNEL_KINDS = (
    ("kernel: send", re.compile(r"sendmsg|sendmmsg|io_send|io_write|sendto")),
    ("kernel: receive", re.compile(r"recvmsg|recvmmsg|io_recv|io_read|recvfrom")),
    ("kernel: wait and wake", re.compile(r"schedule|epoll|futex|io_cqring_wait|poll")),
    ("kernel: connections", re.compile(r"accept|connect|close|shutdown|release")),
)
_KERNEL_REST = "kernel: the rest"
_OUR_PACKAGE = re.compile(r"\b(io\.ballast\.[a-z0-9.]+)\.[A-Z]")
_NETTY = re.compile(r"\bio\.netty\.")
_COMPILER = re.compile(r"^C[12] Compiler|^Sweeper")
_COLLECTOR = re.compile(r"^VM Thread|^GC |^G1 ")
_JVM = "libjvm"


def parse(text):
    """Returns a Counter of stacks: (thread, frames from the root to the leaf), with frames as (symbol, library)."""
    stacks = Counter()
    for block in text.strip().split("\n\n"):
        lines = block.splitlines()
        frames = [frame for frame in map(_frame, lines[1:]) if frame]
        if lines and frames:
            stacks[(lines[0].strip(), tuple(reversed(frames)))] += 1
    return stacks


def _frame(line):
    match = re.match(r"\s*[0-9a-f]+ (.*) \(([^()]*(?:\([^()]*\))?)\)$", line)
    return (re.sub(r"\+0x[0-9a-f]+$", "", match[1]), match[2]) if match else None


def layer(thread, frames):
    """Returns the layer that a stack belongs to."""
    if _COMPILER.search(thread):
        return "JVM: compilers"
    if _COLLECTOR.search(thread):
        return "JVM: collector"
    kernel = " ".join(symbol for symbol, library in frames if library.startswith(_KERNEL))
    if kernel:
        return next((name for name, pattern in _KERNEL_KINDS if pattern.search(kernel)), _KERNEL_REST)
    for symbol, _ in reversed(frames):
        ours = _OUR_PACKAGE.search(symbol)
        if ours:
            return ours[1]
        if _NETTY.search(symbol):
            return "io.netty"
    return "JVM: the rest" if any(_JVM in library for _, library in frames) else "other"


def layers(stacks):
    """Returns [(layer, share)], the largest first."""
    counted = Counter()
    for (thread, frames), count in stacks.items():
        counted[layer(thread, frames)] += count
    return [(name, count / stacks.total()) for name, count in counted.most_common()]


def folded(stacks):
    """Returns one line per stack with frames separated by semicolons, the input format of flame graph programs."""
    lines = Counter()
    for (thread, frames), count in stacks.items():
        lines[";".join([thread, *(symbol.replace(";", ":") for symbol, _ in frames)])] += count
    return "".join(f"{line} {count}\n" for line, count in sorted(lines.items()))
