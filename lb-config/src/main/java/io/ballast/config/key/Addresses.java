package io.ballast.config.key;

import io.ballast.core.Checks;
import io.ballast.core.config.Address;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.UnixSocket;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses with a port, of backends or of listeners. This class never resolves host names. */
public final class Addresses {

    private static final String SYNTAX = "(?:\\[([0-9A-Fa-f:.]+)]|([^\\[\\]:/@\\s]+)):([0-9]{1,5})";
    private static final Pattern PATTERN = Pattern.compile(SYNTAX);
    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    private static final Pattern NAME = Pattern.compile(
            "(?=.{1,253}$)(?!.*\\.[0-9]+$|[0-9]+$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\\.[A-Za-z0-9_][A-Za-z0-9_-]{0,62})*\\.?");
    private static final String EXPECTED = "host:port such as 10.0.0.1:8080, [2001:db8::1]:8080 or app.local:8080";
    private static final String EXPECTED_BACKEND = EXPECTED + ", or unix:/run/app.sock";
    private static final String EXPECTED_BIND = "address:port such as 0.0.0.0:8000, [::]:8000 or 127.0.0.1:8000";
    private static final String EXPECTED_LISTENER = EXPECTED_BIND + ", or unix:/run/ballast/web.sock";
    private static final String HOST_PORT_SCHEMA = "[^/]+:[0-9]{1,5}";
    private static final String UNIX_SCHEMA = "|" + UnixSocket.SCHEME + "/.+";

    /** Suffix of the temporary name of a socket file; it makes the path one byte longer. */
    private static final String TEMPORARY_SUFFIX = "~";

    /** The address of a backend. */
    public static final Type<Address> BACKEND = new ScalarType<>(
            "address",
            EXPECTED_BACKEND,
            text -> isUnix(text) ? parseUnix(text) : requireConnectable(parse(text, EXPECTED_BACKEND)),
            Address::toString,
            JsonSchema.textOrVariable(HOST_PORT_SCHEMA + UNIX_SCHEMA));

    /** An address to listen on; port 0 requests any free port. */
    public static final Type<HostPort> BIND = new ScalarType<>(
            "bind address",
            EXPECTED_BIND,
            Addresses::parseBind,
            HostPort::toString,
            JsonSchema.textOrVariable(HOST_PORT_SCHEMA));

    /** The address of a listener: an address like {@link #BIND}, or a Unix socket. */
    public static final Type<Address> LISTENER = new ScalarType<>(
            "bind address or unix:/path",
            EXPECTED_LISTENER,
            Addresses::parseListener,
            Address::toString,
            JsonSchema.textOrVariable(HOST_PORT_SCHEMA + UNIX_SCHEMA));

    private static final Pattern LOOPBACK = Pattern.compile("127(\\.[0-9]+){3}|::1|(?i:localhost)");

    private Addresses() {}

    /** A listen address that must be unique in the configuration; {@code purpose} names it in messages. */
    public static Type<HostPort> bind(String purpose) {
        return new BindType(BIND, purpose);
    }

    /** Returns whether only this machine can reach the address. */
    public static boolean isLoopback(HostPort address) {
        return LOOPBACK.matcher(address.host()).matches();
    }

    /** Returns an address to connect to; port 0 is refused. */
    public static HostPort requireConnectable(HostPort address) {
        Checks.that(address.port() > 0, "port", address.port(), "a port from 1 to 65535");
        return address;
    }

    /** Parses an address of the form {@code host:port}; the error contains the expected syntax. */
    public static HostPort parse(String text, String expected) {
        Matcher matcher = PATTERN.matcher(text);
        Checks.that(matcher.matches(), "address", text, expected);
        String literal = matcher.group(1);
        String host = literal == null ? matcher.group(2) : literal;
        Checks.that(literal == null ? isHost(host) : isIpv6(host), "address", text, expected);
        int port = Integer.parseInt(matcher.group(3));
        Checks.that(port <= 65535, "port", port, "a port up to 65535");
        return new HostPort(host, port);
    }

    /** Returns whether the text is an IPv4 address or a host name. */
    public static boolean isHost(String text) {
        return IPV4.matcher(text).matches() || NAME.matcher(text).matches();
    }

    private static HostPort parseBind(String text) {
        Checks.that(!isUnix(text), "bind", text, EXPECTED_BIND + "; Unix sockets are not supported here");
        return parse(text, EXPECTED_BIND);
    }

    private static Address parseListener(String text) {
        if (!isUnix(text)) {
            return parse(text, EXPECTED_LISTENER);
        }
        UnixSocket socket = parseUnix(text);
        int max = UnixSocket.MAX_PATH_BYTES - TEMPORARY_SUFFIX.length();
        Checks.that(socket.path().length() <= max, "path", text, "a path of at most " + max + " bytes");
        Checks.that(
                !socket.path().endsWith(TEMPORARY_SUFFIX),
                "path",
                text,
                "a path that does not end with " + TEMPORARY_SUFFIX);
        return socket;
    }

    private static boolean isUnix(String text) {
        return text.startsWith(UnixSocket.SCHEME);
    }

    private static UnixSocket parseUnix(String text) {
        return new UnixSocket(text.substring(UnixSocket.SCHEME.length()));
    }

    /**
     * Returns whether the text is an IPv6 address. A text without a colon is not passed to {@link InetAddress}, which
     * could look it up as a host name.
     */
    private static boolean isIpv6(String text) {
        if (text.indexOf(':') < 0) {
            return false;
        }
        try {
            InetAddress.getByName("[" + text + "]");
            return true;
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
