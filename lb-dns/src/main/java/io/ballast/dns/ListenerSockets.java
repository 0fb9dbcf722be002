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
 * The sockets of one listener. A wildcard address is bound with one socket if a response can be sent from the address
 * that received the query. Otherwise, or if the port is taken on some address, every local address is bound separately.
 * In this case, {@link #rescan} handles addresses that appear and disappear.
 *
 * <p>Thread safety: opened by one thread, then every method may be called from any thread. {@code rescan} and {@code
 * close} are mutually exclusive.
 */
final class ListenerSockets implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerSockets.class);

    private final DnsListenerConfig config;
    private final SocketOpener opener;
    private final boolean needsRescan;
    private final int port;
    private final Map<InetAddress, ServedAddress> servedAddresses = new LinkedHashMap<>();
    /** Datagram sockets that {@link #takeOver} closes. */
    private final List<UdpServer> closingServers = new ArrayList<>();
    /** Datagram sockets that were opened for addresses that already had stream sockets. */
    private final List<UdpServer> added = new ArrayList<>();
    /** Addresses whose bind failed, so that each failure is logged once. */
    private final Set<InetAddress> failed = new LinkedHashSet<>();

    private volatile List<InetSocketAddress> addresses = List.of();
    /** Whether another socket of this process is bound to one of the addresses. */
    private boolean sharesAddress;

    private boolean started;
    private boolean closed;

    private ListenerSockets(DnsListenerConfig config, SocketOpener opener, int port, boolean scans) {
        this.config = config;
        this.opener = opener;
        this.port = port;
        this.needsRescan = scans;
    }

    /**
     * Binds sockets to the current addresses. The sockets serve clients only after {@link #start}.
     *
     * @param ownAddresses addresses of sockets of this process that are about to close; not treated as taken if sockets
     *     can share a port
     * @param inherited addresses of inherited sockets; treated like {@code ownAddresses}
     * @throws IOException if an address cannot be bound; in this case, nothing stays open
     */
    static ListenerSockets open(
            DnsListenerConfig config,
            SocketOpener opener,
            List<InetSocketAddress> ownAddresses,
            List<InetSocketAddress> inherited)
            throws IOException {
        String host = config.bind().host();
        List<InetAddress> hosts = LocalAddresses.of(host);
        int wanted = config.bind().port();
        List<InetAddress> others = hosts.stream()
                .filter(address -> !opener.sharesPort()
                        || (!isTaken(new InetSocketAddress(address, wanted), ownAddresses)
                                && !isTaken(new InetSocketAddress(address, wanted), inherited)))
                .toList();
        int port = PortCheck.requireFree(others, wanted, opener.hasDatagrams());
        boolean sharesOwnPort = opener.sharesPort()
                && hosts.stream().anyMatch(address -> isTaken(new InetSocketAddress(address, wanted), ownAddresses));
        InetAddress wildcard = LocalAddresses.wildcard(host);
        if (wildcard == null) {
            return new ListenerSockets(config, opener, port, /* scans= */ false).bindAll(hosts, sharesOwnPort);
        }
        if (opener.servesWildcard(wildcard)) {
            try {
                return new ListenerSockets(config, opener, port, /* scans= */ false)
                        .bindAll(List.of(wildcard), sharesOwnPort);
            } catch (BindException e) {
                // The port is taken on an address that no interface lists, such as 127.0.0.53 of systemd-resolved.
                LOG.info(
                        "dns_listener={} wildcard=false msg=\"each local address has its own socket\" reason=\"{}\"",
                        config.bind(),
                        ErrorText.of(e));
            }
        }
        return new ListenerSockets(config, opener, port, /* scans= */ true).bindAll(hosts, sharesOwnPort);
    }

    private static boolean isTaken(InetSocketAddress address, List<InetSocketAddress> ownAddresses) {
        return ownAddresses.stream()
                .filter(taken ->
                        taken.getAddress().getClass() == address.getAddress().getClass())
                .anyMatch(taken -> taken.getPort() == address.getPort()
                        && (taken.getAddress().isAnyLocalAddress()
                                || address.getAddress().isAnyLocalAddress()
                                || taken.getAddress().equals(address.getAddress())));
    }

    /**
     * Prepares sockets for another configuration of the same address. Stream sockets are always reused. Datagram
     * sockets are reused if both configurations have them. Nothing changes until {@link #takeOver}.
     *
     * @param with opener of the next configuration's sockets
     * @return the next sockets; empty if the existing sockets cannot serve the next configuration
     * @throws IOException if an address cannot be bound; in this case, nothing stays open
     */
    synchronized Optional<ListenerSockets> successor(DnsListenerConfig next, SocketOpener with) throws IOException {
        for (InetAddress host : servedAddresses.keySet()) {
            if (host.isAnyLocalAddress() && !with.servesWildcard(host)) {
                return Optional.empty();
            }
        }
        boolean adds = with.hasDatagrams() && !opener.hasDatagrams();
        if (adds) {
            PortCheck.requireFreeForDatagrams(servedAddresses.keySet(), port);
        }
        ListenerSockets successor = new ListenerSockets(next, with, port, needsRescan);
        try {
            for (Map.Entry<InetAddress, ServedAddress> each : servedAddresses.entrySet()) {
                UdpServer before = each.getValue().udp();
                UdpServer after = with.hasDatagrams() ? before : null;
                if (adds) {
                    after = with.openDatagrams(new InetSocketAddress(each.getKey(), port));
                    successor.added.add(after);
                } else if (before != null && after == null) {
                    successor.closingServers.add(before);
                }
                successor.servedAddresses.put(
                        each.getKey(), new ServedAddress(after, each.getValue().streams()));
            }
        } catch (IOException | RuntimeException | Error e) {
            successor.closeAdded();
            throw e;
        }
        successor.failed.addAll(failed);
        successor.publish();
        return Optional.of(successor);
    }

    /** Closes the additional sockets that {@link #successor} has opened. */
    void closeAdded() {
        added.forEach(UdpServer::close);
        added.clear();
    }

    /**
     * Takes over the sockets of {@code before}, whose {@link #successor} method returned this object. Returns
     * immediately.
     */
    synchronized void takeOver(ListenerSockets before) {
        before.handOver();
        closingServers.forEach(UdpServer::drain);
        started = true;
        added.forEach(UdpServer::start);
        added.clear();
    }

    /** The heartbeats of the threads that {@link #takeOver} starts. */
    List<Heartbeat> addedHeartbeats() {
        return added.stream().flatMap(udp -> udp.heartbeats().stream()).toList();
    }

    private synchronized void handOver() {
        closed = true;
        servedAddresses.clear();
    }

    /** Waits until the datagram sockets that {@link #takeOver} drains are closed. */
    void awaitEnded() {
        List<UdpServer> waited;
        synchronized (this) {
            waited = List.copyOf(closingServers);
            closingServers.clear();
        }
        waited.forEach(UdpServer::close);
    }

    /** Closes sockets that do not serve yet. Queries that already arrived on a shared port are answered first. */
    void abandon() {
        if (sharesAddress) {
            start();
            drain();
        }
        close();
    }

    /** The sockets, for another process to inherit. */
    synchronized List<SharedSocket> sharedSockets() {
        return servedAddresses.values().stream()
                .flatMap(ServedAddress::sharedSockets)
                .toList();
    }

    /**
     * Called when another process has inherited the sockets. Stops accepting queries; open connections stay open.
     * This object must still be closed.
     */
    synchronized void releaseToSuccessor() {
        closed = true;
        servedAddresses.values().forEach(ServedAddress::releaseToSuccessor);
    }

    /** Waits until the datagram sockets are closed, after {@link #releaseToSuccessor}. */
    synchronized void awaitSocketsClosed() {
        servedAddresses.values().forEach(ServedAddress::awaitSocketsClosed);
    }

    /** Called when no other process uses these sockets any more. */
    synchronized void activate() {
        servedAddresses.values().forEach(ServedAddress::activate);
    }

    /** Starts serving on all bound addresses. */
    synchronized void start() {
        started = true;
        servedAddresses.values().forEach(ServedAddress::start);
    }

    /** Answers the queries that wait in the sockets, then closes them. Connections stay open. Returns immediately. */
    synchronized void drain() {
        closed = true;
        servedAddresses.values().forEach(ServedAddress::drain);
    }

    private ListenerSockets bindAll(List<InetAddress> hosts, boolean sharesOwnPort) throws IOException {
        sharesAddress = sharesOwnPort;
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
        servedAddresses.put(host, bound);
        publish();
        if (started) {
            bound.start();
        }
        return bound;
    }

    private void publish() {
        addresses = servedAddresses.keySet().stream()
                .map(host -> new InetSocketAddress(host, port))
                .toList();
    }

    /** The bound addresses, with the actual port where port 0 was configured. */
    List<InetSocketAddress> addresses() {
        return addresses;
    }

    /** Whether {@link #rescan} is needed to find addresses that appear later. */
    boolean needsRescan() {
        return needsRescan;
    }

    /** The heartbeats of the threads that serve these sockets. */
    synchronized List<Heartbeat> heartbeats() {
        return servedAddresses.values().stream()
                .flatMap(each -> each.heartbeats().stream())
                .toList();
    }

    /**
     * Closes the sockets of addresses that the machine no longer has, and binds sockets for new local addresses.
     * Returns when both steps are done.
     *
     * @return the heartbeats of new threads
     */
    synchronized List<Heartbeat> rescan(List<InetAddress> local) {
        if (closed || !needsRescan) {
            return List.of();
        }
        failed.retainAll(local);
        servedAddresses.entrySet().removeIf(entry -> {
            boolean isGone = !local.contains(entry.getKey());
            if (isGone) {
                entry.getValue().close();
                LOG.info(
                        "dns_listener={} msg=\"stopped serving an address that the host no longer has\" address={}",
                        config.bind(),
                        entry.getKey().getHostAddress());
            }
            return isGone;
        });
        publish();
        List<Heartbeat> hearts = new ArrayList<>();
        for (InetAddress host : local) {
            if (!servedAddresses.containsKey(host)) {
                hearts.addAll(bindNew(host));
            }
        }
        return hearts;
    }

    private List<Heartbeat> bindNew(InetAddress host) {
        try {
            ServedAddress bound = bind(host);
            failed.remove(host);
            LOG.info("dns_listener={} msg=\"serves a new address\" address={}", config.bind(), host.getHostAddress());
            return bound.heartbeats();
        } catch (IOException e) {
            // The address is possibly not ready yet, such as an IPv6 address during duplicate address detection.
            if (failed.add(host)) {
                LOG.warn("dns_listener={} msg=\"{}\"", config.bind(), ErrorText.of(e));
            }
            return List.of();
        }
    }

    /** Returns the local addresses to serve now. Called only if this listener rescans local addresses. */
    List<InetAddress> local() throws IOException {
        return LocalAddresses.of(config.bind().host());
    }

    /** Waits until all sockets are closed, including draining ones. */
    @Override
    public synchronized void close() {
        closed = true;
        servedAddresses.values().forEach(ServedAddress::close);
        servedAddresses.clear();
    }
}
