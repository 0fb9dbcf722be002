package io.ballast.http;

import io.ballast.http.config.ListenerConfig;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.log.AccessLogs;
import io.ballast.http.net.Workers;
import io.ballast.net.takeover.SharedSocket;
import io.ballast.net.tls.ServerTls;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The active and the draining listeners, and their shared resources.
 *
 * <p>Thread safety: the active listeners are an immutable list behind a volatile field, replaced by one
 * thread at a time. Any thread may call any method. A method may block only if its description says so.
 */
final class Listeners implements AutoCloseable {

    private final ListenerSetup setup;
    private final AccessLogs accessLogs;
    private final TlsListeners tls = new TlsListeners();
    private final DrainingListeners draining;
    private volatile List<RunningListener> active = List.of();
    /**
     * Ports that wait for {@link #acceptWaiting}; null if ports accept immediately. Confined to the starting
     * thread.
     */
    private @Nullable List<FrontendPort<?>> waitingPorts;

    Listeners(ListenerSetup setup, Workers workers) {
        this.setup = setup;
        this.accessLogs = new AccessLogs(workers.all().size(), Clock.systemUTC());
        this.draining = new DrainingListeners(workers);
    }

    ListenerSetup setup() {
        return setup;
    }

    AccessLogs accessLogs() {
        return accessLogs;
    }

    TlsListeners tls() {
        return tls;
    }

    /** The active listeners in the order of the configuration. */
    List<RunningListener> active() {
        return active;
    }

    /** Delays accepting on all ports until {@link #acceptWaiting}. */
    void delayAccepting() {
        waitingPorts = new ArrayList<>();
    }

    /** Starts accepting on a port, or queues it for {@link #acceptWaiting}. */
    void accept(FrontendPort<?> port) {
        if (waitingPorts == null) {
            port.accept();
        } else {
            waitingPorts.add(port);
        }
    }

    void acceptWaiting() {
        List<FrontendPort<?>> held = waitingPorts;
        waitingPorts = null;
        if (held != null) {
            held.forEach(FrontendPort::accept);
        }
    }

    /** The sockets of the active listeners, to share with a successor process. */
    List<SharedSocket> sharedSockets() {
        return active.stream()
                .flatMap(listener -> listener.port().sharedSockets().stream())
                .toList();
    }

    /**
     * Hands the sockets over to a successor process: stops accepting, and ends connections after their next
     * exchange.
     */
    void releaseToSuccessor() {
        active.forEach(listener -> {
            listener.port().releaseToSuccessor();
            listener.clients().retire();
        });
    }

    /**
     * Waits until all connections are closed or {@code endNanos} is reached; returns the number of open connections.
     */
    int awaitIdle(long endNanos) {
        int open = 0;
        for (RunningListener listener : active) {
            open += listener.clients().awaitIdle(endNanos);
        }
        return open + draining.awaitIdle(endNanos);
    }

    /** The active listener with the configuration's name, address and protocol; null if there is none. */
    @Nullable RunningListener find(ListenerConfig config) {
        return active.stream()
                .filter(listener -> listener.matches(config))
                .findFirst()
                .orElse(null);
    }

    /** The draining listeners, whose sockets may still be open. */
    List<RunningListener> draining() {
        return draining.all();
    }

    /**
     * Activates new listeners. Active listeners that are missing from {@code next} stop accepting and drain
     * within {@code grace}. Does not wait.
     */
    void replace(List<RunningListener> next, Duration grace) {
        List<RunningListener> before = active;
        active = List.copyOf(next);
        for (RunningListener former : before) {
            if (!next.contains(former)) {
                former.retire();
                draining.add(former, grace, () -> free(former));
            }
        }
        watchTls();
    }

    /** Watches the TLS files of the active listeners. */
    private void watchTls() {
        tls.watch(active.stream().flatMap(RunningListener::tls).toList());
    }

    private void free(RunningListener former) {
        ConnectionSettings last = former.listener().settings().connections();
        accessLogs.release(last.accessLog());
        @Nullable ServerTls server = last.tls();
        tls.free(server);
    }

    /** Stops accepting and waits up to {@code grace} for running exchanges; returns the number of open connections. */
    int drain(Duration grace) {
        long end = System.nanoTime() + grace.toNanos();
        active.forEach(RunningListener::drain);
        return awaitIdle(end);
    }

    /** Stops accepting, closes all connections, and waits until they are closed. */
    void closeConnections() {
        active.forEach(RunningListener::close);
        draining.close();
    }

    /** Closes the remaining resources after all connections are closed. */
    @Override
    public void close() {
        accessLogs.close();
        tls.close();
    }
}
