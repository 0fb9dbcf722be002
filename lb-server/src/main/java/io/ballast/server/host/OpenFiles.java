package io.ballast.server.host;

import io.ballast.config.BallastConfig;
import io.ballast.core.health.HealthMonitor;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.listen.FileDescriptorReserve;
import io.ballast.net.listen.OpenFileLimit;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the configured connection limits with the limit of open files, and keeps some descriptors in
 * reserve.
 */
public final class OpenFiles {

    private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

    /** Descriptors for listening sockets, event loops, the jar, logs and zones. */
    private static final int OWN_DESCRIPTORS = 100;

    /** The number of connections that a listener with the default limit must support. */
    private static final long DEFAULT_LIMIT_CONNECTIONS = 4_000;

    private OpenFiles() {}

    /**
     * Keeps some descriptors in reserve, and logs a warning if the limit of open files is too low. Called once, before
     * the process serves clients.
     */
    public static void prepare(BallastConfig config) {
        OpenFileLimit.read().ifPresent(limit -> {
            FileDescriptorReserve.ofProcess().reserve(FileDescriptorReserve.reserveOf(limit));
            warning(config, limit).ifPresent(LOG::warn);
        });
    }

    /** Maximum number of simultaneous checks of backends. They may use one quarter of all descriptors. */
    public static int maxChecks() {
        OptionalLong limit = OpenFileLimit.read();
        return limit.isPresent() ? maxChecks(limit.getAsLong()) : HealthMonitor.MAX_CHECKS;
    }

    public static int maxChecks(long limit) {
        return (int) Math.max(1, Math.min(limit / 4, HealthMonitor.MAX_CHECKS));
    }

    /**
     * Returns the connection limit that the limit of open files must allow; otherwise there is a warning. A
     * default limit counts as at most {@link #DEFAULT_LIMIT_CONNECTIONS}, so that machines with usual limits of
     * open files cause no warning.
     */
    private static long requiredConnections(ClientLimits limits) {
        boolean isDefault = limits.connections() == ClientLimits.DEFAULT.connections();
        return isDefault ? Math.min(limits.connections(), DEFAULT_LIMIT_CONNECTIONS) : limits.connections();
    }

    /**
     * Returns a warning if the limit of open files is lower than the listeners' limits require. Each client
     * connection may need a second descriptor for its backend connection.
     */
    public static Optional<String> warning(BallastConfig config, long limit) {
        long connections = config.listeners().stream()
                        .mapToLong(listener -> requiredConnections(listener.limits()))
                        .sum()
                + config.dns()
                        .map(dns -> (long) dns.tcp().connections())
                        .map(dns -> dns == DnsTcpConfig.DEFAULT.connections()
                                ? Math.min(dns, DEFAULT_LIMIT_CONNECTIONS)
                                : dns)
                        .orElse(0L);
        if (limit >= connections + OWN_DESCRIPTORS) {
            return Optional.empty();
        }
        return Optional.of("open_files_limit=" + limit + " connections_allowed=" + connections
                + " msg=\"clients may open more connections than there are file descriptors, and a request needs"
                + " another one for its backend; raise the limit (ulimit -n, LimitNOFILE) or lower"
                + " `limits.connections`\"");
    }
}
