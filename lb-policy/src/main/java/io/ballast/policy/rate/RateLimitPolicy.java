package io.ballast.policy.rate;

import io.ballast.core.hash.SipHash24;
import io.ballast.core.net.CidrSet;
import io.ballast.http.policy.KeyUsage;
import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.policy.config.RequestRateConfig;
import io.ballast.policy.config.RequestRateConfig.OnFull;
import io.ballast.policy.key.RefusedKeys;
import io.ballast.policy.key.RequestCounterKey;
import io.ballast.policy.share.LimitExchange;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests with 429 and {@code Retry-After} while their key exceeds a rate. Thread safety: one object serves
 * all event loops without locks.
 */
public final class RateLimitPolicy implements Policy {

    /** The maximum number of requests that wait for one policy; further requests do not wait. */
    static final int MAX_DELAYED = 10_000;

    private static final Refusal LIMITED = new Refusal(429, "rate_limited", "the request rate exceeds the limit");
    private static final Refusal BANNED = new Refusal(429, "banned", "too many requests after refusals");
    private static final Refusal NO_KEY = new Refusal(429, "no_limit_key", "the request lacks the key of a rate limit");

    private final LongSupplier nanoTime;
    private final Phase phase;
    private final RequestCounterKey key;
    private final CidrSet exempt;
    private final boolean hasExempt;
    private final RequestRateTable table;
    /** The table of a limit that nodes of a cluster share; it contains {@link #table}. */
    private final @Nullable SharedRateTable shared;

    private final LimitExchange exchange;
    private final @Nullable Bans bans;
    private final Set<Integer> countedStatuses;
    private final long maxDelayNanos;
    private final AtomicInteger delayed = new AtomicInteger();
    private final @Nullable RateHeaders headers;
    private final List<String> headerNames;
    private final RefusedKeys refusedKeys;
    private final RateUsage usage;

    /**
     * Creates a limit without counted requests.
     *
     * @param config the settings
     * @param hash a hash function with a random key
     * @param nanoTime the monotonic clock; see {@link System#nanoTime}. The clocks of event loops are less exact: a
     *     difference between them would refuse the last request of a burst
     */
    public RateLimitPolicy(RequestRateConfig config, SipHash24 hash, LongSupplier nanoTime) {
        this(config, hash, nanoTime, /* shared= */ null, LimitExchange.NONE);
    }

    /**
     * Creates a limit that the nodes of a cluster share, and registers it with {@code exchange}.
     *
     * @param name the name of the policy, which is the same on all nodes
     */
    public static RateLimitPolicy shared(
            String name, RequestRateConfig config, LimitExchange exchange, LongSupplier nanoTime) {
        String identity = LimitIdentity.of(name, config);
        SharedRateTable table =
                new SharedRateTable(identity, config.rates(), config.keys(), config.onFull() == OnFull.ALLOW, nanoTime);
        RateLimitPolicy policy = new RateLimitPolicy(config, exchange.hash(identity), nanoTime, table, exchange);
        exchange.join(table);
        return policy;
    }

    private RateLimitPolicy(
            RequestRateConfig config,
            SipHash24 hash,
            LongSupplier nanoTime,
            @Nullable SharedRateTable shared,
            LimitExchange exchange) {
        this.shared = shared;
        this.exchange = exchange;
        this.nanoTime = nanoTime;
        long now = nanoTime.getAsLong();
        boolean needsIdentity = RequestCounterKey.needsIdentity(config.key());
        this.phase = needsIdentity ? Phase.IDENTITY_LIMIT : Phase.CLIENT_LIMIT;
        this.key = new RequestCounterKey(config.key(), config.missing(), config.ipv6PrefixBits(), hash);
        this.exempt = CidrSet.of(config.exempt());
        this.hasExempt = !config.exempt().isEmpty();
        List<RateWindow> windows = config.rates().stream().map(RateWindow::of).toList();
        this.table = shared == null
                ? new RequestRateTable(windows, config.keys(), config.onFull() == OnFull.ALLOW, now)
                : shared.table();
        this.bans = config.ban().map(ban -> new Bans(ban, config.keys(), now)).orElse(null);
        this.countedStatuses = config.countedStatuses();
        this.maxDelayNanos = config.delay().toNanos();
        this.headerNames = RateHeaders.names(config.headers());
        this.headers = headerNames.isEmpty()
                ? null
                : new RateHeaders(config.headers(), config.rates(), windows.toArray(RateWindow[]::new));
        this.refusedKeys = new RefusedKeys(key);
        this.usage = new RateUsage(windows.toArray(RateWindow[]::new), table, shared, bans);
    }

    @Override
    public Phase phase() {
        return phase;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        byte[] client = exchange.client();
        exchange.setMark(step, RequestCounterKey.SKIPPED);
        if (hasExempt && client.length > 0 && exempt.contains(client)) {
            return PolicyDecision.PASS;
        }
        long counter = key.of(exchange);
        if (counter == RequestCounterKey.SKIPPED) {
            return PolicyDecision.PASS;
        }
        if (counter == RequestCounterKey.REFUSED) {
            return NO_KEY;
        }
        return decide(exchange, step, counter, nanoTime.getAsLong());
    }

    private PolicyDecision decide(PolicyExchange exchange, int step, long counter, long now) {
        if (bans != null) {
            long remaining = bans.remaining(counter, now);
            if (remaining > 0) {
                RetryAfter.append(exchange, remaining);
                refusedKeys.refused(exchange, counter, now);
                return BANNED;
            }
        }
        long mayWait = delayed.get() < MAX_DELAYED ? maxDelayNanos : 0;
        long wait = shared == null ? table.charge(counter, now, mayWait) : shared.charge(counter, now, mayWait);
        if (headers != null) {
            double cost = shared == null ? 1 : shared.cost(counter, now);
            headers.append(table, counter, now, cost, exchange.responseLines());
        }
        if (wait <= mayWait) {
            exchange.setMark(step, counter); // records that the request was charged
            return wait == RequestRateTable.CONFORMS || exchange.isDryRun(step)
                    ? PolicyDecision.PASS
                    : delay(exchange, wait);
        }
        if (bans != null && table.contains(counter)) { // a full table is not the fault of this key
            bans.refused(counter, now);
        }
        RetryAfter.append(exchange, wait);
        refusedKeys.refused(exchange, counter, now);
        return LIMITED;
    }

    private PolicyDecision delay(PolicyExchange exchange, long nanos) {
        delayed.incrementAndGet();
        PendingDecision later = exchange.after(nanos, PolicyDecision.PASS);
        later.decision().whenComplete((result, failure) -> delayed.decrementAndGet());
        return later;
    }

    private boolean countsResponses() {
        return !countedStatuses.isEmpty();
    }

    @Override
    public boolean observesEnd() {
        return countsResponses();
    }

    /**
     * Refunds a request if its response does not count. Each request is charged when it begins, so that parallel
     * requests cannot exceed the limit before the first response.
     */
    @Override
    public void ended(PolicyExchange exchange, int step, int status) {
        long counter = exchange.mark(step);
        if (counter != RequestCounterKey.SKIPPED && !countedStatuses.contains(status)) {
            if (shared == null) {
                table.refund(counter);
            } else {
                shared.refund(counter);
            }
        }
    }

    @Override
    public List<KeyUsage> heaviestKeys(int max) {
        return usage.heaviest(refusedKeys, max, nanoTime.getAsLong());
    }

    @Override
    public Map<String, Long> state() {
        return shared == null ? Map.of() : shared.state();
    }

    @Override
    public void close() {
        if (shared != null) {
            exchange.leave(shared);
        }
    }

    @Override
    public List<String> responseHeaders() {
        return headerNames;
    }
}
