package io.ballast.policy.key;

import io.ballast.core.net.IpAddress;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.key.Cookies;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.policy.config.LimitKey;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Appends a part of a request to a key. Immutable; allocates nothing. */
public interface RequestPart {

    /** Appends the part; returns false if it is missing. */
    boolean append(PolicyExchange exchange, ByteAppender target);

    static RequestPart of(LimitKey key, int ipv6PrefixBits) {
        return switch (key.source()) {
            case CLIENT -> client(ipv6PrefixBits);
            case ROUTE -> (exchange, target) -> append(exchange.route(), target);
            case HOST -> RequestPart::host;
            case PATH -> RequestPart::path;
            case HEADER ->
                header(key.name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII), client(ipv6PrefixBits));
            case COOKIE -> cookie(key.name().getBytes(StandardCharsets.UTF_8), client(ipv6PrefixBits));
            case IDENTITY -> (exchange, target) -> append(exchange.identity().name(), target);
            case CLAIM ->
                (exchange, target) -> append(exchange.identity().claims().getOrDefault(key.name(), ""), target);
            case TLS_SUBJECT -> (exchange, target) -> append(exchange.tls().clientSubject(), target);
        };
    }

    /** Returns the part with the client's address. For an IPv6 address, only a prefix of this length is used. */
    static RequestPart client(int ipv6PrefixBits) {
        long high = ipv6PrefixBits >= 64 ? -1 : -1L << (64 - ipv6PrefixBits);
        long low = ipv6PrefixBits <= 64 ? 0 : -1L << (128 - ipv6PrefixBits);
        return (exchange, target) -> {
            byte[] address = exchange.client();
            if (address.length == 0) {
                return false; // the client uses a Unix socket
            }
            long upper = IpAddress.high(address, address.length);
            long lower = IpAddress.low(address, address.length);
            boolean isIpv4 = IpAddress.isIpv4(upper, lower);
            append(isIpv4 ? upper : upper & high, target);
            append(isIpv4 ? lower : lower & low, target);
            return true;
        };
    }

    private static void append(long bits, ByteAppender target) {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            target.append((byte) (bits >>> shift));
        }
    }

    private static boolean host(PolicyExchange exchange, ByteAppender target) {
        RoutedRequest request = exchange.request();
        return appendLowerCase(request.bytes(), request.hostStart(), request.hostEnd(), target);
    }

    private static boolean path(PolicyExchange exchange, ByteAppender target) {
        exchange.appendPath(target);
        return true;
    }

    /**
     * Returns the part that contains the value of a header. If the header occurs twice, the client's address is used
     * instead. Otherwise, a client could evade the limit: it could add a line with a new value to each request, and
     * backends differ in which line they use.
     */
    private static RequestPart header(byte[] lowerCaseName, RequestPart client) {
        return (exchange, target) -> {
            RoutedRequest request = exchange.request();
            int line = request.headerLine(lowerCaseName, 0);
            if (line >= 0 && request.headerLine(lowerCaseName, line + 1) >= 0) {
                return client.append(exchange, target);
            }
            return line >= 0 && append(request.bytes(), request.headerStart(line), request.headerEnd(line), target);
        };
    }

    /**
     * Returns the part that contains the value of a cookie, without percent-encoding and quotes, because backends
     * accept the value with and without them. If the cookie occurs twice, the client's address is used instead, as for
     * a header.
     */
    private static RequestPart cookie(byte[] name, RequestPart client) {
        return (exchange, target) -> {
            RoutedRequest request = exchange.request();
            long range = Cookies.find(request, name);
            if (range == Cookies.NONE) {
                return false;
            }
            return Cookies.isRepeated(request, name)
                    ? client.append(exchange, target)
                    : appendDecoded(request.bytes(), Cookies.from(range), Cookies.to(range), target);
        };
    }

    private static boolean appendDecoded(byte[] bytes, int from, int to, ByteAppender target) {
        int before = target.length();
        int at = from;
        while (at < to) {
            byte next = bytes[at];
            int high = at + 2 < to ? Character.digit(bytes[at + 1], 16) : -1;
            int low = at + 2 < to ? Character.digit(bytes[at + 2], 16) : -1;
            if (next == '%' && high >= 0 && low >= 0) {
                next = (byte) (high << 4 | low);
                at += 2;
            }
            if (next != '"') {
                target.append(next);
            }
            at++;
        }
        return target.length() > before;
    }

    private static boolean append(String text, ByteAppender target) {
        target.appendAscii(text);
        return !text.isEmpty();
    }

    private static boolean append(byte[] bytes, ByteAppender target) {
        return append(bytes, 0, bytes.length, target);
    }

    private static boolean append(byte[] bytes, int from, int to, ByteAppender target) {
        target.append(bytes, from, to);
        return to > from;
    }

    private static boolean appendLowerCase(byte[] bytes, int from, int to, ByteAppender target) {
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            target.append(b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b);
        }
        return to > from;
    }
}
