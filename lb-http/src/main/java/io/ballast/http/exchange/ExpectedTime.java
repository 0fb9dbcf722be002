package io.ballast.http.exchange;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.pool.Pool;
import java.time.Duration;
import java.util.List;

/**
 * Estimates the response time of a pool, for the penalty of failed exchanges. Reads at most {@value #SAMPLE} members;
 * used only after a failure.
 */
final class ExpectedTime {

    private static final int SAMPLE = 8;
    private static final long MAX_NANOS = Duration.ofSeconds(30).toNanos();

    private ExpectedTime() {}

    /**
     * Returns the longest average response time among the sampled members that have not failed recently,
     * excluding {@code except}. At most 30 s; 0 if there is no such member.
     */
    static long nanos(Pool pool, Backend except, long nowNanos) {
        List<Member> members = pool.snapshot().usable();
        float micros = 0;
        for (int i = 0; i < Math.min(members.size(), SAMPLE); i++) {
            Backend backend = members.get(i).backend();
            if (backend != except && !backend.inFlight().hasFailedLately(nowNanos)) {
                micros = Math.max(micros, backend.responseTime().micros(nowNanos));
            }
        }
        return Math.min((long) (micros * 1000), MAX_NANOS);
    }
}
