package io.ballast.dns.net.direct;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The Linux system calls on sockets and memory, with their constants on x86-64 and AArch64. A failed call
 * returns the negative error number, as the kernel itself does.
 *
 * <p>Thread safety: any thread may call; each thread passes its own {@code errno} segment, which receives the
 * error number. Cost: only the system call; nothing is allocated.
 */
final class LinuxSyscalls {

    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int SHUT_RD = 0;

    static final int SOL_SOCKET = 1;
    static final int SO_SNDBUF = 7;
    static final int SO_RCVBUF = 8;
    static final int SO_REUSEPORT = 15;
    /** Receive timeout option; its value has two {@code long}s: seconds and microseconds. */
    static final int SO_RCVTIMEO = 20;

    static final int IPPROTO_IP = 0;
    static final int IP_PKTINFO = 8;
    static final int IP_MTU_DISCOVER = 10;
    static final int IPPROTO_IPV6 = 41;
    static final int IPV6_MTU_DISCOVER = 23;
    static final int IPV6_V6ONLY = 26;
    static final int IPV6_RECVPKTINFO = 49;
    /** Value of both IP_PMTUDISC_OMIT and IPV6_PMTUDISC_OMIT. */
    static final int PMTUDISC_OMIT = 5;

    static final int MSG_DONTWAIT = 0x40;
    /** Flag that makes a receive call block only until the first datagram arrives. */
    static final int MSG_WAITFORONE = 0x10000;

    static final int F_SETFL = 4;

    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final long MAP_FAILED = -1;

    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int ENOBUFS = 105;

    /** The layout of the captured error number. */
    static final StructLayout ERRNO = Linker.Option.captureStateLayout();

    private static final Linker LINKER = Linker.nativeLinker();
    private static final VarHandle ERROR_NUMBER = MethodHandles.insertCoordinates(
            ERRNO.varHandle(MemoryLayout.PathElement.groupElement("errno")), 1, /* offset= */ 0L);

    private static final MethodHandle SOCKET = call("socket", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle SETSOCKOPT = call("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle BIND = call("bind", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle CONNECT = call("connect", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle RECVMMSG = call("recvmmsg", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
    private static final MethodHandle SENDMMSG = call("sendmmsg", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle SHUTDOWN = call("shutdown", JAVA_INT, JAVA_INT);
    private static final MethodHandle FCNTL = variadic("fcntl", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle CLOSE = call("close", JAVA_INT);
    private static final MethodHandle MMAP = LINKER.downcallHandle(
            find("mmap"),
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP =
            LINKER.downcallHandle(find("munmap"), FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));

    private LinuxSyscalls() {}

    private static MethodHandle call(String name, ValueLayout... parameters) {
        return LINKER.downcallHandle(
                find(name), FunctionDescriptor.of(JAVA_INT, parameters), Linker.Option.captureCallState("errno"));
    }

    /** Returns a handle of a variadic function with one variable argument. */
    private static MethodHandle variadic(String name, ValueLayout... parameters) {
        return LINKER.downcallHandle(
                find(name),
                FunctionDescriptor.of(JAVA_INT, parameters),
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(parameters.length - 1));
    }

    private static MemorySegment find(String name) {
        return LINKER.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no " + name));
    }

    static int socket(MemorySegment errno, int family, int type) {
        try {
            return result((int) SOCKET.invokeExact(errno, family, type, /* protocol= */ 0), errno);
        } catch (Throwable e) {
            throw defect(e);
        }
    }

    static int setOption(MemorySegment errno, int fd, int level, int option, MemorySegment value) {
        try {
            return result((int) SETSOCKOPT.invokeExact(errno, fd, level, option, value, (int) value.byteSize()), errno);
        } catch (Throwable e) {
            throw defect(e);
        }
    }

    static int bind(MemorySegment errno, int fd, MemorySegment address) {
        try {
            return result((int) BIND.invokeExact(errno, fd, address, (int) address.byteSize()), errno);
        } catch (Throwable e) {
            throw defect(e);
        }
    }

    static int connect(MemorySegment errno, int fd, MemorySegment address) {
        try {
            return result((int) CONNECT.invokeExact(errno, fd, address, (int) address.byteSize()), errno);
        } catch (Throwable e) {
            throw defect(e);
        }
    }

    /** Receives datagrams. Returns the number of messages that were filled, at most {@code count}. */
    static int receive(MemorySegment errno, int fd, MemorySegment messages, int count, int flags) {
        try {
            return result((int) RECVMMSG.invokeExact(errno, fd, messages, count, flags, MemorySegment.NULL), errno);
        } catch (Throwable e) {
            throw defect(e);
        }
    }

    /**
     * Sends datagrams. Returns the number of sent messages, at most {@code count}; fails only if the first
     * message was not sent.
     */
    static int send(MemorySegment errno, int fd, MemorySegment messages, int count, int flags) {
        try {
            return result((int) SENDMMSG.invokeExact(errno, fd, messages, count, flags), errno);
        } catch (Throwable e) {
            throw defect(e);
        }
    }

    static int shutDown(MemorySegment errno, int fd) {
        try {
            return result((int) SHUTDOWN.invokeExact(errno, fd, SHUT_RD), errno);
        } catch (Throwable e) {
            throw defect(e);
        }
    }

    /**
     * Makes a socket blocking by clearing its status flags. {@code O_NONBLOCK} is the only flag of the socket
     * that this call clears.
     */
    static int makeBlocking(MemorySegment errno, int fd) {
        try {
            return result((int) FCNTL.invokeExact(errno, fd, F_SETFL, /* flags= */ 0), errno);
        } catch (Throwable e) {
            throw defect(e);
        }
    }

    static int close(MemorySegment errno, int fd) {
        try {
            return result((int) CLOSE.invokeExact(errno, fd), errno);
        } catch (Throwable e) {
            throw defect(e);
        }
    }

    /**
     * Allocates zeroed memory that uses no physical memory until it is written to, page by page. An arena would write
     * to the whole memory.
     *
     * @param arena arena that frees the memory
     */
    static SegmentAllocator untouched(Arena arena) {
        return (bytes, alignment) -> map(bytes, arena);
    }

    private static MemorySegment map(long bytes, Arena arena) {
        try {
            long address = (long) MMAP.invokeExact(
                    MemorySegment.NULL, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, /* fd= */ -1, /* offset= */ 0L);
            if (address == MAP_FAILED) {
                throw new OutOfMemoryError("cannot map " + bytes + " bytes for datagrams");
            }
            return MemorySegment.ofAddress(address).reinterpret(bytes, arena, LinuxSyscalls::unmap);
        } catch (Throwable e) {
            throw defect(e);
        }
    }

    private static void unmap(MemorySegment mapped) {
        try {
            if ((int) MUNMAP.invokeExact(mapped, mapped.byteSize()) != 0) {
                throw new IllegalStateException("cannot unmap memory of datagrams");
            }
        } catch (Throwable e) {
            throw defect(e);
        }
    }

    private static int result(int returned, MemorySegment errno) {
        return returned >= 0 ? returned : -(int) ERROR_NUMBER.get(errno);
    }

    /** Converts an exception that a method handle has thrown. This happens only for invalid arguments. */
    private static RuntimeException defect(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
    }
}
