package io.ballast.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.RetryBudgetConfig;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {

    private static final long SECOND = 1_000_000_000L;

    /** A negative start time, because monotonic clocks may start at any value. */
    private static final long START = -3 * SECOND;

    @Test
    void retriesAreLimitedToShareOfRequests() {
        RetryBudget budget = budget(20, 0);
        assertThat(spend(budget, START)).isZero();

        requests(budget, 50, START);

        assertThat(spend(budget, START)).isEqualTo(10);
        requests(budget, 4, START);
        assertThat(spend(budget, START)).as("a part of a retry is none").isZero();
        requests(budget, 1, START);
        assertThat(spend(budget, START)).isEqualTo(1);
    }

    @Test
    void reserveAllowsRetriesWithoutRequests() {
        RetryBudget budget = budget(20, 3);

        assertThat(spend(budget, START)).isEqualTo(30);
        assertThat(spend(budget, START + 9 * SECOND)).isZero();
        assertThat(spend(budget, START + 10 * SECOND)).isEqualTo(30);
    }

    @Test
    void requestsExpireAfterTenSeconds() {
        RetryBudget budget = budget(100, 0);
        requests(budget, 5, START);
        requests(budget, 7, START + SECOND);

        assertThat(budget.hasRetry(START + 9 * SECOND)).isTrue();
        assertThat(spend(budget, START + 10 * SECOND)).isEqualTo(7);
    }

    @Test
    void budgetIsEmptyAfterLongSilence() {
        RetryBudget budget = budget(100, 0);
        requests(budget, 5, START);

        assertThat(budget.hasRetry(START + 1000 * SECOND)).isFalse();
        requests(budget, 1, START + 1000 * SECOND);
        assertThat(spend(budget, START + 1000 * SECOND)).isEqualTo(1);
    }

    @Test
    void reserveIsDividedAmongLoopsWithMinimum() {
        assertThat(spend(new RetryBudget(new RetryBudgetConfig(0, 2), 4, START), START))
                .isEqualTo(5);
        assertThat(spend(new RetryBudget(new RetryBudgetConfig(0, 1), 64, START), START))
                .isEqualTo(1);
        assertThat(spend(new RetryBudget(new RetryBudgetConfig(0, 0), 1, START), START))
                .isZero();
    }

    private static RetryBudget budget(int percent, int minPerSecond) {
        return new RetryBudget(new RetryBudgetConfig(percent, minPerSecond), /* loops= */ 1, START);
    }

    private static void requests(RetryBudget budget, int count, long now) {
        for (int i = 0; i < count; i++) {
            budget.recordRequest(now);
        }
    }

    /** Uses up the budget and returns the number of retries. */
    private static int spend(RetryBudget budget, long now) {
        int spent = 0;
        while (budget.hasRetry(now)) {
            budget.recordRetry(now);
            spent++;
        }
        return spent;
    }
}
