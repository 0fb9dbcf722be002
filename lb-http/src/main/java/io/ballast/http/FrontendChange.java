package io.ballast.http;

import io.ballast.core.config.Address;
import io.ballast.core.config.HostPort;
import io.ballast.core.control.PreparedChange;
import io.ballast.core.pool.Topology;
import io.ballast.http.config.HttpConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerSettings;
import io.ballast.http.log.AccessLog;
import io.ballast.net.tls.ServerTls;
import java.net.BindException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Other listeners for the frontend, or the same with other settings.
 *
 * <p>A listener stays if its name, address and protocol do: then it keeps its sockets, counters and connections. One that is
 * new takes the sockets over of one that leaves, if that has the same address and both are for streams, or both for datagrams;
 * else its own are bound, which at an address that overlaps with that of one that leaves takes a transport by which sockets can
 * share a port.
 *
 * <p>Prepared by one thread, which waits for files and sockets; then confined to the control plane.
 */
public final class FrontendChange implements PreparedChange {

    private final Listeners listeners;
    private final Duration grace;
    private final List<RunningListener> next = new ArrayList<>();
    private final List<RunningListener> leaving = new ArrayList<>();
    private final List<Runnable> atCommit = new ArrayList<>();
    private final List<Runnable> atSettle = new ArrayList<>();
    private final Deque<Runnable> atClose = new ArrayDeque<>();
    private final List<String> warnings = new ArrayList<>();

    private FrontendChange(Listeners listeners, Duration grace) {
        this.listeners = listeners;
        this.grace = grace;
    }

    /**
     * Prepares what follows from a topology that is to be in force.
     *
     * @throws BindException if an address cannot be bound
     * @throws IllegalStateException if an access log cannot be opened, or a certificate cannot be used
     */
    static FrontendChange prepare(Listeners listeners, HttpConfig config, Topology topology) throws BindException {
        FrontendChange change = new FrontendChange(listeners, config.grace());
        try {
            change.prepare(config.listeners(), topology);
            return change;
        } catch (BindException | RuntimeException | Error e) {
            change.close();
            throw e;
        }
    }

    private void prepare(List<ListenerConfig> configs, Topology topology) throws BindException {
        listeners.inForce().stream()
                .filter(listener -> configs.stream().noneMatch(listener::isOf))
                .forEach(leaving::add);
        for (int i = 0; i < configs.size(); i++) {
            ListenerConfig config = configs.get(i);
            RunningListener same = listeners.find(config);
            if (same == null) {
                next.add(add(config, i, topology));
            } else {
                keep(same, config, i, topology);
                next.add(same);
            }
        }
    }

    // ---- those that stay

    private void keep(RunningListener same, ListenerConfig config, int index, Topology topology) {
        Listener listener = same.listener();
        ConnectionSettings now = listener.settings().connections();
        ConnectionSettings connections = now.areOf(config) ? now : replace(now, config, index);
        ListenerSettings settings = listeners.setup().settings(connections, config, topology);
        atCommit.add(() -> listener.settings(settings));
        if (!same.port().access().equals(config.socket())) {
            warnings.add("listeners[" + index + "].socket: the socket of " + config.bind()
                    + " keeps the mode, owner and group that it was made with until it is bound anew");
        }
    }

    private ConnectionSettings replace(ConnectionSettings now, ListenerConfig config, int index) {
        ServerTls tls = now.tls();
        if (!now.config().tls().equals(config.tls())) {
            tls = open(config, index);
            atSettle.add(() -> listeners.tls().free(now.tls()));
        }
        AccessLog log = acquireLog(config);
        atSettle.add(() -> listeners.accessLogs().release(now.accessLog()));
        return now.next(config, log, tls);
    }

    // ---- those that are new

    private RunningListener add(ListenerConfig config, int index, Topology topology) throws BindException {
        ServerTls tls = open(config, index);
        ConnectionSettings connections = new ConnectionSettings(config, acquireLog(config), tls);
        Clients clients = listeners.setup().clients(listeners.setup().settings(connections, config, topology));
        FrontendPort<?> port = takeOver(config.bind(), clients);
        return new RunningListener(port == null ? bind(config, clients) : port, clients);
    }

    private @Nullable FrontendPort<?> takeOver(Address bind, Clients clients) {
        FrontendPort<?> port = Stream.concat(leaving.stream(), listeners.leaving().stream())
                .map(RunningListener::port)
                .filter(left -> left.bind().equals(bind) && left.reserve(clients))
                .findFirst()
                .orElse(null);
        if (port != null) {
            atCommit.add(port::handOver);
            atClose.push(port::giveUp);
        }
        return port;
    }

    private FrontendPort<?> bind(ListenerConfig config, Clients clients) throws BindException {
        FrontendPort<?> port = listeners.setup().bind(config, clients, isLeft(config.bind()));
        atCommit.add(() -> listeners.accept(port));
        atClose.push(() -> {
            port.close();
            clients.close();
        });
        return port;
    }

    /** Whether a listener for streams that leaves has the same port at another address, which may overlap. */
    private boolean isLeft(Address bind) {
        return bind instanceof HostPort wanted
                && leaving.stream()
                        .map(RunningListener::port)
                        .anyMatch(left -> left instanceof StreamPort
                                && left.bind() instanceof HostPort other
                                && other.port() == wanted.port());
    }

    // ---- what both need

    private @Nullable ServerTls open(ListenerConfig config, int index) {
        ServerTls tls = TlsListeners.open(config, index);
        if (tls != null) {
            atClose.push(tls::close);
        }
        return tls;
    }

    private @Nullable AccessLog acquireLog(ListenerConfig config) {
        AccessLog log = listeners.accessLogs().acquire(config);
        atClose.push(() -> listeners.accessLogs().release(log));
        return log;
    }

    // ---- putting it in force

    @Override
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    @Override
    public void commit() {
        atClose.clear();
        atCommit.forEach(Runnable::run);
        listeners.replace(next, grace);
    }

    @Override
    public void settle() {
        atSettle.forEach(Runnable::run);
    }

    @Override
    public void close() {
        while (!atClose.isEmpty()) {
            atClose.pop().run();
        }
    }
}
