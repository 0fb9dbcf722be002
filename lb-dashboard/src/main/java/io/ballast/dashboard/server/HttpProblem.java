package io.ballast.dashboard.server;

import io.ballast.dashboard.json.JsonWriter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An error response, sent as a problem document (<a href="https://datatracker.ietf.org/doc/html/rfc9457">RFC 9457</a>).
 * The exception has no stack trace, because it is a normal result of a request.
 */
public final class HttpProblem extends RuntimeException {

    private final HttpResponseStatus status;
    private final Map<CharSequence, String> headers;

    private HttpProblem(HttpResponseStatus status, String detail, Map<CharSequence, String> headers) {
        super(detail, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.status = status;
        this.headers = headers;
    }

    public static HttpProblem of(HttpResponseStatus status, String detail) {
        return new HttpProblem(status, detail, Map.of());
    }

    /** Returns a problem with a Retry-After header of {@code wait}, at least one second. */
    public static HttpProblem retryLater(HttpResponseStatus status, String detail, Duration wait) {
        long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return new HttpProblem(status, detail, Map.of(HttpHeaderNames.RETRY_AFTER, Long.toString(seconds)));
    }

    /** Returns a 401 that requests credentials. */
    public static HttpProblem unauthorized(String detail) {
        return new HttpProblem(
                HttpResponseStatus.UNAUTHORIZED,
                detail,
                Map.of(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"ballast\""));
    }

    /** Returns a problem with status 500 for an internal error, which is logged. */
    public static HttpProblem internal() {
        return of(HttpResponseStatus.INTERNAL_SERVER_ERROR, "the request failed with an internal error; see the log");
    }

    public static HttpProblem badRequest(String detail) {
        return of(HttpResponseStatus.BAD_REQUEST, detail);
    }

    public static HttpProblem notFound(String what) {
        return of(HttpResponseStatus.NOT_FOUND, what);
    }

    static HttpProblem methodNotAllowed(Set<String> allowed) {
        String list = allowed.stream().sorted().collect(Collectors.joining(", "));
        return new HttpProblem(
                HttpResponseStatus.METHOD_NOT_ALLOWED,
                "method not allowed; this resource allows " + list,
                Map.of(HttpHeaderNames.ALLOW, list));
    }

    /** Returns the problem document. */
    public AdminResponse.Complete reply() {
        AdminResponse.Complete reply = AdminResponse.of(
                status,
                "application/problem+json",
                JsonWriter.write(json -> json.object(() -> {
                    json.field("title", status.reasonPhrase());
                    json.field("status", status.code());
                    json.field("detail", String.valueOf(getMessage()));
                })));
        headers.forEach(reply::with);
        return reply;
    }
}
