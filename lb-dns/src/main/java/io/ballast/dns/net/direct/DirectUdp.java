package io.ballast.dns.net.direct;

import io.ballast.dns.net.AnswerContext;
import io.ballast.dns.net.UdpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * UDP by direct system calls. This class is the fallback for Java versions without the foreign-function
 * API; the implementation is in {@code java22}.
 */
public final class DirectUdp {

    private static final int REQUIRED_JAVA_VERSION = 22;

    private DirectUdp() {}

    /** Returns the reason why direct system calls are unavailable; empty if they are available. */
    public static Optional<String> unavailabilityReason() {
        int java = Runtime.version().feature();
        return Optional.of(
                java < REQUIRED_JAVA_VERSION
                        ? "Java " + java + " is older than " + REQUIRED_JAVA_VERSION
                        : "this build has no classes for Java " + REQUIRED_JAVA_VERSION);
    }

    /**
     * Starts to serve, with one thread and one socket for each context in {@code threads}.
     *
     * @throws IOException if the address cannot be bound
     * @throws UnsupportedOperationException if there is an {@link #unavailabilityReason}
     */
    public static UdpServer bind(InetSocketAddress address, List<AnswerContext> threads) throws IOException {
        UdpServer server = prepare(address, threads);
        server.start();
        return server;
    }

    /** Like {@link #bind}, but the returned server serves only after {@link UdpServer#start} is called. */
    @SuppressWarnings("DoNotCallSuggester") // the variant of this class for Java 22 and later does not throw
    public static UdpServer prepare(InetSocketAddress address, List<AnswerContext> threads) throws IOException {
        throw new UnsupportedOperationException(unavailabilityReason().orElseThrow());
    }

    /**
     * Creates a server like {@link #prepare}, with a thread for each socket that is already bound.
     *
     * @param sockets the file descriptors, one for each of {@code threads}; the server owns them
     */
    @SuppressWarnings("DoNotCallSuggester") // see prepare
    public static UdpServer adopt(InetSocketAddress address, List<AnswerContext> threads, List<Integer> sockets)
            throws IOException {
        throw new UnsupportedOperationException(unavailabilityReason().orElseThrow());
    }
}
