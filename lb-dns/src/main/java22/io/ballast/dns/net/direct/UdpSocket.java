package io.ballast.dns.net.direct;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * A bound UDP socket that shares its port with other sockets of the same process.
 *
 * <p>Thread safety: one thread receives and sends. Another thread may {@link #wake} it, and {@link #close}
 * the socket after that thread has ended. Until the socket is closed, other threads may also send, with their
 * own memory for the error number.
 */
final class UdpSocket implements AutoCloseable {

    /** The requested sizes of the kernel buffers; the kernel may grant less. */
    private static final int BUFFER_BYTES = 4 * 1024 * 1024;

    /** The maximum time that {@link #receive} waits for a datagram. */
    static final Duration MAX_WAIT = Duration.ofSeconds(1);

    private static final InetAddress LOOPBACK_4 = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress LOOPBACK_6 = InetAddress.ofLiteral("::1");
    private static final int DISCARD_PORT = 9;

    private final int fd;
    private final MemorySegment errno;
    private boolean closed;

    private UdpSocket(int fd, MemorySegment errno) {
        this.fd = fd;
        this.errno = errno;
    }

    /** @param arena arena that owns the memory of the socket */
    static UdpSocket bind(InetSocketAddress address, Arena arena) throws IOException {
        SocketAddresses addresses = SocketAddresses.of(address.getAddress());
        UdpSocket socket = open(addresses, arena);
        try {
            socket.configure(addresses);
            if (address.getAddress().isAnyLocalAddress()) {
                socket.reportDestinations(addresses);
            }
            MemorySegment name = addresses.allocate(address, arena);
            ErrnoText.check("bind", LinuxSyscalls.bind(socket.errno, socket.fd, name));
            return socket;
        } catch (IOException | RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Adopts a socket that another process has bound and may still use.
     *
     * @param fd the file descriptor, owned by the returned object
     * @param arena arena that owns the memory of the socket
     */
    static UdpSocket adopt(int fd, Arena arena) throws IOException {
        UdpSocket socket = new UdpSocket(fd, arena.allocate(LinuxSyscalls.ERRNO));
        try {
            ErrnoText.check("F_SETFL", LinuxSyscalls.makeBlocking(socket.errno, fd));
            return socket;
        } catch (IOException | RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    /** The file descriptor of the socket in this process. */
    int fd() {
        return fd;
    }

    /** Opens a socket that is not bound yet. */
    static UdpSocket open(SocketAddresses addresses, Arena arena) throws IOException {
        MemorySegment errno = arena.allocate(LinuxSyscalls.ERRNO);
        int type = LinuxSyscalls.SOCK_DGRAM | LinuxSyscalls.SOCK_CLOEXEC;
        return new UdpSocket(ErrnoText.check("socket", LinuxSyscalls.socket(errno, addresses.family(), type)), errno);
    }

    private void configure(SocketAddresses addresses) throws IOException {
        ErrnoText.check("SO_REUSEPORT", set(LinuxSyscalls.SOL_SOCKET, LinuxSyscalls.SO_REUSEPORT, 1));
        ErrnoText.check("SO_RCVTIMEO", setReceiveTimeout());
        // The kernel may reject the following options; the socket works without them.
        set(LinuxSyscalls.SOL_SOCKET, LinuxSyscalls.SO_RCVBUF, BUFFER_BYTES);
        set(LinuxSyscalls.SOL_SOCKET, LinuxSyscalls.SO_SNDBUF, BUFFER_BYTES);
        // A forged ICMP message must not make the kernel fragment responses (RFC 9715 section 3.1): the socket
        // ignores the path MTU, and the largest response fits into the minimum MTU of IPv6.
        if (addresses == SocketAddresses.IPV6) {
            ErrnoText.check("IPV6_V6ONLY", set(LinuxSyscalls.IPPROTO_IPV6, LinuxSyscalls.IPV6_V6ONLY, 1));
            set(LinuxSyscalls.IPPROTO_IPV6, LinuxSyscalls.IPV6_MTU_DISCOVER, LinuxSyscalls.PMTUDISC_OMIT);
        } else {
            set(LinuxSyscalls.IPPROTO_IP, LinuxSyscalls.IP_MTU_DISCOVER, LinuxSyscalls.PMTUDISC_OMIT);
        }
    }

    private int set(int level, int option, int value) {
        try (Arena arena = Arena.ofConfined()) {
            return LinuxSyscalls.setOption(errno, fd, level, option, arena.allocateFrom(JAVA_INT, value));
        }
    }

    /** Makes the kernel report the local destination address of every datagram. */
    private void reportDestinations(SocketAddresses addresses) throws IOException {
        if (addresses == SocketAddresses.IPV6) {
            ErrnoText.check("IPV6_RECVPKTINFO", set(LinuxSyscalls.IPPROTO_IPV6, LinuxSyscalls.IPV6_RECVPKTINFO, 1));
        } else {
            ErrnoText.check("IP_PKTINFO", set(LinuxSyscalls.IPPROTO_IP, LinuxSyscalls.IP_PKTINFO, 1));
        }
    }

    private int setReceiveTimeout() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocateFrom(JAVA_LONG, MAX_WAIT.toSeconds(), /* microseconds */ 0L);
            return LinuxSyscalls.setOption(errno, fd, LinuxSyscalls.SOL_SOCKET, LinuxSyscalls.SO_RCVTIMEO, time);
        }
    }

    /**
     * Waits for one datagram and receives all that are available. Returns their number, or a negative error
     * number ("try again" if none has arrived within {@link #MAX_WAIT}).
     */
    int receive(MemorySegment messages, int count) {
        return LinuxSyscalls.receive(errno, fd, messages, count, LinuxSyscalls.MSG_WAITFORONE);
    }

    /** Receives the available datagrams; returns their number, or a negative error number. */
    int poll(MemorySegment messages, int count) {
        return LinuxSyscalls.receive(errno, fd, messages, count, LinuxSyscalls.MSG_DONTWAIT);
    }

    /**
     * Sends without waiting; returns the number of sent datagrams, or a negative error number if the first was not
     * sent.
     */
    int send(MemorySegment messages, int count) {
        return send(messages, count, errno);
    }

    private int send(MemorySegment messages, int count, MemorySegment ownErrno) {
        return LinuxSyscalls.send(ownErrno, fd, messages, count, LinuxSyscalls.MSG_DONTWAIT);
    }

    /**
     * Sends all messages without waiting.
     *
     * @return the number of messages that could not be sent
     */
    int sendAll(MessageVector messages, int count) {
        return sendAll(messages, count, errno);
    }

    /**
     * Like {@link #sendAll(MessageVector, int)}, but may be called by any thread, because the caller provides
     * its own memory segment for the error number.
     */
    int sendAll(MessageVector messages, int count, MemorySegment ownErrno) {
        int lost = 0;
        int done = 0;
        while (done < count) {
            MemorySegment rest = done == 0 ? messages.headers() : messages.headersFrom(done);
            int result = send(rest, count - done, ownErrno);
            if (result > 0) {
                done += result;
            } else if (isFull(result)) {
                return lost + count - done;
            } else if (result != -LinuxSyscalls.EINTR) {
                // The error concerns only the client of this message, so the remaining messages are still sent.
                lost++;
                done++;
            }
        }
        return lost;
    }

    private static boolean isFull(int result) {
        return result == -LinuxSyscalls.EAGAIN || result == -LinuxSyscalls.ENOBUFS || result == -LinuxSyscalls.ENOMEM;
    }

    /**
     * Makes the waiting receive call and all later receive calls return immediately. Available datagrams can
     * still be received, and datagrams can still be sent.
     */
    synchronized void wake() {
        if (closed) {
            return; // the file descriptor may already belong to another file
        }
        try (Arena arena = Arena.ofConfined()) {
            // The call fails because the socket is not connected, but wakes the thread.
            LinuxSyscalls.shutDown(arena.allocate(LinuxSyscalls.ERRNO), fd);
        }
    }

    /**
     * Directs new datagrams to other sockets of the same port, including wildcard sockets; queued datagrams can
     * still be received. Linux delivers to a connected socket only the datagrams of its peer. The socket is
     * therefore connected to the discard port of its own host.
     *
     * @param address the bound address
     */
    void reject(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        InetAddress peer = !host.isAnyLocalAddress() ? host : host instanceof Inet6Address ? LOOPBACK_6 : LOOPBACK_4;
        try (Arena arena = Arena.ofConfined()) {
            // The result is ignored: if connecting fails, the socket keeps receiving datagrams until it is closed, and
            // these datagrams are lost.
            LinuxSyscalls.connect(
                    errno, fd, SocketAddresses.of(host).allocate(new InetSocketAddress(peer, DISCARD_PORT), arena));
        }
    }

    /** Closes the socket. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (Arena arena = Arena.ofConfined()) {
            LinuxSyscalls.close(arena.allocate(LinuxSyscalls.ERRNO), fd);
        }
    }
}
