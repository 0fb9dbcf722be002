package io.ballast.dns.querylog;

/** The transport of a query, with its number in dnstap. */
public enum SocketProtocol {
    UDP(1, "udp"),
    TCP(2, "tcp"),
    DOT(3, "dot"),
    DOH(4, "doh");

    private static final SocketProtocol[] ALL = values();

    private final int number;
    private final String label;

    SocketProtocol(int number, String label) {
        this.number = number;
        this.label = label;
    }

    static SocketProtocol of(int ordinal) {
        return ALL[ordinal];
    }

    int number() {
        return number;
    }

    String label() {
        return label;
    }
}
