package io.ballast.policy.breaker;

import io.ballast.core.config.CircuitBreakerConfig;
import io.ballast.core.config.MaintenancePage;
import io.ballast.http.policy.DirectResponse;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.policy.config.CircuitBreakerRule;
import io.ballast.policy.work.PolicyEvents;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The circuit breaker of a pool. While it is open, requests go to the fallback pool, or are answered with the
 * maintenance page, or with 503 if none is configured. Responses of backends with a status from 500 count as failures,
 * and so does a pool without a usable backend. Thread safety: one object serves all event loops without locks.
 */
public final class CircuitBreakerPolicy implements Policy {

    private static final String REASON = "circuit_open";
    private static final Refusal OPEN = new Refusal(503, REASON, "the service is temporarily unavailable");
    private static final int FIRST_FAILURE_STATUS = 500;

    private final CircuitBreaker breaker;
    private final PolicyDecision answer;
    private final boolean hasFallback;
    private final long retryAfterSeconds;
    private final long slowNanos;

    /**
     * Creates a closed circuit breaker.
     *
     * @param events receives each change of the state
     * @param now the current time; see {@link System#nanoTime}
     */
    public CircuitBreakerPolicy(CircuitBreakerRule rule, PolicyEvents events, long now) {
        CircuitBreakerConfig config = rule.breaker();
        this.breaker = new CircuitBreaker(
                config, now, change -> events.changed(rule.pool(), change.isProblem(), change.text()));
        this.answer = config.page()
                .<PolicyDecision>map(CircuitBreakerPolicy::response)
                .orElse(OPEN);
        this.hasFallback = config.fallback().isPresent();
        this.retryAfterSeconds = config.page()
                .flatMap(MaintenancePage::retryAfter)
                .map(time -> Math.max(1, time.toSeconds()))
                .orElse(0L);
        this.slowNanos = config.slow().map(slow -> slow.time().toNanos()).orElse(Long.MAX_VALUE);
    }

    private static DirectResponse response(MaintenancePage page) {
        return new DirectResponse(
                page.status(), REASON, page.contentType(), page.body().bytes());
    }

    @Override
    public Phase phase() {
        return Phase.CONCURRENCY;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        long generation = breaker.tryPass(exchange.now());
        exchange.setMark(step, generation);
        if (generation != CircuitBreaker.REFUSED) {
            return PolicyDecision.PASS;
        }
        if (hasFallback) {
            exchange.useFallback();
            return PolicyDecision.PASS;
        }
        exchange.responseLines().appendAscii("Retry-After: ");
        exchange.responseLines().appendDecimal(retryAfterSeconds == 0 ? remainingSeconds(exchange) : retryAfterSeconds);
        exchange.responseLines().appendAscii("\r\n");
        return answer;
    }

    private long remainingSeconds(PolicyExchange exchange) {
        long nanos = breaker.remaining(exchange.now());
        return nanos <= 0 ? 1 : (nanos - 1) / TimeUnit.SECONDS.toNanos(1) + 1;
    }

    @Override
    public boolean observesEnd() {
        return true;
    }

    @Override
    public void ended(PolicyExchange exchange, int step, int status) {
        long generation = exchange.mark(step);
        if (generation != CircuitBreaker.REFUSED) {
            breaker.ended(generation, outcome(exchange, status), exchange.now());
        }
    }

    private RequestOutcome outcome(PolicyExchange exchange, int status) {
        if (exchange.isBackendFailure()) {
            return RequestOutcome.FAILURE;
        }
        long latency = exchange.firstByteNanos();
        if (latency == PolicyExchange.NO_RESPONSE) {
            return RequestOutcome.UNKNOWN;
        }
        if (status >= FIRST_FAILURE_STATUS) {
            return RequestOutcome.FAILURE;
        }
        return latency >= slowNanos ? RequestOutcome.SLOW : RequestOutcome.SUCCESS;
    }

    @Override
    public Map<String, Long> state() {
        return Map.of("open", isClosed() ? 0L : 1L);
    }

    /** Whether all requests pass. */
    public boolean isClosed() {
        return breaker.isClosed();
    }
}
