package io.ballast.policy.tracing;

import io.ballast.core.net.CidrSet;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.trace.RequestTrace;
import io.ballast.http.trace.TraceParent;
import io.ballast.http.trace.TraceSink;
import io.ballast.http.trace.TraceState;
import io.ballast.http.trace.TraceText;
import io.ballast.policy.config.TracingConfig;
import io.ballast.policy.identity.SingleHeader;
import java.util.List;

/**
 * Continues the traces of trusted clients, and begins a trace for every other request. A valid {@code traceparent} of
 * another client becomes a link of the new trace, and its flag has no effect. An invalid or repeated header is ignored.
 * Immutable. Cost: one pass over the names of the header lines for each header; allocates nothing.
 */
public final class TracingPolicy implements Policy {

    private static final String PARENT = "traceparent";
    private static final String STATE = "tracestate";
    private static final byte[] STATE_NAME = ByteClasses.ascii(STATE);
    private static final byte[] USER_AGENT = ByteClasses.ascii("user-agent");

    private final SingleHeader parentHeader = new SingleHeader(PARENT);
    private final TracingConfig config;
    private final CidrSet trusted;
    /** Trace ids whose lower 63 bits are below this bound are recorded; see {@link #isInShare}. */
    private final long bound;

    private final TraceSink sink;

    public TracingPolicy(TracingConfig config, TraceSink sink) {
        this.config = config;
        this.trusted = CidrSet.of(config.trusted());
        this.bound = (long) (config.sampleMillionths() / (double) TracingConfig.ALL * Long.MAX_VALUE);
        this.sink = sink;
    }

    @Override
    public Phase phase() {
        return Phase.TRACING;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        if (!exchange.isDryRun(step)) {
            trace(exchange);
        }
        return PolicyDecision.PASS;
    }

    private void trace(PolicyExchange exchange) {
        RequestTrace trace = exchange.trace();
        RoutedRequest request = exchange.request();
        byte[] bytes = request.bytes();
        int line = parentHeader.line(request);
        int from = line == SingleHeader.NONE ? 0 : request.headerStart(line);
        boolean valid = line != SingleHeader.NONE && TraceParent.isValid(bytes, from, request.headerEnd(line));
        boolean continues = valid && isTrusted(exchange.client());
        if (continues) {
            trace.continueFrom(bytes, from, exchange.now());
            copyState(request, trace.state());
        } else {
            trace.begin(exchange.now());
        }
        boolean honorsFlag = continues && config.honorsSampled();
        if (honorsFlag ? TraceParent.isSampled(bytes, from) : isInShare(trace.idLow())) {
            trace.sample(sink);
            if (trace.isRecorded()) {
                record(exchange, request, trace);
                if (valid && !continues) {
                    trace.link(bytes, from);
                }
            }
        }
    }

    /** A client at a Unix socket has no address, so that only {@code trust: true} trusts it. */
    private boolean isTrusted(byte[] client) {
        return config.trustsAll() || (client.length > 0 && trusted.contains(client));
    }

    /**
     * Decides by the lower 63 bits of the trace id, like the sampler TraceIdRatioBased of OpenTelemetry, so that all
     * processes with the same share record the same traces.
     */
    private boolean isInShare(long idLow) {
        return config.sampleMillionths() == TracingConfig.ALL || (idLow & Long.MAX_VALUE) < bound;
    }

    private static void copyState(RoutedRequest request, TraceState state) {
        int line = request.headerLine(STATE_NAME, 0);
        while (line >= 0 && state.add(request.bytes(), request.headerStart(line), request.headerEnd(line))) {
            line = request.headerLine(STATE_NAME, line + 1);
        }
    }

    private void record(PolicyExchange exchange, RoutedRequest request, RequestTrace trace) {
        byte[] bytes = request.bytes();
        trace.text(TraceText.METHOD, bytes, request.methodStart(), request.methodEnd());
        int query = request.pathStart();
        while (query < request.pathEnd() && bytes[query] != '?') {
            query++;
        }
        trace.text(TraceText.PATH, bytes, request.pathStart(), query);
        if (config.recordsQuery() && query < request.pathEnd()) {
            trace.text(TraceText.QUERY, bytes, query + 1, request.pathEnd());
        }
        trace.text(TraceText.HOST, bytes, request.hostStart(), request.authorityEnd());
        byte[] route = exchange.route();
        trace.text(TraceText.ROUTE, route, 0, route.length);
        int agent = request.headerLine(USER_AGENT, 0);
        if (agent >= 0) {
            trace.text(TraceText.USER_AGENT, bytes, request.headerStart(agent), request.headerEnd(agent));
        }
    }

    @Override
    public boolean removesHeadersInDryRun() {
        return false;
    }

    @Override
    public List<String> requestHeaders() {
        return List.of(PARENT, STATE);
    }
}
