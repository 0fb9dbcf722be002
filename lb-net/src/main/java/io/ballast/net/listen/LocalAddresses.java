package io.ballast.net.listen;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the host of a listener to the addresses to bind. A wildcard becomes every local address of its family. Each
 * address is bound on its own, so that the source address of a response is the address to which the query was sent.
 * Clients ignore responses from other addresses.
 */
public final class LocalAddresses {

    private LocalAddresses() {}

    /**
     * Returns the addresses of {@code host}, which is an IP address, a host name or a wildcard. A wildcard
     * does not include link-local IPv6 addresses; these must be configured explicitly.
     *
     * @throws IOException if the name is unknown, or if there are no addresses
     */
    public static List<InetAddress> of(String host) throws IOException {
        List<InetAddress> named = List.of(InetAddress.getAllByName(host));
        if (!named.get(0).isAnyLocalAddress()) {
            return named;
        }
        boolean ipv6 = named.get(0) instanceof Inet6Address;
        List<InetAddress> local = NetworkInterface.networkInterfaces()
                .filter(LocalAddresses::isUp)
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet6Address == ipv6)
                .filter(address -> !(ipv6 && address.isLinkLocalAddress()))
                .toList();
        if (local.isEmpty()) {
            throw new IOException("cannot listen on " + host + ": no such address on this host");
        }
        return local;
    }

    /**
     * Returns the wildcard address that {@code host} denotes; null if it is not a wildcard.
     *
     * @throws IOException if the host name cannot be resolved
     */
    public static @Nullable InetAddress wildcard(String host) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        return address.isAnyLocalAddress() ? address : null;
    }

    /** Formats {@code address:port}, with brackets around IPv6. */
    static String text(InetSocketAddress address) {
        String host = address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    private static boolean isUp(NetworkInterface networkInterface) {
        try {
            return networkInterface.isUp();
        } catch (IOException e) {
            return false; // The interface has just been removed.
        }
    }
}
