package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import io.ballast.core.config.Address;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.UnixSocket;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The listen addresses of a configuration; reports conflicts between them. */
public final class BoundAddresses {

    private static final String ANY_IPV4 = "0.0.0.0";
    private static final String ANY = "0:0:0:0:0:0:0:0";

    private final Map<Integer, List<Bound>> tcpAddresses = new HashMap<>();
    private final Map<Integer, List<Bound>> udpAddresses = new HashMap<>();
    private final Map<UnixSocket, Bound> unixSockets = new HashMap<>();
    private final Set<Node> reportedNodes = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * Registers the TCP address at {@code node} with its purpose; reports a conflict with another registered address.
     */
    public void bind(String purpose, HostPort address, Node node, ReadContext reading) {
        bind(tcpAddresses, address, new Bound(purpose, address, node), reading);
    }

    /**
     * Registers the Unix socket at {@code node} with its purpose; reports a conflict with another registered address.
     */
    public void bind(String purpose, UnixSocket socket, Node node, ReadContext reading) {
        Bound bound = new Bound(purpose, socket, node);
        Bound other = unixSockets.putIfAbsent(socket, bound);
        if (other != null && other.node != node) {
            reading.error(node, "conflict: " + bound + " and " + other + " (at " + other.node.place() + ")");
        }
    }

    /**
     * Registers the UDP address at {@code node}; UDP ports are separate from TCP ports. Reports a conflict with another
     * registered address.
     */
    public void bindDatagrams(String purpose, HostPort address, Node node, ReadContext reading) {
        bind(udpAddresses, address, new Bound(purpose, address, node), reading);
    }

    private void bind(Map<Integer, List<Bound>> byPort, HostPort address, Bound bound, ReadContext reading) {
        Node node = bound.node;
        if (address.port() == 0) {
            return;
        }
        List<Bound> taken = byPort.computeIfAbsent(address.port(), port -> new ArrayList<>());
        for (Bound other : taken) {
            if (other.node == node) {
                return; // the same node has already registered an address with this port
            }
            if (other.address instanceof HostPort existing
                    && overlap(literal(address.host()), literal(existing.host()))) {
                if (!reportedNodes.add(node)) {
                    return; // the conflict was already reported for TCP
                }
                reading.error(node, "port conflict: " + bound + " and " + other + " (at " + other.node.place() + ")");
                return;
            }
        }
        taken.add(bound);
    }

    private static boolean overlap(String one, String other) {
        return one.equals(other) || covers(one, other) || covers(other, one);
    }

    /** Returns whether a wildcard covers the other address; the IPv6 wildcard also covers IPv4. */
    private static boolean covers(String wildcard, String address) {
        return wildcard.equals(ANY) || (wildcard.equals(ANY_IPV4) && address.indexOf(':') < 0);
    }

    private static String literal(String host) {
        if (host.equalsIgnoreCase("localhost")) {
            return "127.0.0.1";
        }
        if (host.indexOf(':') < 0) {
            return host;
        }
        try {
            return InetAddress.getByName(host).getHostAddress();
        } catch (UnknownHostException e) {
            return host;
        }
    }

    private record Bound(String purpose, Address address, Node node) {
        @Override
        public String toString() {
            return purpose + " " + address;
        }
    }
}
