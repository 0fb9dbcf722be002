package io.ballast.policy.concurrency;

import io.ballast.core.config.PoolConcurrency;
import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limits the concurrent requests of a pool. A request above the limit waits if the queue has a place, otherwise it is
 * refused with 503. Thread safety: one object serves all event loops without locks.
 */
public final class PoolConcurrencyPolicy implements Policy {

    /** All requests have the same key. */
    private static final long KEY = 1;
    /** The mark of a request that is not counted. */
    private static final long NOT_COUNTED = 0;
    /** If the response takes longer than this after its head, it is a stream, and its latency is too old to be a sample. */
    private static final long MAX_SAMPLE_AGE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Refusal OVERLOADED =
            new Refusal(503, "concurrency_limited", "the service is at its limit of concurrent requests");
    private static final Continuation REFUSAL = (exchange, step) -> ConcurrencyGate.refuse(exchange, OVERLOADED);

    private final @Nullable AdaptiveLimit adaptive;
    private final PoolPermits permits;
    private final ConcurrencyGate gate;
    private final long maxSampleAgeNanos;

    /**
     * Creates a limit without requests in flight.
     *
     * @param now the current time; see {@link System#nanoTime}
     */
    public PoolConcurrencyPolicy(PoolConcurrency config, long now) {
        this.adaptive = config.adaptive() ? new AdaptiveLimit(config.min(), config.max(), now) : null;
        this.permits = new PoolPermits(config.max(), adaptive);
        this.gate = new ConcurrencyGate(permits, config.queue(), config.queue().requests());
        boolean queues = config.queue().requests() > 0;
        this.maxSampleAgeNanos =
                MAX_SAMPLE_AGE_NANOS + (queues ? config.queue().time().toNanos() : 0);
    }

    @Override
    public Phase phase() {
        return Phase.CONCURRENCY;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        if (exchange.usesFallback()) {
            exchange.setMark(step, NOT_COUNTED); // the fallback pool gets the request
            return PolicyDecision.PASS;
        }
        long now = exchange.now();
        exchange.setMark(step, now == NOT_COUNTED ? 1 : now);
        return gate.tryAdmit(KEY) ? PolicyDecision.PASS : gate.queue(exchange, step, KEY, REFUSAL);
    }

    @Override
    public boolean observesEnd() {
        return true;
    }

    @Override
    public void ended(PolicyExchange exchange, int step, int status) {
        long began = exchange.mark(step);
        if (began == NOT_COUNTED) {
            return;
        }
        if (adaptive != null) {
            measure(adaptive, exchange, exchange.now() - began, status);
        }
        gate.release(KEY);
    }

    private void measure(AdaptiveLimit limit, PolicyExchange exchange, long nanos, int status) {
        if (exchange.isBackendFailure() || isOverload(status)) {
            limit.failed(exchange.now());
        } else if (isSample(exchange.firstByteNanos(), nanos, exchange.isTunnel())) {
            limit.succeeded(exchange.firstByteNanos(), exchange.now());
        }
    }

    /**
     * Whether the latency of a request counts.
     *
     * @param firstByteNanos the latency; {@link PolicyExchange#NO_RESPONSE} for none
     * @param nanos the duration of the request, including its wait for a permit
     */
    boolean isSample(long firstByteNanos, long nanos, boolean isTunnel) {
        return firstByteNanos != PolicyExchange.NO_RESPONSE && !isTunnel && nanos - firstByteNanos <= maxSampleAgeNanos;
    }

    /** Whether a status shows that the backend is overloaded, or that a server behind it did not respond in time. */
    private static boolean isOverload(int status) {
        return status == 503 || status == 504;
    }

    @Override
    public Map<String, Long> state() {
        Map<String, Long> values = new LinkedHashMap<>();
        values.put("limit", (long) limit());
        values.put("in_flight", (long) inFlight());
        values.put("waiting", (long) waiting());
        return values;
    }

    /** The current limit. */
    public int limit() {
        return permits.limit();
    }

    /** The number of requests in flight. */
    public int inFlight() {
        return permits.inFlight();
    }

    /** The number of waiting requests. */
    int waiting() {
        return gate.waiting();
    }
}
