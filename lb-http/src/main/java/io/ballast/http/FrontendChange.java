package io.ballast.http;

import io.ballast.core.ErrorText;
import io.ballast.core.config.Address;
import io.ballast.core.config.HostPort;
import io.ballast.core.control.PreparedChange;
import io.ballast.core.pool.Topology;
import io.ballast.http.config.HttpConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerSettings;
import io.ballast.http.h3.QuicSockets;
import io.ballast.http.log.AccessLog;
import io.ballast.http.policy.PolicySource;
import io.ballast.net.config.ListenerTls;
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
 * Prepares and applies a change of the frontend's listeners.
 *
 * <p>A listener is kept, with its sockets, counters and connections, if its name, address and protocol stay the same. A
 * new listener takes over the sockets of a removed one if both have the same address and both use streams or both use
 * datagrams. Otherwise it binds new sockets. If the new address overlaps with that of a removed listener, this requires
 * a transport that can share a port.
 *
 * <p>Thread safety: one thread prepares the change, and blocks on files and sockets. Afterwards, the change is confined
 * to the control plane.
 */
public final class FrontendChange implements PreparedChange {

    private final Listeners listeners;
    private final PolicySource policies;
    private final Duration grace;
    private final List<RunningListener> next = new ArrayList<>();
    private final List<RunningListener> leaving = new ArrayList<>();
    private final List<Runnable> atCommit = new ArrayList<>();
    private final List<Runnable> atSettle = new ArrayList<>();
    private final Deque<Runnable> atClose = new ArrayDeque<>();
    private final List<String> warnings = new ArrayList<>();

    private FrontendChange(Listeners listeners, PolicySource policies, Duration grace) {
        this.listeners = listeners;
        this.policies = policies;
        this.grace = grace;
    }

    /**
     * Prepares the change to the listeners of a new configuration and topology.
     *
     * @throws BindException if an address cannot be bound
     * @throws IllegalStateException if an access log cannot be opened, or a certificate cannot be used
     */
    static FrontendChange prepare(Listeners listeners, HttpConfig config, Topology topology, PolicySource policies)
            throws BindException {
        FrontendChange change = new FrontendChange(listeners, policies, config.grace());
        try {
            change.prepare(config.listeners(), topology);
            return change;
        } catch (BindException | RuntimeException | Error e) {
            change.close();
            throw e;
        }
    }

    private void prepare(List<ListenerConfig> configs, Topology topology) throws BindException {
        listeners.active().stream()
                .filter(listener -> configs.stream().noneMatch(listener::matches))
                .forEach(leaving::add);
        List<ListenerConfig> effective =
                configs.stream().map(listeners.setup()::available).toList();
        for (int i = 0; i < effective.size(); i++) {
            ListenerConfig config = effective.get(i);
            RunningListener same = listeners.find(config);
            if (same == null) {
                next.add(add(config, i, topology));
            } else {
                updateListener(same, config, i, topology);
                next.add(same);
            }
        }
    }

    // ---- listeners that remain in the configuration

    private void updateListener(RunningListener same, ListenerConfig config, int index, Topology topology)
            throws BindException {
        Listener listener = same.listener();
        ConnectionSettings now = listener.settings().connections();
        ConnectionSettings connections = now.matches(config) ? now : replace(now, config, index);
        ListenerSettings settings = listeners.setup().settings(connections, config, topology, policies);
        atCommit.add(() -> listener.settings(settings));
        updateHttp3(same.port(), config);
        if (!same.port().socketFile().equals(config.socket())) {
            warnings.add("listeners[" + index + "].socket: the socket of " + config.bind()
                    + " keeps its mode, owner and group until it is bound again");
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
        return now.withConfig(config, log, tls);
    }

    // ---- new listeners

    private RunningListener add(ListenerConfig config, int index, Topology topology) throws BindException {
        ServerTls tls = open(config, index);
        ConnectionSettings connections = new ConnectionSettings(config, acquireLog(config), tls);
        ListenerClients clients =
                listeners.setup().clients(listeners.setup().settings(connections, config, topology, policies));
        FrontendPort<?> port = takeOver(config.bind(), clients);
        if (port == null) {
            port = bind(config, clients);
        } else {
            updateHttp3(port, config);
        }
        return new RunningListener(port, clients);
    }

    private @Nullable FrontendPort<?> takeOver(Address bind, ListenerClients clients) {
        FrontendPort<?> port = Stream.concat(leaving.stream(), listeners.draining().stream())
                .map(RunningListener::port)
                .filter(left -> left.bind().equals(bind) && left.reserve(clients))
                .findFirst()
                .orElse(null);
        if (port != null) {
            atCommit.add(port::handOver);
            atClose.push(port::cancelReservation);
        }
        return port;
    }

    private FrontendPort<?> bind(ListenerConfig config, ListenerClients clients) throws BindException {
        FrontendPort<?> port = listeners.setup().bind(config, clients, mayOverlapRemovedPort(config.bind()));
        if (config.http3() && port instanceof StreamPort stream) {
            try {
                stream.openQuic(bindQuic(stream));
            } catch (BindException | RuntimeException e) {
                port.close();
                clients.close();
                throw e;
            }
        }
        atCommit.add(() -> listeners.accept(port));
        atClose.push(() -> {
            port.close();
            clients.close();
        });
        return port;
    }

    /** Opens or closes the UDP sockets of a port that is already open, if the configuration has changed. */
    private void updateHttp3(FrontendPort<?> port, ListenerConfig config) throws BindException {
        if (!(port instanceof StreamPort stream) || stream.hasQuic() == config.http3()) {
            return;
        }
        if (!config.http3()) {
            atCommit.add(() -> closeQuic(stream));
            return;
        }
        QuicSockets sockets = bindQuic(stream);
        atClose.push(sockets::close);
        atCommit.add(() -> {
            stream.openQuic(sockets);
            sockets.accept();
        });
    }

    private QuicSockets bindQuic(StreamPort stream) throws BindException {
        try {
            return listeners.setup().bindQuic(stream);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    "listeners: " + stream.bind() + ": HTTP/3 cannot use the certificate: " + ErrorText.of(e), e);
        }
    }

    private void closeQuic(StreamPort stream) {
        QuicSockets removed = stream.removeQuic();
        if (removed != null) {
            removed.connections()
                    .forEach(connection -> connection.eventLoop().execute(() -> HttpLoop.drain(connection)));
            removed.closeLater(listeners.setup().anyWorker(), grace);
        }
    }

    /** Whether a removed stream listener has the same port as {@code bind}, so that their addresses may overlap. */
    private boolean mayOverlapRemovedPort(Address bind) {
        return bind instanceof HostPort wanted
                && leaving.stream()
                        .map(RunningListener::port)
                        .anyMatch(left -> left instanceof StreamPort
                                && left.bind() instanceof HostPort other
                                && other.port() == wanted.port());
    }

    // ---- methods for both kept and new listeners

    private @Nullable ServerTls open(ListenerConfig config, int index) {
        ServerTls tls = TlsListeners.open(config, index);
        if (tls != null) {
            tls.shareTicketSecrets(listeners.setup()::ticketSecrets);
            tls.answerChallenges(listeners.setup().challengeCertificates());
            if (config.tls().filter(ListenerTls::onDemand).isPresent()) {
                tls.findOnDemand(listeners.setup()::hostCertificates);
            }
            atClose.push(tls::close);
        }
        return tls;
    }

    private @Nullable AccessLog acquireLog(ListenerConfig config) {
        AccessLog log = listeners.accessLogs().acquire(config);
        atClose.push(() -> listeners.accessLogs().release(log));
        return log;
    }

    // ---- activation

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
    public void releasePrevious() {
        atSettle.forEach(Runnable::run);
    }

    @Override
    public void close() {
        while (!atClose.isEmpty()) {
            atClose.pop().run();
        }
    }
}
