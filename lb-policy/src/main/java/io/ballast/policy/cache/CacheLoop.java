package io.ballast.policy.cache;

import io.ballast.core.stats.Counters;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.cache.store.UrlKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of a cache on one event loop. Event-loop confined. */
final class CacheLoop {

    /** The mark of a request that the cache does not observe. */
    static final long NO_MARK = 0;

    private final UrlKeys keys;
    private final Counters.Shard<CacheOutcome> outcomes;
    private final ByteAppender keyText = new ByteAppender();
    private final UrlKey key = new UrlKey();
    private @Nullable RequestView view;

    /** The forwarded requests; the mark of a request is its index here, plus one. */
    private final List<@Nullable CacheExchange> exchanges = new ArrayList<>();

    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    CacheLoop(UrlKeys keys, Counters.Shard<CacheOutcome> outcomes) {
        this.keys = keys;
        this.outcomes = outcomes;
    }

    void count(CacheOutcome outcome) {
        outcomes.increment(outcome);
    }

    /** Returns the view of a request, valid during its evaluation. */
    RequestView view(PolicyExchange exchange) {
        RequestView known = view;
        if (known == null) {
            known = new RequestView(exchange);
            view = known;
            return known;
        }
        return known.of(exchange);
    }

    /** Returns the key of a request, valid until the next call. */
    UrlKey key(PolicyExchange exchange) {
        keys.set(exchange, keyText, key);
        return key;
    }

    /** Adds a forwarded request; returns its mark. */
    long add(CacheExchange exchange) {
        Integer index = free.poll();
        if (index == null) {
            exchanges.add(exchange);
            return exchanges.size();
        }
        exchanges.set(index, exchange);
        return index + 1L;
    }

    /** Returns the forwarded request with a mark; null for {@link #NO_MARK}. */
    @Nullable CacheExchange get(long mark) {
        return mark == NO_MARK ? null : exchanges.get((int) mark - 1);
    }

    /** Removes a forwarded request. */
    void remove(long mark) {
        int index = (int) mark - 1;
        exchanges.set(index, null);
        free.push(index);
    }
}
