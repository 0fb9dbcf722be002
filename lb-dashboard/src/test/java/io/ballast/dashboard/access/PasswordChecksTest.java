package io.ballast.dashboard.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dashboard.config.DashboardUser;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PasswordChecksTest {

    private final PasswordChecks checks = new PasswordChecks();
    private final CountDownLatch first = new CountDownLatch(1);
    private final List<String> order = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        first.countDown();
        checks.close();
    }

    @Test
    void aFloodOfUnknownClientsDoesNotBlockKnownOnes() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CompletableFuture<Optional<DashboardUser>> busy = checks.check(
                /* isKnown= */ false, () -> {
                    running.countDown();
                    await(first);
                    return Optional.empty();
                });
        assertThat(running.await(10, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < PasswordChecks.MAX_WAITING; i++) {
            submit(/* isKnown= */ false, "stranger");
        }
        assertThatThrownBy(() -> submit(/* isKnown= */ false, "one more"))
                .isInstanceOf(RejectedExecutionException.class);

        CompletableFuture<Optional<DashboardUser>> operator = submit(/* isKnown= */ true, "operator");
        CompletableFuture<Optional<DashboardUser>> last = submit(/* isKnown= */ true, "second operator");
        first.countDown();

        assertThat(operator.get(10, TimeUnit.SECONDS)).isEmpty();
        assertThat(last.get(10, TimeUnit.SECONDS)).isEmpty();
        assertThat(busy).isCompleted();
        assertThat(order).startsWith("operator", "second operator");
    }

    @Test
    void aFailedCheckDoesNotStopTheNextOne() throws Exception {
        CompletableFuture<Optional<DashboardUser>> thrown = checks.check(
                /* isKnown= */ true, () -> {
                    throw new IllegalStateException("broken");
                });
        first.countDown();

        assertThatThrownBy(() -> thrown.get(10, TimeUnit.SECONDS)).hasMessageContaining("broken");
        assertThat(submit(/* isKnown= */ true, "next").get(10, TimeUnit.SECONDS))
                .isEmpty();
    }

    private CompletableFuture<Optional<DashboardUser>> submit(boolean isKnown, String name) {
        return checks.check(isKnown, () -> {
            order.add(name);
            return Optional.empty();
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
