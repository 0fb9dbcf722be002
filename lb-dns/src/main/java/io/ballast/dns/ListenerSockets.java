package io.ballast.dns;

import io.ballast.core.ErrorText;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.net.UdpServer;
import io.ballast.net.listen.LocalAddresses;
import io.ballast.net.listen.PortCheck;
import io.ballast.net.takeover.SharedSocket;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    /** Datagram sockets that {@link #succeed} ends. */
    private final List<UdpServer> ending = new ArrayList<>();
    /** Datagram sockets that were opened beside the sockets for connections that were there. */
    private final List<UdpServer> added = new ArrayList<>();
    /** Addresses that could not be bound, so that this is said once. */
    private final Set<InetAddress> failed = new LinkedHashSet<>();

    private volatile List<InetSocketAddress> addresses = List.of();
    /** Whether it was bound beside sockets that serve the same address or a part of it. */
    private boolean beside;

    private boolean started;
    private boolean closed;

    private ListenerSockets(DnsListenerConfig config, SocketOpener opener, int port, boolean scans) {
        this.config = config;
        this.opener = opener;
        this.port = port;
        this.scans = scans;
    }

    /**
     * Binds what is there now; it serves when it is started.
     *
     * @param ours addresses that sockets of this process have which are about to end; they are no obstacle where sockets
     *     can share a port
     * @param inherited those of sockets of another process that are gone on with; no obstacle either
     * @throws IOException if an address cannot be bound; then nothing stays open
     */
    static ListenerSockets open(
            DnsListenerConfig config,
            SocketOpener opener,
            List<InetSocketAddress> ours,
            List<InetSocketAddress> inherited)
            throws IOException {
        String host = config.bind().host();
        List<InetAddress> hosts = LocalAddresses.of(host);
        int wanted = config.bind().port();
        List<InetAddress> others = hosts.stream()
                .filter(address -> !opener.sharesPort()
                        || (!isTaken(new InetSocketAddress(address, wanted), ours)
                                && !isTaken(new InetSocketAddress(address, wanted), inherited)))
                .toList();
        int port = PortCheck.free(others, wanted, opener.hasDatagrams());
        boolean beside = opener.sharesPort()
                && hosts.stream().anyMatch(address -> isTaken(new InetSocketAddress(address, wanted), ours));
        InetAddress wildcard = LocalAddresses.wildcard(host);
        if (wildcard == null) {
            return new ListenerSockets(config, opener, port, /* scans= */ false).bindAll(hosts, beside);
        }
        if (opener.servesWildcard(wildcard)) {
            try {
                return new ListenerSockets(config, opener, port, /* scans= */ false).bindAll(List.of(wildcard), beside);
            } catch (BindException e) {
                // The port is taken on an address that no interface shows, such as 127.0.0.53 of systemd-resolved.
                LOG.info("dns_listener={} wildcard=false reason=\"{}\"", config.bind(), ErrorText.of(e));
            }
        }
        return new ListenerSockets(config, opener, port, /* scans= */ true).bindAll(hosts, beside);
    }

    private static boolean isTaken(InetSocketAddress address, List<InetSocketAddress> ours) {
        return ours.stream()
                .filter(taken ->
                        taken.getAddress().getClass() == address.getAddress().getClass())
                .anyMatch(taken -> taken.getPort() == address.getPort()
                        && (taken.getAddress().isAnyLocalAddress()
                                || address.getAddress().isAnyLocalAddress()
                                || taken.getAddress().equals(address.getAddress())));
    }

    /**
     * Gets sockets ready for another configuration of the same address, which take over what is the same: those for
     * connections always, those for datagrams if both have them. Nothing changes until {@link #succeed}.
     *
     * @param with opens the sockets of that configuration
     * @return none if the sockets that are there cannot serve it
     * @throws IOException if an address cannot be bound; then nothing stays open
     */
    synchronized Optional<ListenerSockets> successor(DnsListenerConfig next, SocketOpener with) throws IOException {
        for (InetAddress host : served.keySet()) {
            if (host.isAnyLocalAddress() && !with.servesWildcard(host)) {
                return Optional.empty();
            }
        }
        boolean adds = with.hasDatagrams() && !opener.hasDatagrams();
        if (adds) {
            PortCheck.freeForDatagrams(served.keySet(), port);
        }
        ListenerSockets successor = new ListenerSockets(next, with, port, scans);
        try {
            for (Map.Entry<InetAddress, ServedAddress> each : served.entrySet()) {
                UdpServer before = each.getValue().udp();
                UdpServer after = with.hasDatagrams() ? before : null;
                if (adds) {
                    after = with.openDatagrams(new InetSocketAddress(each.getKey(), port));
                    successor.added.add(after);
                } else if (before != null && after == null) {
                    successor.ending.add(before);
                }
                successor.served.put(
                        each.getKey(), new ServedAddress(after, each.getValue().streams()));
            }
        } catch (IOException | RuntimeException | Error e) {
            successor.giveUpSuccession();
            throw e;
        }
        successor.failed.addAll(failed);
        successor.publish();
        return Optional.of(successor);
    }

    /** Gives up what a {@link #successor} has of its own. */
    void giveUpSuccession() {
        added.forEach(UdpServer::close);
        added.clear();
    }

    /** Takes over the sockets of those whose {@link #successor} this is. Returns at once. */
    synchronized void succeed(ListenerSockets before) {
        before.handOver();
        ending.forEach(UdpServer::drain);
        started = true;
        added.forEach(UdpServer::start);
        added.clear();
    }

    /** The heartbeats of threads that {@link #succeed} adds. */
    List<Heartbeat> addedHeartbeats() {
        return added.stream().flatMap(udp -> udp.heartbeats().stream()).toList();
    }

    private synchronized void handOver() {
        closed = true;
        served.clear();
    }

    /** Waits until the datagram sockets that ended with {@link #succeed} are closed. */
    void awaitEnded() {
        List<UdpServer> waited;
        synchronized (this) {
            waited = List.copyOf(ending);
            ending.clear();
        }
        waited.forEach(UdpServer::close);
    }

    /** Gives up sockets that do not serve yet. What clients have sent to them instead of those beside them is answered. */
    void giveUp() {
        if (beside) {
            start();
            drain();
        }
        close();
    }

    /** Those that there are, as another process may go on with them. */
    synchronized List<SharedSocket> shared() {
        return served.values().stream().flatMap(ServedAddress::shared).toList();
    }

    /** Another process has them, too: takes nothing new in. Connections that are open stay so. To be closed all the same. */
    synchronized void leaveToOther() {
        closed = true;
        served.values().forEach(ServedAddress::leaveToOther);
    }

    /** Waits until those for datagrams are closed, after {@link #leaveToOther}. */
    synchronized void awaitLeft() {
        served.values().forEach(ServedAddress::awaitLeft);
    }

    /** No other process has these sockets any more. */
    synchronized void takeCharge() {
        served.values().forEach(ServedAddress::takeCharge);
    }

    /** Begins to serve. */
    synchronized void start() {
        started = true;
        served.values().forEach(ServedAddress::start);
    }

    /** Ends in good order: answers what waits in the sockets. Connections that are open stay so. Returns at once. */
    synchronized void drain() {
        closed = true;
        served.values().forEach(ServedAddress::drain);
    }

    private ListenerSockets bindAll(List<InetAddress> hosts, boolean besideOurs) throws IOException {
        beside = besideOurs;
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
        if (started) {
            bound.start();
        }
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
                LOG.warn("dns_listener={} msg=\"{}\"", config.bind(), ErrorText.of(e));
            }
            return List.of();
        }
    }

    /** The local addresses that this listener serves when it scans. */
    List<InetAddress> local() throws IOException {
        return LocalAddresses.of(config.bind().host());
    }

    /** Waits until everything is closed, also what is drained. */
    @Override
    public synchronized void close() {
        closed = true;
        served.values().forEach(ServedAddress::close);
        served.clear();
    }
}
