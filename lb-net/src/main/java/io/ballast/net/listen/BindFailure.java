package io.ballast.net.listen;

import java.net.BindException;
import java.net.InetSocketAddress;

/** Explains why an address could not be bound and what to do about it, for every transport. */
public final class BindFailure {

    /** Lower ports are privileged, unless the system is configured otherwise. */
    private static final int FIRST_FREE_PORT = 1024;

    private BindFailure() {}

    /** Returns the exception to throw when {@code address} cannot be bound; its cause is {@code cause}. */
    public static BindException at(String protocol, InetSocketAddress address, Throwable cause) {
        return at(protocol + " " + LocalAddresses.text(address), address.getPort(), cause);
    }

    /** Like {@link #at(String, InetSocketAddress, Throwable)}, but takes the address as written by the user. */
    public static BindException at(String address, int port, Throwable cause) {
        BindException failure = new BindException("cannot listen on " + address + ": " + reason(port, cause));
        failure.initCause(cause);
        return failure;
    }

    /** Returns the reason why a bind failed, derived only from the message of {@code cause}. */
    static String reason(int port, Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        if (message.contains("Address already in use")) {
            return "the port is already in use";
        }
        if (message.contains("Permission denied") && port > 0 && port < FIRST_FREE_PORT) {
            return "no permission to bind a port below " + FIRST_FREE_PORT
                    + " (give the process CAP_NET_BIND_SERVICE: in systemd AmbientCapabilities=CAP_NET_BIND_SERVICE, in a"
                    + " container --cap-add NET_BIND_SERVICE; or lower net.ipv4.ip_unprivileged_port_start)";
        }
        if (message.contains("Cannot assign requested address")) {
            return "no network interface of this machine has this address";
        }
        if (message.contains("Address family not supported") || message.contains("protocol family unavailable")) {
            return "this machine has no IPv6 (use an IPv4 address; 0.0.0.0 accepts clients on all of them)";
        }
        return message;
    }
}
