package io.ballast.net.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransitShareTest {

    private static final long MIB = 1024 * 1024;

    private final AtomicLong used = new AtomicLong();
    private final TransitBudget budget = new TransitBudget(128 * MIB, used::get);

    @Test
    void freeBudgetAllowsLargeShare() {
        TransitShare share = new TransitShare(budget, 2);

        assertThat(share.mark().high()).isEqualTo(128 * 1024);
        assertThat(share.mark().low()).isEqualTo(32 * 1024);
        assertThat(share.readBytes()).isEqualTo(64 * 1024);
    }

    @Test
    void shareShrinksAsBudgetFills() {
        TransitShare share = new TransitShare(budget, 2);

        used.set(72 * MIB);
        share.measure();

        assertThat(share.mark().high()).isEqualTo(32 * 1024);
        assertThat(share.readBytes()).isEqualTo(16 * 1024);
        assertThat(share.isExhausted()).isFalse();
    }

    @Test
    void readsMinimumWhenBudgetIsExhausted() {
        TransitShare share = new TransitShare(budget, 2);

        used.set(200 * MIB);
        share.measure();

        assertThat(share.isExhausted()).isTrue();
        assertThat(share.mark().high()).isEqualTo(1024);
        assertThat(share.readBytes()).isEqualTo(512);
    }

    @Test
    void rechecksBudgetAfterLargeAllocation() {
        TransitShare share = new TransitShare(budget, 2);
        used.set(127 * MIB);

        share.countAllocation((int) (4 * MIB));
        assertThat(share.mark().high()).isEqualTo(128 * 1024);
        share.countAllocation(1);

        assertThat(share.mark().high()).isEqualTo(1024);
    }

    /** Simulates receivers that read nothing: each connection holds data until it exceeds its limit. */
    @ParameterizedTest
    @ValueSource(ints = {1_000, 10_000, 15_000})
    void stalledConnectionsLeaveBudgetForNewOne(int holders) {
        TransitShare share = new TransitShare(budget, 1);
        for (int i = 0; i < holders; i++) {
            long held = 0;
            while (held <= share.mark().high()) {
                int bytes = share.readBytes();
                share.countAllocation(bytes);
                held += bytes;
                used.addAndGet(bytes);
            }
        }
        share.measure();

        assertThat(used.get()).isLessThan(budget.limitBytes());
        assertThat(share.isExhausted()).isFalse();
        assertThat(share.readBytes()).isGreaterThanOrEqualTo(512);
    }
}
