package io.ballast.dns.net.direct;

import io.ballast.core.ErrorText;
import io.ballast.dns.net.AnswerContext;
import io.ballast.dns.net.UdpServer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** UDP with direct system calls, on Linux and Java 22 or newer. */
public final class DirectUdp {

    private static final Set<String> ARCHITECTURES = Set.of("amd64", "aarch64");

    private DirectUdp() {}

    /** Returns the reason why direct UDP is unavailable; empty if a test socket was opened and the calls work. */
    public static Optional<String> unavailabilityReason() {
        String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!"Linux".equals(System.getProperty("os.name")) || !ARCHITECTURES.contains(System.getProperty("os.arch"))) {
            return Optional.of("supported only on Linux on x86-64 and AArch64, not on " + system);
        }
        // Without the permission for native access, each native call causes a warning. Later Java versions reject it.
        if (!DirectUdp.class.getModule().isNativeAccessEnabled()) {
            return Optional.of("native access is not enabled (--enable-native-access=ALL-UNNAMED)");
        }
        return tryCalls();
    }

    /** Tries the system calls, because a sandbox can lack or forbid them. */
    private static Optional<String> tryCalls() {
        try (Arena arena = Arena.ofConfined();
                UdpSocket socket = UdpSocket.open(SocketAddresses.IPV4, arena)) {
            MessageVector one = new MessageVector(1, 1, arena);
            int received = socket.poll(one.headers(), 1);
            if (received != -LinuxSyscalls.EAGAIN) {
                ErrnoText.check("recvmmsg", received);
            }
            ErrnoText.check("sendmmsg", socket.send(one.headers(), 0));
            return Optional.empty();
        } catch (IOException | LinkageError | RuntimeException e) {
            return Optional.of(ErrorText.of(e));
        }
    }

    /**
     * Starts serving with {@code threads.size()} threads, each with its own socket.
     *
     * @throws IOException if the address cannot be bound
     */
    public static UdpServer bind(InetSocketAddress address, List<AnswerContext> threads) throws IOException {
        UdpServer server = prepare(address, threads);
        server.start();
        return server;
    }

    /** Like {@link #bind}, but does not start the server; it answers no queries before it is started. */
    public static UdpServer prepare(InetSocketAddress address, List<AnswerContext> threads) throws IOException {
        return new DirectUdpServer(address, threads, List.of());
    }

    /**
     * Like {@link #prepare}, but uses sockets that are already bound, with one thread for each.
     *
     * @param sockets the file descriptors of the sockets, one for each of {@code threads}; the server owns them
     *     afterwards
     */
    public static UdpServer adopt(InetSocketAddress address, List<AnswerContext> threads, List<Integer> sockets)
            throws IOException {
        return new DirectUdpServer(address, threads, sockets);
    }
}
