package io.ballast.dashboard.server;

import io.ballast.dashboard.json.JsonWriter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A request that cannot be answered as asked, sent as a problem document
 * (<a href="https://datatracker.ietf.org/doc/html/rfc9457">RFC 9457</a>). Stackless: it is an answer, not a defect.
 */
public final class Problem extends RuntimeException {

    private final HttpResponseStatus status;
    private final Map<CharSequence, String> headers;

    private Problem(HttpResponseStatus status, String detail, Map<CharSequence, String> headers) {
        super(detail, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.status = status;
        this.headers = headers;
    }

    public static Problem of(HttpResponseStatus status, String detail) {
        return new Problem(status, detail, Map.of());
    }

    /** One that time mends. */
    public static Problem retryLater(HttpResponseStatus status, String detail, Duration wait) {
        long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return new Problem(status, detail, Map.of(HttpHeaderNames.RETRY_AFTER, Long.toString(seconds)));
    }

    /** Whoever asks has to say who he is first. */
    public static Problem unauthorized(String detail) {
        return new Problem(
                HttpResponseStatus.UNAUTHORIZED,
                detail,
                Map.of(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"ballast\""));
    }

    /** Something went wrong here that the log tells about. */
    public static Problem internal() {
        return of(HttpResponseStatus.INTERNAL_SERVER_ERROR, "the request could not be answered; see the log");
    }

    public static Problem badRequest(String detail) {
        return of(HttpResponseStatus.BAD_REQUEST, detail);
    }

    public static Problem notFound(String what) {
        return of(HttpResponseStatus.NOT_FOUND, what);
    }

    static Problem methodNotAllowed(Set<String> allowed) {
        String list = allowed.stream().sorted().collect(Collectors.joining(", "));
        return new Problem(
                HttpResponseStatus.METHOD_NOT_ALLOWED,
                "this resource allows " + list,
                Map.of(HttpHeaderNames.ALLOW, list));
    }

    /** The problem document. */
    public Reply.Full reply() {
        Reply.Full reply = Reply.of(
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
