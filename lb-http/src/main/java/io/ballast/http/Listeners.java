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
 * The listeners in force, those that leave, and what they have in common.
 *
 * <p>Thread safety: those in force are an immutable list behind a volatile field, which one thread at a time replaces; any
 * thread may call any method, and those wait that say so.
 */
final class Listeners implements AutoCloseable {

    private final ListenerSetup setup;
    private final AccessLogs accessLogs;
    private final TlsListeners tls = new TlsListeners();
    private final DrainingListeners leaving;
    private volatile List<RunningListener> inForce = List.of();
    /** Those that let nobody in yet; null when they do so at once. Confined to the thread that starts. */
    private @Nullable List<FrontendPort<?>> waiting;

    Listeners(ListenerSetup setup, Workers workers) {
        this.setup = setup;
        this.accessLogs = new AccessLogs(workers.all().size(), Clock.systemUTC());
        this.leaving = new DrainingListeners(workers);
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

    /** In the order of the configuration. */
    List<RunningListener> inForce() {
        return inForce;
    }

    /** Has ports let clients in only with {@link #acceptWaiting}. */
    void holdBack() {
        waiting = new ArrayList<>();
    }

    /** Has a port let clients in. */
    void accept(FrontendPort<?> port) {
        if (waiting == null) {
            port.accept();
        } else {
            waiting.add(port);
        }
    }

    void acceptWaiting() {
        List<FrontendPort<?>> held = waiting;
        waiting = null;
        if (held != null) {
            held.forEach(FrontendPort::accept);
        }
    }

    /** The sockets of those in force, as another process may go on with them. */
    List<SharedSocket> shared() {
        return inForce.stream()
                .flatMap(listener -> listener.port().shared().stream())
                .toList();
    }

    /** Another process has these sockets now: takes no new clients, and has connections end with their next exchange. */
    void leaveToOther() {
        inForce.forEach(listener -> {
            listener.port().leaveToOther();
            listener.clients().retire();
        });
    }

    /** Waits until no connection is left, or the time is over; returns how many are. */
    int awaitIdle(long endNanos) {
        int open = 0;
        for (RunningListener listener : inForce) {
            open += listener.clients().awaitIdle(endNanos);
        }
        return open + leaving.awaitIdle(endNanos);
    }

    /** The one of a configuration, or of the one before it; null if there is none. */
    @Nullable RunningListener find(ListenerConfig config) {
        return inForce.stream()
                .filter(listener -> listener.isOf(config))
                .findFirst()
                .orElse(null);
    }

    /** Those that leave, whose sockets may be open still. */
    List<RunningListener> leaving() {
        return leaving.all();
    }

    /**
     * Puts others in force. Those that are not among them take no new clients any more, but have a while for what runs there.
     * Does not wait.
     */
    void replace(List<RunningListener> next, Duration grace) {
        List<RunningListener> before = inForce;
        inForce = List.copyOf(next);
        for (RunningListener former : before) {
            if (!next.contains(former)) {
                former.retire();
                leaving.add(former, grace, () -> free(former));
            }
        }
        watchTls();
    }

    /** Looks at the files of those in force, whose settings may have changed. */
    private void watchTls() {
        tls.watch(inForce.stream().flatMap(RunningListener::tls).toList());
    }

    private void free(RunningListener former) {
        ConnectionSettings last = former.listener().settings().connections();
        accessLogs.release(last.accessLog());
        @Nullable ServerTls server = last.tls();
        tls.free(server);
    }

    /** Takes no new clients, and waits for what runs as long as it may; returns how much is left. */
    int drain(Duration grace) {
        long end = System.nanoTime() + grace.toNanos();
        inForce.forEach(RunningListener::drain);
        return awaitIdle(end);
    }

    /** Takes no new clients, ends what runs, and waits for it. */
    void closeConnections() {
        inForce.forEach(RunningListener::close);
        leaving.close();
    }

    /** Closes what is left when no connection is. */
    @Override
    public void close() {
        accessLogs.close();
        tls.close();
    }
}
