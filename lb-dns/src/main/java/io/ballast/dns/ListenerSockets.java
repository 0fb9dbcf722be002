package io.ballast.dns;

import io.ballast.core.config.DnsListenerConfig;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.listen.LocalAddresses;
import io.ballast.net.listen.PortCheck;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets of one listener. A wildcard is bound as such where responses can leave from the address that was asked;
 * elsewhere, and where a part of the port is taken, every local address is bound on its own, and {@link #rescan} follows
 * those that come and go.
 *
 * <p>Thread safety: opened by one thread, then every method may be called by any; rescanning and closing exclude each
 * other.
 */
final class ListenerSockets implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerSockets.class);

    private final DnsListenerConfig config;
    private final SocketOpener opener;
    private final boolean scans;
    private final int port;
    private final Map<InetAddress, ServedAddress> served = new LinkedHashMap<>();
    /** Addresses that could not be bound, so that this is said once. */
    private final Set<InetAddress> failed = new LinkedHashSet<>();

    private volatile List<InetSocketAddress> addresses = List.of();
    private boolean closed;

    private ListenerSockets(DnsListenerConfig config, SocketOpener opener, int port, boolean scans) {
        this.config = config;
        this.opener = opener;
        this.port = port;
        this.scans = scans;
    }

    /**
     * Binds what is there now.
     *
     * @throws IOException if an address cannot be bound; then nothing stays open
     */
    static ListenerSockets open(DnsListenerConfig config, SocketOpener opener) throws IOException {
        String host = config.bind().host();
        List<InetAddress> hosts = LocalAddresses.of(host);
        int port = PortCheck.free(hosts, config.bind().port(), opener.hasDatagrams());
        InetAddress wildcard = LocalAddresses.wildcard(host);
        if (wildcard == null) {
            return new ListenerSockets(config, opener, port, /* scans= */ false).bindAll(hosts);
        }
        if (opener.servesWildcard(wildcard)) {
            try {
                return new ListenerSockets(config, opener, port, /* scans= */ false).bindAll(List.of(wildcard));
            } catch (BindException e) {
                // The port is taken on an address that no interface shows, such as 127.0.0.53 of systemd-resolved.
                LOG.info("dns_listener={} wildcard=false reason=\"{}\"", config.bind(), e.getMessage());
            }
        }
        return new ListenerSockets(config, opener, port, /* scans= */ true).bindAll(hosts);
    }

    private ListenerSockets bindAll(List<InetAddress> hosts) throws IOException {
        try {
            for (InetAddress host : hosts) {
                bind(host);
            }
            return this;
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private ServedAddress bind(InetAddress host) throws IOException {
        ServedAddress bound = opener.open(new InetSocketAddress(host, port));
        served.put(host, bound);
        publish();
        return bound;
    }

    private void publish() {
        addresses = served.keySet().stream()
                .map(host -> new InetSocketAddress(host, port))
                .toList();
    }

    /** What is bound now, with the port chosen where 0 was asked for. */
    List<InetSocketAddress> addresses() {
        return addresses;
    }

    /** Whether addresses that appear later are found by {@link #rescan} alone. */
    boolean scans() {
        return scans;
    }

    /** The heartbeats of the threads of these sockets. */
    synchronized List<Heartbeat> heartbeats() {
        return served.values().stream()
                .flatMap(each -> each.heartbeats().stream())
                .toList();
    }

    /**
     * Binds the local addresses that are new and closes the sockets of those that are gone. Waits for both.
     *
     * @return the heartbeats of threads that are new
     */
    synchronized List<Heartbeat> rescan(List<InetAddress> local) {
        if (closed || !scans) {
            return List.of();
        }
        failed.retainAll(local);
        served.entrySet().removeIf(entry -> {
            boolean gone = !local.contains(entry.getKey());
            if (gone) {
                entry.getValue().close();
                LOG.info(
                        "dns_listener={} gone={}", config.bind(), entry.getKey().getHostAddress());
            }
            return gone;
        });
        publish();
        List<Heartbeat> hearts = new ArrayList<>();
        for (InetAddress host : local) {
            if (!served.containsKey(host)) {
                hearts.addAll(bindNew(host));
            }
        }
        return hearts;
    }

    private List<Heartbeat> bindNew(InetAddress host) {
        try {
            ServedAddress bound = bind(host);
            failed.remove(host);
            LOG.info("dns_listener={} serves={}", config.bind(), host.getHostAddress());
            return bound.heartbeats();
        } catch (IOException e) {
            // It may not be ready yet, as IPv6 addresses are that are still being checked for duplicates.
            if (failed.add(host)) {
                LOG.warn("dns_listener={} msg=\"{}\"", config.bind(), e.getMessage());
            }
            return List.of();
        }
    }

    /** The local addresses that this listener serves when it scans. */
    List<InetAddress> local() throws IOException {
        return LocalAddresses.of(config.bind().host());
    }

    @Override
    public synchronized void close() {
        closed = true;
        served.values().forEach(ServedAddress::close);
        served.clear();
    }
}
