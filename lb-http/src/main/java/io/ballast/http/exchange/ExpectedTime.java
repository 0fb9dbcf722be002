package io.ballast.http.exchange;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.pool.Pool;
import java.time.Duration;
import java.util.List;

/**
 * How long an answer of a pool takes as a rule, for exchanges that failed. Asked for each of these only; looks at
 * {@value #SAMPLE} members at most.
 */
final class ExpectedTime {

    private static final int SAMPLE = 8;
    private static final long MOST_NANOS = Duration.ofSeconds(30).toNanos();

    private ExpectedTime() {}

    /**
     * The longest average response time of some members other than this one, of those where no exchange has failed lately;
     * half a minute at most, 0 if there is none.
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
        return Math.min((long) (micros * 1000), MOST_NANOS);
    }
}
