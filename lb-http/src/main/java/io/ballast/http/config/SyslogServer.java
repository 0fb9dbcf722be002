package io.ballast.http.config;

import io.ballast.core.Checks;
import io.ballast.core.net.IpAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a syslog server.
 *
 * @param address the IP address of the server; host names are not allowed, so that the log needs no name lookup
 */
public record SyslogServer(Transport transport, IpAddress address, int port) {

    /** Describes the addresses that {@link #parse} accepts, for error messages. */
    public static final String EXPECTED =
            "udp://, tcp:// or tls://, an IP address and a port, such as udp://127.0.0.1:514";

    private static final Pattern FORM = Pattern.compile("(udp|tcp|tls)://([0-9.]+|\\[[0-9A-Fa-f:.]+\\]):([0-9]{1,5})");
    private static final int MAX_PORT = 65_535;

    /** How messages are sent. */
    public enum Transport {
        /** A datagram for each message (RFC 5426). */
        UDP,
        /** A connection on which each message is preceded by its length (RFC 6587). */
        TCP,
        /** Like {@link #TCP}, but over TLS (RFC 5425). */
        TLS
    }

    public SyslogServer {
        Checks.between(port, 1, MAX_PORT, "port");
    }

    /**
     * Parses a text such as {@code udp://127.0.0.1:514} or {@code tcp://[2001:db8::1]:601}.
     *
     * @throws IllegalArgumentException if the text is not such an address
     */
    public static SyslogServer parse(String text) {
        Matcher form = FORM.matcher(text);
        Checks.that(form.matches(), "address", text, EXPECTED);
        String host = form.group(2);
        String address = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        try {
            return new SyslogServer(
                    Transport.valueOf(form.group(1).toUpperCase(Locale.ROOT)),
                    IpAddress.parse(address),
                    Integer.parseInt(form.group(3)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("address: " + text + " (expected: " + EXPECTED + ")", e);
        }
    }

    /** The address of the server; needs no name lookup. */
    public InetSocketAddress socketAddress() {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address.bytes()), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an IP address has 4 or 16 bytes", e);
        }
    }

    @Override
    public String toString() {
        String host = address.isIpv4() ? address.toString() : "[" + address + "]";
        return transport.name().toLowerCase(Locale.ROOT) + "://" + host + ":" + port;
    }
}
