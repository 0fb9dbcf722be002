package io.ballast.policy.concurrency;

import io.ballast.core.hash.SipHash24;
import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.KeyUsage;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.policy.config.ConcurrencyConfig;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.LimitKey.Source;
import io.ballast.policy.config.RequestRateConfig.OnFull;
import io.ballast.policy.key.HeaviestKeys;
import io.ballast.policy.key.KeyId;
import io.ballast.policy.key.RefusedKeys;
import io.ballast.policy.key.RequestCounterKey;
import io.ballast.policy.table.TopKeys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Limits the concurrent requests of each key. A request above the limit waits if the queue has a place, otherwise it is
 * refused: with 429 (RFC 6585 section 4) if the key belongs to the client, such as its address, and with 503 if all
 * clients share it, such as the host. Thread safety: one object serves all event loops without locks.
 */
public final class ConcurrencyPolicy implements Policy {

    private static final Set<Source> SHARED = Set.of(Source.ROUTE, Source.HOST, Source.PATH);
    private static final String DETAIL = "too many requests at the same time";
    private static final Refusal CLIENT_LIMITED = new Refusal(429, "concurrency_limited", DETAIL);
    private static final Refusal OVERLOADED = new Refusal(503, "concurrency_limited", DETAIL);
    private static final Refusal NO_KEY = new Refusal(429, "no_limit_key", "the request lacks the key of a limit");

    /** A key may occupy at most this fraction of the queue. */
    private static final int QUEUE_SHARES = 4;

    private final RequestCounterKey key;
    private final KeyedPermits permits;
    private final ConcurrencyGate gate;
    private final boolean allowsWhenFull;
    private final Refusal refusal;
    /** Refuses a request of the queue, whose mark is its key. */
    private final Continuation queueRefusal = (exchange, step) -> refuse(exchange, exchange.mark(step));

    private final RefusedKeys refusedKeys;
    private final LongSupplier nanoTime;

    /**
     * Creates a limit without requests in flight.
     *
     * @param hash a hash function with a random key
     * @param nanoTime the monotonic clock; see {@link System#nanoTime}
     */
    public ConcurrencyPolicy(ConcurrencyConfig config, SipHash24 hash, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.key = new RequestCounterKey(config.key(), config.missing(), config.ipv6PrefixBits(), hash);
        this.refusedKeys = new RefusedKeys(key);
        this.permits = new KeyedPermits(config.limit(), config.keys());
        this.gate = new ConcurrencyGate(
                permits, config.queue(), Math.max(1, config.queue().requests() / QUEUE_SHARES));
        this.allowsWhenFull = config.onFull() == OnFull.ALLOW;
        boolean isShared = config.key().stream().map(LimitKey::source).allMatch(SHARED::contains);
        this.refusal = isShared ? OVERLOADED : CLIENT_LIMITED;
    }

    @Override
    public Phase phase() {
        return Phase.CONCURRENCY;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        long counter = key.of(exchange);
        exchange.setMark(step, RequestCounterKey.SKIPPED);
        if (counter == RequestCounterKey.SKIPPED) {
            return PolicyDecision.PASS;
        }
        if (counter == RequestCounterKey.REFUSED) {
            return NO_KEY;
        }
        if (gate.tryAdmit(counter)) {
            exchange.setMark(step, counter);
            return PolicyDecision.PASS;
        }
        boolean isFull = permits.isFullFor(counter);
        if (isFull && allowsWhenFull) {
            return PolicyDecision.PASS;
        }
        if (isFull || exchange.isDryRun(step)) {
            return refuse(exchange, counter);
        }
        exchange.setMark(step, counter); // used if the queue admits the request later, or refuses it
        return gate.queue(exchange, step, counter, queueRefusal);
    }

    private PolicyDecision refuse(PolicyExchange exchange, long counter) {
        refusedKeys.refused(exchange, counter, nanoTime.getAsLong());
        return ConcurrencyGate.refuse(exchange, refusal);
    }

    @Override
    public boolean observesEnd() {
        return true;
    }

    @Override
    public void ended(PolicyExchange exchange, int step, int status) {
        long counter = exchange.mark(step);
        if (counter != RequestCounterKey.SKIPPED) {
            gate.release(counter);
        }
    }

    @Override
    public List<KeyUsage> heaviestKeys(int max) {
        TopKeys busiest = new TopKeys(max);
        permits.findBusiest(busiest);
        return HeaviestKeys.rank(
                refusedKeys.recent(nanoTime.getAsLong()),
                busiest.keys(),
                KeyedPermits.KEY,
                (hash, text, refused) -> new KeyUsage(
                        text, KeyId.of(hash), refused, permits.inFlight(hash), permits.limit(), /* banNanos= */ 0),
                max);
    }

    @Override
    public Map<String, Long> state() {
        Map<String, Long> values = new LinkedHashMap<>();
        values.put("keys", (long) keys());
        values.put("waiting", (long) waiting());
        return values;
    }

    /** The number of keys with requests in flight. */
    int keys() {
        return permits.size();
    }

    /** The number of waiting requests. */
    int waiting() {
        return gate.waiting();
    }
}
