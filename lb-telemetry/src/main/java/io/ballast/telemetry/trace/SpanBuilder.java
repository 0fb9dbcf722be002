package io.ballast.telemetry.trace;

import io.ballast.http.relay.Failure;
import io.ballast.http.trace.FinishedTrace;
import io.ballast.http.trace.FinishedTrace.FinishedAttempt;
import io.ballast.http.trace.TraceText;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts recorded requests into spans: one of the kind SERVER for the request, and one of the kind CLIENT for each
 * attempt to get a response from a backend. Immutable.
 */
final class SpanBuilder {

    private static final String OTHER_METHOD = "_OTHER";
    private static final String OK = "ok";
    /** The methods that may be the value of the method attribute. Other methods are stored in another attribute. */
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY");

    private static final int FIRST_CLIENT_ERROR = 400;
    private static final int FIRST_SERVER_ERROR = 500;

    private final Resource resource;

    SpanBuilder(Resource resource) {
        this.resource = resource;
    }

    /**
     * Appends the spans of a request.
     *
     * @param clockOffset the difference between the time since 1970 and {@link System#nanoTime}, in nanoseconds
     */
    void append(FinishedTrace trace, long clockOffset, List<SpanData> target) {
        String traceId = TraceId.fromLongs(trace.idHigh(), trace.idLow());
        TraceState state = state(trace.text(TraceText.STATE));
        SpanContext server = context(traceId, trace.spanId(), state);
        SpanContext parent = trace.parentId() == 0
                ? SpanContext.getInvalid()
                : SpanContext.createFromRemoteParent(
                        traceId, SpanId.fromLong(trace.parentId()), TraceFlags.getSampled(), state);
        String method = method(trace.text(TraceText.METHOD));
        target.add(server(trace, server, parent, method, clockOffset));
        for (FinishedAttempt attempt : trace.attempts()) {
            target.add(attempt(attempt, context(traceId, attempt.spanId(), state), server, method, clockOffset));
        }
    }

    private static SpanContext context(String traceId, long spanId, TraceState state) {
        return SpanContext.create(traceId, SpanId.fromLong(spanId), TraceFlags.getSampled(), state);
    }

    private static TraceState state(String members) {
        if (members.isEmpty()) {
            return TraceState.getDefault();
        }
        List<String> all = Arrays.asList(members.split(","));
        Collections.reverse(all); // because the builder adds each member before the earlier members
        TraceStateBuilder state = TraceState.builder();
        for (String member : all) {
            int equals = member.indexOf('=');
            state.put(member.substring(0, equals), member.substring(equals + 1));
        }
        return state.build();
    }

    private static String method(String sent) {
        return METHODS.contains(sent) ? sent : OTHER_METHOD;
    }

    private SpanData server(
            FinishedTrace trace, SpanContext context, SpanContext parent, String method, long clockOffset) {
        String route = trace.text(TraceText.ROUTE);
        int blank = route.indexOf(' ');
        String listener = blank < 0 ? route : route.substring(0, blank);
        String condition = blank < 0 ? "" : route.substring(blank + 1);
        String verb = method.equals(OTHER_METHOD) ? "HTTP" : method;
        return new RecordedSpan(
                condition.isEmpty() ? verb : verb + " " + condition,
                SpanKind.SERVER,
                context,
                parent,
                serverStatus(trace),
                trace.startNanos() + clockOffset,
                trace.endNanos() + clockOffset,
                serverAttributes(trace, method, listener, condition),
                links(trace),
                resource);
    }

    private static List<LinkData> links(FinishedTrace trace) {
        if (trace.linkedSpan() == 0) {
            return List.of();
        }
        return List.of(LinkData.create(SpanContext.createFromRemoteParent(
                TraceId.fromLongs(trace.linkedHigh(), trace.linkedLow()),
                SpanId.fromLong(trace.linkedSpan()),
                TraceFlags.getDefault(),
                TraceState.getDefault())));
    }

    private static StatusData serverStatus(FinishedTrace trace) {
        return isError(trace) ? StatusData.error() : StatusData.unset();
    }

    private static boolean isError(FinishedTrace trace) {
        Failure failure = trace.failure();
        return trace.status() >= FIRST_SERVER_ERROR || (failure != null && failure.isError());
    }

    private static Attributes serverAttributes(FinishedTrace trace, String method, String listener, String route) {
        AttributesBuilder all = Attributes.builder();
        all.put(SpanAttributes.METHOD, method);
        if (method.equals(OTHER_METHOD)) {
            putIfPresent(all, SpanAttributes.ORIGINAL_METHOD, trace.text(TraceText.METHOD));
        }
        String path = trace.text(TraceText.PATH);
        all.put(SpanAttributes.PATH, path.isEmpty() ? "/" : path);
        putIfPresent(all, SpanAttributes.QUERY, trace.text(TraceText.QUERY));
        all.put(SpanAttributes.SCHEME, trace.secure() ? "https" : "http");
        putServer(all, trace.text(TraceText.HOST));
        putIfPresent(all, SpanAttributes.ROUTE, route);
        putIfPresent(all, SpanAttributes.CLIENT_ADDRESS, trace.text(TraceText.CLIENT));
        putIfPresent(all, SpanAttributes.USER_AGENT, trace.text(TraceText.USER_AGENT));
        all.put(SpanAttributes.PROTOCOL, "http");
        all.put(SpanAttributes.VERSION, trace.version());
        putIfPresent(all, SpanAttributes.LISTENER, listener);
        putIfPresent(all, SpanAttributes.POLICY, trace.text(TraceText.POLICY));
        putIfPresent(all, SpanAttributes.REQUEST_ID, trace.text(TraceText.REQUEST_ID));
        if (trace.attemptCount() > 0) {
            all.put(SpanAttributes.ATTEMPTS, (long) trace.attemptCount());
        }
        if (trace.tunnel()) {
            all.put(SpanAttributes.TUNNEL, true);
        }
        Failure failure = trace.failure();
        all.put(SpanAttributes.END, failure == null ? OK : failure.label());
        putOutcome(all, trace.status(), failure, isError(trace));
        return all.build();
    }

    private SpanData attempt(
            FinishedAttempt attempt, SpanContext context, SpanContext parent, String method, long clockOffset) {
        boolean failed = attempt.failure() != null || attempt.status() >= FIRST_CLIENT_ERROR;
        AttributesBuilder all = Attributes.builder();
        all.put(SpanAttributes.METHOD, method);
        putServer(all, attempt.backend());
        if (attempt.number() > 0) {
            all.put(SpanAttributes.RESENDS, (long) attempt.number());
        }
        putOutcome(all, attempt.status(), attempt.failure(), failed);
        return new RecordedSpan(
                method.equals(OTHER_METHOD) ? "HTTP" : method,
                SpanKind.CLIENT,
                context,
                parent,
                failed ? StatusData.error() : StatusData.unset(),
                attempt.startNanos() + clockOffset,
                attempt.endNanos() + clockOffset,
                all.build(),
                List.of(),
                resource);
    }

    private static void putOutcome(AttributesBuilder all, int status, @Nullable Failure failure, boolean isError) {
        if (status != 0) {
            all.put(SpanAttributes.STATUS, (long) status);
        }
        if (isError) {
            all.put(SpanAttributes.ERROR, failure == null ? Integer.toString(status) : failure.label());
        }
    }

    /** Puts the host and the port of an address; uses the path of a Unix socket as a host without a port. */
    private static void putServer(AttributesBuilder all, String authority) {
        int colon = authority.lastIndexOf(':');
        boolean hasPort = colon > 0
                && colon > authority.indexOf(']')
                && authority.substring(colon + 1).matches("[0-9]{1,5}");
        String host = hasPort ? authority.substring(0, colon) : authority;
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        putIfPresent(all, SpanAttributes.SERVER_ADDRESS, bracketed ? host.substring(1, host.length() - 1) : host);
        if (hasPort) {
            all.put(SpanAttributes.SERVER_PORT, Long.parseLong(authority.substring(colon + 1)));
        }
    }

    private static void putIfPresent(AttributesBuilder all, AttributeKey<String> key, String value) {
        if (!value.isEmpty()) {
            all.put(key, value);
        }
    }
}
