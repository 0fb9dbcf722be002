package io.ballast.policy.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.hash.SipHash24;
import io.ballast.policy.config.Rate;
import io.ballast.policy.config.RequestRateConfig.Scope;
import io.ballast.policy.share.KeyShares;
import io.ballast.policy.share.LimitExchange;
import io.ballast.policy.share.SharedLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedRateLimitTest {

    private static final long KEY = 42;
    private static final long OTHER = 43;
    private static final long SECOND = 1_000_000_000L;

    private final List<SharedLimit> joined = new ArrayList<>();
    private long now = -7 * SECOND;

    private final LimitExchange exchange = new LimitExchange() {
        @Override
        public SipHash24 hash(String limit) {
            return new SipHash24(limit.hashCode(), 1);
        }

        @Override
        public void join(SharedLimit limit) {
            joined.add(limit);
        }

        @Override
        public void leave(SharedLimit limit) {
            joined.remove(limit);
        }
    };

    private SharedRateTable table(int count, int burst) {
        return new SharedRateTable(
                "limit", List.of(new Rate(count, Duration.ofSeconds(1), burst)), 100, false, () -> now);
    }

    private int admitted(SharedRateTable table, long key) {
        int admitted = 0;
        while (table.charge(key, now, 0) == 0) {
            admitted++;
        }
        return admitted;
    }

    @Test
    void policyJoinsWithItsIdentityAndLeavesWhenItIsClosed() {
        LimitBuilder limit = new LimitBuilder().scope(Scope.CLUSTER);
        RateLimitPolicy policy = RateLimitPolicy.shared("login", limit.build(), exchange, () -> now);
        RateLimitPolicy other =
                RateLimitPolicy.shared("login", limit.counting(401).build(), exchange, () -> now);

        assertThat(joined).hasSize(2);
        assertThat(joined.get(0).identity())
                .startsWith("login\n")
                .isNotEqualTo(joined.get(1).identity());
        assertThat(policy.state()).containsEntry("nodes", 1L);
        policy.close();
        other.close();
        assertThat(joined).isEmpty();
    }

    @Test
    void shareDividesRateAndBurst() {
        SharedRateTable table = table(60, 120);
        table.use(new KeyShares(1.0 / 3, Map.of(OTHER, 0.5), now + 100 * SECOND));

        assertThat(admitted(table, KEY)).isEqualTo(40);
        assertThat(admitted(table, OTHER)).isEqualTo(60);
        now += SECOND;
        assertThat(admitted(table, KEY)).isEqualTo(20);
        assertThat(admitted(table, OTHER)).isEqualTo(30);
    }

    @Test
    void sharesThatAreNotRenewedEnd() {
        SharedRateTable table = table(60, 120);
        table.use(new KeyShares(1.0 / 3, Map.of(KEY, 1.0, OTHER, 0.1), now + SECOND));
        now += 2 * SECOND;

        assertThat(admitted(table, KEY)).isEqualTo(40);
        assertThat(admitted(table, OTHER)).isEqualTo(12); // a part that was lent is not taken back
    }

    @Test
    void keyWithoutBacklogSendsOneRequest() {
        SharedRateTable table = table(1, 1);
        table.use(new KeyShares(0.01, Map.of(), now + 100 * SECOND));

        assertThat(admitted(table, KEY)).isEqualTo(1);
        now += 50 * SECOND;
        assertThat(admitted(table, KEY)).isZero();
        now += 50 * SECOND;
        assertThat(admitted(table, KEY)).isEqualTo(1);
    }

    @Test
    void requestsAreReportedOnce() {
        SharedRateTable table = table(10, 5);
        table.use(new KeyShares(1, Map.of(), now + SECOND));
        admitted(table, KEY);
        table.charge(OTHER, now, 0);
        Map<Long, Long> requests = new HashMap<>();

        table.takeRequests(requests::put);

        assertThat(requests).containsOnly(Map.entry(KEY, 6L), Map.entry(OTHER, 1L)); // one of them was refused
        requests.clear();
        table.takeRequests(requests::put);
        assertThat(requests).isEmpty();
    }

    @Test
    void backlogIsReplaced() {
        SharedRateTable table = table(10, 10);
        table.use(new KeyShares(1, Map.of(), now + 100 * SECOND));
        table.setBacklog(KEY, new float[] {0.5f});

        assertThat(table.backlog(KEY)).containsExactly(0.5f);
        assertThat(admitted(table, KEY)).isEqualTo(5);
        table.setBacklog(KEY, new float[] {0});
        assertThat(admitted(table, KEY)).isEqualTo(10);
    }

    @Test
    void refundedRequestMayBeRepeated() {
        SharedRateTable table = table(10, 10);
        table.use(new KeyShares(0.5, Map.of(), now + 100 * SECOND));
        assertThat(admitted(table, KEY)).isEqualTo(5);
        table.refund(KEY);

        assertThat(admitted(table, KEY)).isEqualTo(1);
    }
}
