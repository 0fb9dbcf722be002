package io.ballast.net.listen;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the host of a listener into the addresses that it serves. A wildcard becomes every address of the host of its
 * family: where each is bound on its own, a response leaves from the address that the query went to, which is the only
 * one that the client takes it from.
 */
public final class LocalAddresses {

    private LocalAddresses() {}

    /**
     * The addresses of {@code host}, a literal, a name or a wildcard. Link-local IPv6 addresses are left out of the
     * wildcard; whoever wants one names it.
     *
     * @throws IOException if the name is unknown, or if there are none
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
     * The wildcard that {@code host} is; null if it is none.
     *
     * @throws IOException if it is a name that is unknown
     */
    public static @Nullable InetAddress wildcard(String host) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        return address.isAnyLocalAddress() ? address : null;
    }

    /** Prints {@code address:port}, with brackets around IPv6. */
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
            return false; // It went away while we looked.
        }
    }
}
