package io.ballast.policy.forward;

import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.policy.config.ForwardAuthConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * Composes the request to the authentication server: the configured headers of the client's request, and {@code
 * X-Forwarded-*} headers that describe that request. The server gets no other header of the client. Immutable.
 */
final class AuthRequestComposer {

    private final HttpRequest.Builder template;
    private final List<PassedHeader> passed;

    @SuppressWarnings("ArrayRecordComponent") // never compared, and the array never leaves the class
    private record PassedHeader(String name, byte[] lowerCaseName) {
        PassedHeader(String name) {
            this(name, AuthAnswer.latin1(name.toLowerCase(Locale.ROOT)));
        }
    }

    AuthRequestComposer(ForwardAuthConfig config) {
        this.template = HttpRequest.newBuilder(config.address());
        this.passed = config.requestHeaders().stream().map(PassedHeader::new).toList();
    }

    /** Composes the request that describes the current request of an exchange. Called on the exchange's event loop. */
    HttpRequest compose(PolicyExchange exchange) {
        RoutedRequest request = exchange.request();
        HttpRequest.Builder builder = template.copy();
        passed.forEach(header -> pass(header, request, builder));
        builder.setHeader("X-Forwarded-Method", text(request, request.methodStart(), request.methodEnd()));
        builder.setHeader("X-Forwarded-Proto", exchange.tls().version().length > 0 ? "https" : "http");
        String uri = text(request, request.pathStart(), request.pathEnd());
        builder.setHeader("X-Forwarded-Uri", uri.isEmpty() || uri.startsWith("?") ? "/" + uri : uri);
        if (request.hostStart() < request.authorityEnd()) {
            builder.setHeader("X-Forwarded-Host", text(request, request.hostStart(), request.authorityEnd()));
        }
        if (exchange.client().length > 0) { // the address of a client of a Unix socket is empty
            builder.setHeader("X-Forwarded-For", address(exchange.client()));
        }
        return builder.build();
    }

    private static void pass(PassedHeader header, RoutedRequest request, HttpRequest.Builder builder) {
        int line = request.headerLine(header.lowerCaseName(), 0);
        while (line >= 0) {
            builder.header(header.name(), text(request, request.headerStart(line), request.headerEnd(line)));
            line = request.headerLine(header.lowerCaseName(), line + 1);
        }
    }

    private static String text(RoutedRequest request, int from, int to) {
        return new String(request.bytes(), from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static String address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("an address has 4 or 16 bytes", e);
        }
    }
}
