package io.ballast.dns.net.direct;

import io.ballast.dns.net.AnswerContext;
import io.ballast.dns.net.UdpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * UDP by direct system calls. This version is for Java versions without this feature; the implementation is
 * in {@code java22}.
 */
public final class DirectUdp {

    private static final int NEEDED_JAVA = 22;

    private DirectUdp() {}

    /** Returns the reason why direct system calls are unavailable; empty if they are available. */
    public static Optional<String> obstacle() {
        int java = Runtime.version().feature();
        return Optional.of(
                java < NEEDED_JAVA
                        ? "Java " + java + " is older than " + NEEDED_JAVA
                        : "this build has no classes for Java " + NEEDED_JAVA);
    }

    /**
     * Starts to serve, with a thread and a socket for each of {@code threads}.
     *
     * @throws IOException if the address cannot be bound
     * @throws UnsupportedOperationException if there is an {@link #obstacle}
     */
    public static UdpServer bind(InetSocketAddress address, List<AnswerContext> threads) throws IOException {
        UdpServer server = prepare(address, threads);
        server.start();
        return server;
    }

    /** Like {@link #bind}, but serves only when it is started. */
    @SuppressWarnings("DoNotCallSuggester") // the version for newer Java versions does not throw
    public static UdpServer prepare(InetSocketAddress address, List<AnswerContext> threads) throws IOException {
        throw new UnsupportedOperationException(obstacle().orElseThrow());
    }

    /**
     * Creates a server like {@link #prepare}, with a thread for each socket that is already bound.
     *
     * @param sockets the file descriptors, one for each of {@code threads}; the server owns them
     */
    @SuppressWarnings("DoNotCallSuggester") // likewise
    public static UdpServer adopt(InetSocketAddress address, List<AnswerContext> threads, List<Integer> sockets)
            throws IOException {
        throw new UnsupportedOperationException(obstacle().orElseThrow());
    }
}
