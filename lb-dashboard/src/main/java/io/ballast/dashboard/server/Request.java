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
 * @param method its method
 * @param path its decoded path, without the query
 * @param parameters what the route's template found in the path, decoded
 * @param query decoded query parameters
 * @param headers its headers
 * @param body its whole body, not to be written to
 * @param peer the connection that it came on
 * @param caller who sent it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Request(
        HttpMethod method,
        String path,
        Map<String, String> parameters,
        Map<String, List<String>> query,
        HttpHeaders headers,
        byte[] body,
        Peer peer,
        Caller caller) {

    /** Reads a request target in origin form; throws {@link Problem} 400 for anything else. */
    static Request of(HttpMethod method, String target, HttpHeaders headers, byte[] body, Peer peer) {
        if (!target.startsWith("/")) {
            throw Problem.badRequest("the request target must start with /");
        }
        try {
            QueryStringDecoder decoder = new QueryStringDecoder(target);
            return new Request(
                    method, decoder.rawPath(), Map.of(), decoder.parameters(), headers, body, peer, Caller.UNKNOWN);
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest("the request target is not well encoded");
        }
    }

    Request with(Map<String, String> found) {
        return new Request(method, path, found, query, headers, body, peer, caller);
    }

    /** The same with one more parameter of its route, or another value of it. */
    public Request with(String name, String value) {
        Map<String, String> more = new HashMap<>(parameters);
        more.put(name, value);
        return with(more);
    }

    /** The same, when it is known who sent it. */
    Request by(Caller known) {
        return new Request(method, path, parameters, query, headers, body, peer, known);
    }

    /** A parameter of the route's template, which always has a value. */
    public String parameter(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "parameter: " + name + " (expected: one of " + parameters.keySet() + ")");
        }
        return value;
    }

    /** Whether the answer may come compressed. */
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

    /** The value of a header, absent when it was not sent. */
    public Optional<String> header(CharSequence name) {
        return Optional.ofNullable(headers.get(name));
    }
}
