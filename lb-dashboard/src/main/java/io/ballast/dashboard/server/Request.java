package io.ballast.dashboard.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One request.
 *
 * @param method HTTP method
 * @param path decoded path, without the query
 * @param parameters decoded path parameters of the route's template
 * @param query decoded query parameters
 * @param headers request headers
 * @param body complete body, must not be modified
 * @param peer the client side of the connection
 * @param caller the authenticated sender
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
public record Request(
        HttpMethod method,
        String path,
        Map<String, String> parameters,
        Map<String, List<String>> query,
        HttpHeaders headers,
        byte[] body,
        Peer peer,
        Caller caller) {

    /** Parses a request target in origin form; throws {@link HttpProblem} 400 for anything else. */
    static Request of(HttpMethod method, String target, HttpHeaders headers, byte[] body, Peer peer) {
        if (!target.startsWith("/")) {
            throw HttpProblem.badRequest("the request target must start with /");
        }
        try {
            QueryStringDecoder decoder = new QueryStringDecoder(target);
            return new Request(
                    method, decoder.rawPath(), Map.of(), decoder.parameters(), headers, body, peer, Caller.UNKNOWN);
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest("the request target has an invalid percent-encoding");
        }
    }

    Request with(Map<String, String> found) {
        return new Request(method, path, found, query, headers, body, peer, caller);
    }

    /** Returns a copy with an added or replaced path parameter. */
    public Request with(String name, String value) {
        Map<String, String> more = new HashMap<>(parameters);
        more.put(name, value);
        return with(more);
    }

    /** Returns a copy with the authenticated caller. */
    Request withCaller(Caller known) {
        return new Request(method, path, parameters, query, headers, body, peer, known);
    }

    /** Returns a path parameter of the route's template. */
    public String parameter(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "parameter: " + name + " (expected: one of " + parameters.keySet() + ")");
        }
        return value;
    }

    /** Returns whether the client accepts a gzip response. */
    public boolean acceptsGzip() {
        return acceptsGzip(headers);
    }

    static boolean acceptsGzip(HttpHeaders headers) {
        String header = headers.get(HttpHeaderNames.ACCEPT_ENCODING, "");
        for (String coding : header.split(",")) {
            String[] parts = coding.replace(" ", "").split(";", 2);
            if (parts[0].equalsIgnoreCase("gzip")) {
                return parts.length == 1 || !parts[1].matches("q=0(\\.0*)?");
            }
        }
        return false;
    }

    /** Returns the value of a header; absent if it was not sent. */
    public Optional<String> header(CharSequence name) {
        return Optional.ofNullable(headers.get(name));
    }
}
