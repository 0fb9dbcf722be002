package io.ballast.config.keys.pool;

import io.ballast.config.key.Addresses;
import io.ballast.config.key.ScalarType;
import io.ballast.config.key.Type;
import io.ballast.core.Checks;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.UnixSocket;
import java.util.Locale;
import java.util.Map;

/**
 * A backend's address in the notation of other balancers: {@code host:port}, {@code http://host:port} or
 * {@code http://host/}. The port is 80 if it is missing.
 */
public final class BackendUrl {

    private static final String EXPECTED = "host:port or http://host:port";

    public static final Type<HostPort> URL =
            new ScalarType<>("url", EXPECTED, BackendUrl::parse, HostPort::toString, Map.of("type", "string"));

    private static final String SCHEME_END = "://";
    private static final int HTTP_PORT = 80;

    private BackendUrl() {}

    private static HostPort parse(String url) {
        int schemeEnd = url.indexOf(SCHEME_END);
        String scheme = schemeEnd < 0 ? "http" : url.substring(0, schemeEnd).toLowerCase(Locale.ROOT);
        Checks.that(
                !scheme.equals("https"),
                "url",
                url,
                "http://; for TLS to backends, set tls of the pool in the long form");
        Checks.that(scheme.equals("http"), "url", url, "the scheme http");
        String rest = schemeEnd < 0 ? url : url.substring(schemeEnd + SCHEME_END.length());
        String authority = rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest;
        Checks.that(authority.indexOf('@') < 0, "url", url, "no user name or password");
        Checks.that(
                !authority.startsWith(UnixSocket.SCHEME),
                "url",
                url,
                EXPECTED + "; for a Unix socket, use an address in the long form: unix:/path");
        Checks.that(
                authority.chars().noneMatch(c -> c == '/' || c == '?' || c == '#'),
                "url",
                url,
                "no path, query or fragment; requests are forwarded with the client's path");
        Checks.that(!authority.isEmpty() && !authority.startsWith(":"), "url", url, "a host");
        return Addresses.requireConnectable(
                Addresses.parse(hasPort(authority) ? authority : authority + ":" + HTTP_PORT, EXPECTED));
    }

    private static boolean hasPort(String authority) {
        return authority.lastIndexOf(':') > authority.lastIndexOf(']');
    }
}
