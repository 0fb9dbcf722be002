package io.ballast.net.takeover;

import java.net.InetSocketAddress;

/**
 * A bound socket that another process can inherit.
 *
 * @param fd its file descriptor in this process
 */
public record SharedSocket(Name name, int fd) {

    /** The type of a socket. Another process can reuse the socket only for the same type. */
    public enum Kind {
        /** Listens for TCP connections. */
        TCP,
        /** Listens for connections at a path. */
        UNIX,
        /** Receives UDP datagrams with non-blocking system calls. */
        UDP,
        /** Receives UDP datagrams with blocking system calls. */
        BLOCKING_UDP
    }

    /**
     * Identifies a socket. Sockets that share a port have the same name.
     *
     * @param place the bound address: a path, or an IP address and a port separated by a space
     */
    public record Name(Kind kind, String place) {

        /** @param address a resolved address */
        static Name of(Kind kind, InetSocketAddress address) {
            return new Name(kind, address.getAddress().getHostAddress() + " " + address.getPort());
        }

        /** Returns the name as text, in the form that {@link #parse} reads. */
        public String text() {
            return kind + " " + place;
        }

        /** @throws IllegalArgumentException if {@code text} is not a valid name */
        public static Name parse(String text) {
            int space = text.indexOf(' ');
            if (space < 0) {
                throw new IllegalArgumentException(
                        "socket: " + text + " (expected: a kind and an address, separated by a space)");
            }
            return new Name(Kind.valueOf(text.substring(0, space)), text.substring(space + 1));
        }
    }

    public static SharedSocket of(Kind kind, InetSocketAddress address, int fd) {
        return new SharedSocket(Name.of(kind, address), fd);
    }

    /** A socket that listens at a path. */
    public static SharedSocket at(String path, int fd) {
        return new SharedSocket(new Name(Kind.UNIX, path), fd);
    }

    /** The bound address of a TCP or UDP socket. */
    InetSocketAddress address() {
        int space = name.place.lastIndexOf(' ');
        return new InetSocketAddress(name.place.substring(0, space), Integer.parseInt(name.place.substring(space + 1)));
    }
}
