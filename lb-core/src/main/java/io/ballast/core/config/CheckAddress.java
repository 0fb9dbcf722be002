package io.ballast.core.config;

import io.ballast.core.Checks;
import io.ballast.core.net.IpAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The address of checks if it differs from the backend's address.
 *
 * @param address the address for all backends; if absent, each backend's own address
 * @param port the port for all backends, 1 to 65535; if absent, each backend's own port
 */
public record CheckAddress(Optional<IpAddress> address, OptionalInt port) {

    /** Checks use the address and the port at which the backend serves requests. */
    public static final CheckAddress SAME_AS_BACKEND = new CheckAddress(Optional.empty(), OptionalInt.empty());

    public CheckAddress {
        if (port.isPresent()) {
            Checks.between(port.getAsInt(), 1, 65535, "port");
        }
    }

    /** Returns a copy with the given port. */
    public CheckAddress withPort(int other) {
        return new CheckAddress(address, OptionalInt.of(other));
    }

    /**
     * Returns the check address for a backend at {@code served}; returns the address of a Unix socket unchanged.
     */
    public SocketAddress of(SocketAddress served) {
        if (!(served instanceof InetSocketAddress inet) || equals(SAME_AS_BACKEND)) {
            return served;
        }
        int checkedPort = port.orElse(inet.getPort());
        return address.isPresent()
                ? new InetSocketAddress(inetAddress(address.get()), checkedPort)
                : new InetSocketAddress(inet.getAddress(), checkedPort);
    }

    /** Returns the check address of a backend. */
    public Address of(Address served) {
        return served instanceof HostPort inet
                ? new HostPort(address.map(IpAddress::toString).orElse(inet.host()), port.orElse(inet.port()))
                : served;
    }

    private static InetAddress inetAddress(IpAddress address) {
        try {
            return InetAddress.getByAddress(address.bytes());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + address.bytes().length + " bytes", e);
        }
    }
}
