package io.ballast.cli.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request to the API of the dashboard: a method, a path and query parameters. Not thread-safe. */
public final class ApiRequest {

    /** Time limit of a request, unless {@link #timeout(Duration)} sets another one. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final String method;
    private final StringBuilder target = new StringBuilder("/api/v1");
    private char separator = '?';
    private Duration timeout = TIMEOUT;
    private byte[] body = {};

    private ApiRequest(String method, String... segments) {
        this.method = method;
        for (String segment : segments) {
            target.append('/').append(encode(segment));
        }
    }

    /** @param segments the unencoded segments of the path below {@code /api/v1} */
    public static ApiRequest get(String... segments) {
        return new ApiRequest("GET", segments);
    }

    /** @param segments the unencoded segments of the path below {@code /api/v1} */
    public static ApiRequest post(String... segments) {
        return new ApiRequest("POST", segments);
    }

    /** @param segments the unencoded segments of the path below {@code /api/v1} */
    public static ApiRequest put(String... segments) {
        return new ApiRequest("PUT", segments);
    }

    /** @param segments the unencoded segments of the path below {@code /api/v1} */
    public static ApiRequest delete(String... segments) {
        return new ApiRequest("DELETE", segments);
    }

    /** Adds a query parameter, unless its value is null. */
    public ApiRequest with(String name, @Nullable Object value) {
        if (value != null) {
            target.append(separator).append(name).append('=').append(encode(value.toString()));
            separator = '&';
        }
        return this;
    }

    /** Adds a query parameter with the value {@code true} if {@code value} is true. */
    public ApiRequest withFlag(String name, boolean value) {
        return with(name, value ? true : null);
    }

    /** Adds the name of the user who runs the command, which the balancer records with a change. */
    public ApiRequest withUser() {
        return with("who", System.getProperty("user.name", "lb"));
    }

    public ApiRequest timeout(Duration limit) {
        this.timeout = limit;
        return this;
    }

    /** Sets a body of JSON. */
    public ApiRequest json(String text) {
        body = text.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    /** The body; empty if there is none. */
    byte[] body() {
        return body;
    }

    String method() {
        return method;
    }

    /** The path with the query. */
    String target() {
        return target.toString();
    }

    Duration timeout() {
        return timeout;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
