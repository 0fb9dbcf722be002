package io.ballast.policy.rate;

import io.ballast.http.policy.KeyUsage;
import io.ballast.policy.key.HeaviestKeys;
import io.ballast.policy.key.KeyId;
import io.ballast.policy.key.RefusedKeys;
import io.ballast.policy.table.TopKeys;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the keys that use most of a rate limit. Thread safety: may be used by any thread, while others count requests.
 * Cost: reads the table, see {@link RequestRateTable#findBusiest}.
 */
final class RateUsage {

    private static final long ALL_BITS = -1;

    private final RateWindow[] windows;
    private final RequestRateTable table;
    private final @Nullable SharedRateTable shared;
    private final @Nullable Bans bans;

    /** @param shared the table of a limit that nodes share, which contains {@code table}; null for other limits */
    RateUsage(RateWindow[] windows, RequestRateTable table, @Nullable SharedRateTable shared, @Nullable Bans bans) {
        this.windows = windows;
        this.table = table;
        this.shared = shared;
        this.bans = bans;
    }

    List<KeyUsage> heaviest(RefusedKeys refused, int max, long now) {
        TopKeys busiest = new TopKeys(max);
        table.findBusiest(busiest, now);
        return HeaviestKeys.rank(
                refused.recent(now),
                busiest.keys(),
                ALL_BITS,
                (key, text, refusals) -> usage(key, text, refusals, now),
                max);
    }

    /** Returns the usage of the rate with the fewest remaining requests. */
    private KeyUsage usage(long key, Optional<String> text, long refused, long now) {
        double cost = shared == null ? 1 : shared.cost(key, now);
        long limit = 0;
        long used = 0;
        for (int i = 0; i < windows.length; i++) {
            double increment = windows[i].increment() * cost;
            long most = Math.max(1, (long) (windows[i].tolerance() / increment));
            long inUse = Math.min(most, (long) Math.ceil(table.backlog(key, i, now) / increment));
            if (i == 0 || most - inUse < limit - used) {
                limit = most;
                used = inUse;
            }
        }
        long ban = bans == null ? 0 : bans.remaining(key, now);
        return new KeyUsage(text, KeyId.of(key), refused, used, limit, ban);
    }
}
