package io.ballast.dns.wire;

/**
 * The options of an OPT record that the server processes, by their numbers in the <a
 * href="https://www.iana.org/assignments/dns-parameters/dns-parameters.xhtml#dns-parameters-11">registry</a>.
 */
final class EdnsOption {

    /** The identity of the server (<a href="https://datatracker.ietf.org/doc/html/rfc5001">RFC 5001</a>). */
    static final int NSID = 3;

    /** The client subnet (<a href="https://datatracker.ietf.org/doc/html/rfc7871">RFC 7871</a>). */
    static final int SUBNET = 8;

    /**
     * The cookie that proves the client's address (<a href="https://datatracker.ietf.org/doc/html/rfc7873">RFC
     * 7873</a>).
     */
    static final int COOKIE = 10;

    /** Idle timeout of a connection (<a href="https://datatracker.ietf.org/doc/html/rfc7828">RFC 7828</a>). */
    static final int KEEPALIVE = 11;

    /**
     * Padding, which hides the length of a message (<a href="https://datatracker.ietf.org/doc/html/rfc7830">RFC
     * 7830</a>).
     */
    static final int PADDING = 12;

    /**
     * The extended DNS error, which gives the reason for a response (<a
     * href="https://datatracker.ietf.org/doc/html/rfc8914">RFC 8914</a>).
     */
    static final int ERROR = 15;

    /** Bytes of an option's code and length. */
    static final int HEADER_BYTES = 4;

    private EdnsOption() {}

    /**
     * Writes the code and the length of an option.
     *
     * @return the start offset of the option's data
     */
    static int begin(byte[] out, int at, int code, int length) {
        Wire.putU16(out, at, code);
        Wire.putU16(out, at + 2, length);
        return at + HEADER_BYTES;
    }
}
