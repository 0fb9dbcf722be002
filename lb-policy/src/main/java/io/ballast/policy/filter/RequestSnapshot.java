package io.ballast.policy.filter;

import io.ballast.filter.FilterBody;
import io.ballast.filter.FilterHeader;
import io.ballast.filter.FilterHeaders;
import io.ballast.filter.FilterRequest;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.request.RoutedRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A copy of a request for a filter, because the bytes of its head are only valid during an evaluation. */
record RequestSnapshot(
        String method,
        String path,
        String normalPath,
        Optional<String> query,
        Optional<String> host,
        FilterHeaders headers,
        Optional<InetAddress> client,
        Optional<String> tlsServerName,
        Optional<String> identity,
        Map<String, String> claims,
        FilterBody body)
        implements FilterRequest {

    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    /** Copies the request that a policy evaluates. */
    static RequestSnapshot of(PolicyExchange exchange) {
        RoutedRequest head = exchange.request();
        byte[] bytes = head.bytes();
        String target = text(bytes, head.pathStart(), head.pathEnd());
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        ByteAppender scratch = exchange.scratch();
        scratch.clear();
        exchange.appendPath(scratch);
        return new RequestSnapshot(
                text(bytes, head.methodStart(), head.methodEnd()),
                path.isEmpty() ? "/" : path,
                text(scratch.bytes(), 0, scratch.length()),
                mark < 0 ? Optional.empty() : Optional.of(target.substring(mark + 1)),
                unlessEmpty(text(bytes, head.hostStart(), head.hostEnd()).toLowerCase(Locale.ROOT)),
                headers(exchange, head),
                address(exchange.client()),
                unlessEmpty(new String(exchange.tls().serverName(), StandardCharsets.ISO_8859_1)),
                unlessEmpty(exchange.identity().name()),
                exchange.identity().claims(),
                FilterBody.EMPTY);
    }

    RequestSnapshot withBody(FilterBody read) {
        return new RequestSnapshot(
                method, path, normalPath, query, host, headers, client, tlsServerName, identity, claims, read);
    }

    /** The client's header lines that reach the backend, followed by the lines that earlier policies have added. */
    private static FilterHeaders headers(PolicyExchange exchange, RoutedRequest head) {
        List<FilterHeader> lines = new ArrayList<>();
        byte[] bytes = head.bytes();
        for (int line = 0; line < head.headerCount(); line++) {
            int from = head.headerNameStart(line);
            int to = head.headerNameEnd(line);
            if (!exchange.isSetByPolicies(bytes, from, to)) {
                lines.add(new FilterHeader(
                        text(bytes, from, to), text(bytes, head.headerStart(line), head.headerEnd(line))));
            }
        }
        HeaderLineEditor.parse(exchange.requestLines(), lines);
        return new FilterHeaders(lines);
    }

    private static Optional<InetAddress> address(byte[] address) {
        if (address.length != IPV4_BYTES && address.length != IPV6_BYTES) {
            return Optional.empty(); // the client uses a Unix socket
        }
        try {
            return Optional.of(InetAddress.getByAddress(address));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // impossible, because the length is valid
        }
    }

    private static Optional<String> unlessEmpty(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
