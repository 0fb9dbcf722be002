package io.ballast.net.takeover;

import java.net.InetSocketAddress;

/**
 * A bound socket that another process may go on with.
 *
 * @param fd its number in this process
 */
public record SharedSocket(Name name, int fd) {

    /** What a socket is good for. One of another kind than is needed is of no use. */
    public enum Kind {
        /** Listens for connections of TCP. */
        TCP,
        /** Listens for connections at a path. */
        UNIX,
        /** Receives datagrams, and does not block. */
        UDP,
        /** Receives datagrams, and blocks. */
        BLOCKING_UDP
    }

    /**
     * Which one it is. Several sockets that share a port have the same name.
     *
     * @param place where it was bound: a path, or an IP address and a port with a space between them
     */
    public record Name(Kind kind, String place) {

        /** @param address with an IP address */
        static Name of(Kind kind, InetSocketAddress address) {
            return new Name(kind, address.getAddress().getHostAddress() + " " + address.getPort());
        }

        /** For {@link #parse}. */
        public String text() {
            return kind + " " + place;
        }

        /** @throws IllegalArgumentException if it is none */
        public static Name parse(String text) {
            int space = text.indexOf(' ');
            if (space < 0) {
                throw new IllegalArgumentException("socket: " + text + " (expected: kind and place)");
            }
            return new Name(Kind.valueOf(text.substring(0, space)), text.substring(space + 1));
        }
    }

    public static SharedSocket of(Kind kind, InetSocketAddress address, int fd) {
        return new SharedSocket(Name.of(kind, address), fd);
    }

    /** One that listens at a path. */
    public static SharedSocket at(String path, int fd) {
        return new SharedSocket(new Name(Kind.UNIX, path), fd);
    }

    /** Where it was bound, if it is no Unix socket. */
    InetSocketAddress address() {
        int space = name.place.lastIndexOf(' ');
        return new InetSocketAddress(name.place.substring(0, space), Integer.parseInt(name.place.substring(space + 1)));
    }
}
