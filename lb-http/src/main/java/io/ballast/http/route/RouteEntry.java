package io.ballast.http.route;

import io.ballast.core.config.RouteConfig;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** One route, compiled: its host and path as octets, and where it leads. Immutable. */
final class RouteEntry {

    static final Comparator<RouteEntry> MOST_SPECIFIC_FIRST = Comparator.comparingInt(RouteEntry::hostRank)
            .thenComparingInt(entry -> -length(entry.host))
            .thenComparingInt(entry -> -length(entry.path));

    private final byte @Nullable [] host;
    private final boolean hostIsSuffix;
    private final byte @Nullable [] path;
    private final Route route;

    private RouteEntry(byte @Nullable [] host, boolean hostIsSuffix, byte @Nullable [] path, Route route) {
        this.host = host;
        this.hostIsSuffix = hostIsSuffix;
        this.path = path;
        this.route = route;
    }

    Route route() {
        return route;
    }

    static RouteEntry of(RouteConfig config, Route route) {
        String host = config.host();
        boolean suffix = host != null && host.startsWith("*.");
        String hostText = host == null ? null : suffix ? host.substring(1) : host;
        return new RouteEntry(octets(hostText), suffix, octets(config.path()), route);
    }

    private static byte @Nullable [] octets(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static int length(byte @Nullable [] octets) {
        return octets == null ? 0 : octets.length;
    }

    private int hostRank() {
        return host == null ? 2 : hostIsSuffix ? 1 : 0;
    }

    boolean matchesAll() {
        return host == null && (path == null || path.length == 1);
    }

    boolean matchesHost(byte[] bytes, int from, int to) {
        if (host == null) {
            return true;
        }
        int length = to - from;
        if (hostIsSuffix ? length <= host.length : length != host.length) {
            return false;
        }
        int start = to - host.length;
        for (int i = 0; i < host.length; i++) {
            byte octet = bytes[start + i];
            byte lower = octet >= 'A' && octet <= 'Z' ? (byte) (octet + 32) : octet;
            if (lower != host[i]) {
                return false;
            }
        }
        return true;
    }

    /** A prefix by whole segments: {@code /v1} matches {@code /v1} and {@code /v1/x}, not {@code /v10}. */
    boolean matchesPath(byte[] bytes, int from, int to) {
        if (path == null) {
            return true;
        }
        int length = path[path.length - 1] == '/' ? path.length - 1 : path.length;
        if (to - from < length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (bytes[from + i] != path[i]) {
                return false;
            }
        }
        return to - from == length || bytes[from + length] == '/';
    }
}
