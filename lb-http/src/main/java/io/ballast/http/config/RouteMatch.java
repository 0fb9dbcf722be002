package io.ballast.http.config;

import io.ballast.core.Checks;
import io.ballast.core.net.Cidr;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a route; a request or a connection must meet all of them.
 *
 * @param hosts exact host names or {@code *.suffix}, in lower case, without port; empty for every host
 * @param path the condition on the path
 * @param methods the accepted methods; empty for every method
 * @param headers conditions on headers, by name in lower case
 * @param query conditions on query parameters, by name
 * @param cookies conditions on cookies, by name
 * @param clients networks; one of them must contain the client's address; empty for every client
 * @param serverNames server names of TLS clients (SNI), exact or {@code *.suffix}, in lower case; empty for
 *     every client, with or without TLS
 * @param alpn ALPN protocols; a TLS client must offer at least one of them; empty for every client
 */
public record RouteMatch(
        List<String> hosts,
        PathMatch path,
        List<String> methods,
        Map<String, ValueMatch> headers,
        Map<String, ValueMatch> query,
        Map<String, ValueMatch> cookies,
        List<Cidr> clients,
        List<String> serverNames,
        List<String> alpn) {

    /** A match without conditions, which every request meets. */
    public static final RouteMatch ALL =
            new RouteMatch(List.of(), PathMatch.ANY, List.of(), Map.of(), Map.of(), Map.of(), List.of());

    public RouteMatch {
        hosts = List.copyOf(hosts);
        hosts.forEach(host -> Checks.that(!host.isEmpty(), "host", "''", "a host name"));
        methods = List.copyOf(methods);
        headers = inOrder(headers);
        query = inOrder(query);
        cookies = inOrder(cookies);
        clients = List.copyOf(clients);
        serverNames = List.copyOf(serverNames);
        alpn = List.copyOf(alpn);
    }

    /** Creates a match for HTTP requests, without the conditions on TLS server names and ALPN of TCP sessions. */
    public RouteMatch(
            List<String> hosts,
            PathMatch path,
            List<String> methods,
            Map<String, ValueMatch> headers,
            Map<String, ValueMatch> query,
            Map<String, ValueMatch> cookies,
            List<Cidr> clients) {
        this(hosts, path, methods, headers, query, cookies, clients, List.of(), List.of());
    }

    /** Returns a match for a host and a path prefix; null for either means no condition. */
    public static RouteMatch of(@Nullable String host, @Nullable String path) {
        return new RouteMatch(
                host == null ? List.of() : List.of(host),
                path == null ? PathMatch.ANY : new PathMatch.Prefix(path),
                List.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                List.of());
    }

    private static Map<String, ValueMatch> inOrder(Map<String, ValueMatch> values) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * Returns a short description of the conditions. If two routes of a listener have the same description, they
     * match the same requests.
     */
    public String label() {
        StringBuilder text = new StringBuilder(hosts.isEmpty() ? "*" : String.join(",", sorted(hosts)));
        String pathText = path.toString();
        boolean slashed = path instanceof PathMatch.Prefix && pathText.length() > 1 && pathText.endsWith("/");
        text.append(slashed ? pathText.substring(0, pathText.length() - 1) : pathText);
        if (!methods.isEmpty()) {
            text.append(' ').append(String.join(",", sorted(methods)));
        }
        append(text, "header", headers);
        append(text, "query", query);
        append(text, "cookie", cookies);
        if (!clients.isEmpty()) {
            List<String> networks = clients.stream().map(Cidr::toString).toList();
            text.append(" client ").append(String.join(",", sorted(networks)));
        }
        if (!serverNames.isEmpty()) {
            text.append(" sni ").append(String.join(",", sorted(serverNames)));
        }
        if (!alpn.isEmpty()) {
            text.append(" alpn ").append(String.join(",", sorted(alpn)));
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String kind, Map<String, ValueMatch> values) {
        new TreeMap<>(values)
                .forEach((name, value) ->
                        text.append(' ').append(kind).append(' ').append(name).append(value));
    }

    private static List<String> sorted(List<String> texts) {
        return texts.stream().sorted().toList();
    }
}
