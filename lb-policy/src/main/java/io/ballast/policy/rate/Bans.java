package io.ballast.policy.rate;

import io.ballast.policy.config.RequestRateConfig.Ban;
import java.util.List;

/**
 * Bans keys that continue to send requests after refusals. It has two tables: one counts the refusals of a key, the
 * other holds the banned keys.
 *
 * <p>Thread safety: all methods may be called concurrently.
 */
final class Bans {

    private final RequestRateTable refusals;
    private final RequestRateTable banned;

    Bans(Ban ban, int keys, long now) {
        long nanos = ban.duration().toNanos();
        long increment = Math.max(1, nanos / ban.after());
        // The rate of refusals above which a key is banned.
        RateWindow refusal = new RateWindow(increment, increment * (ban.after() - 1));
        this.refusals = new RequestRateTable(List.of(refusal), keys, /* allowsWhenFull= */ true, now);
        RateWindow once = new RateWindow(nanos, nanos);
        this.banned = new RequestRateTable(List.of(once), keys, /* allowsWhenFull= */ true, now);
    }

    /** Returns the nanoseconds until the ban of a key ends; 0 if it is not banned. */
    long remaining(long key, long now) {
        return banned.check(key, now);
    }

    /** Records a refusal, which may ban the key. */
    void refused(long key, long now) {
        if (refusals.charge(key, now) != RequestRateTable.CONFORMS) {
            banned.charge(key, now);
        }
    }
}
