package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.balance.Member;
import io.ballast.core.health.Operator.Outcome;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WeightOverridesTest extends OverridePool {

    @Test
    void weightIsEffectiveWhenFutureCompletes() {
        assertThat(weigh(first, 3, Optional.empty())).isCompletedWithValue(Outcome.DONE);

        assertThat(pool.snapshot().usable()).extracting(Member::weight).containsExactly(3, 1);
        assertThat(pool.members()).as("of the file").extracting(Member::weight).containsExactly(1, 1);
        assertThat(lastKept().weights())
                .containsExactly(new ActiveWeightOverride(first.pool(), address(first), order(3, Optional.empty())));
        assertThat(texts()).last().isEqualTo("weight 3, set by ann: disk");
    }

    @Test
    void enableRestoresConfiguredWeight() {
        weigh(first, 3, Optional.empty());

        assertThat(weighByFile(first)).isCompletedWithValue(Outcome.DONE);
        int events = control.timeline().recent().size();
        assertThat(weighByFile(first)).isCompletedWithValue(Outcome.DONE);

        assertThat(pool.snapshot().usable()).extracting(Member::weight).containsExactly(1, 1);
        assertThat(lastKept().isEmpty()).isTrue();
        assertThat(control.timeline().recent()).hasSize(events);
    }

    @Test
    void zeroWeightOfLastBackendNeedsConfirmation() {
        weigh(first, 0, Optional.empty());
        assertThat(pool.snapshot().usable()).extracting(Member::backend).containsExactly(second);
        assertThat(first.health().state()).as("it is checked all the same").isEqualTo(BackendState.UP);

        assertThat(weigh(second, 0, Optional.empty())).isCompletedWithValue(Outcome.LAST_USABLE);
        assertThat(pool.snapshot().usable()).hasSize(1);
    }

    @Test
    void enableRestoresStateAndWeight() {
        weigh(first, 3, Optional.empty());
        orders.overrideState("web", address(first), drain("ann"), /* confirmed= */ false);

        CompletableFuture<Outcome> enabled = orders.enable("web", address(first), "bob");
        scheduler.runDue();

        assertThat(enabled).isCompletedWithValue(Outcome.DONE);
        assertThat(pool.snapshot().usable()).extracting(Member::weight).containsExactly(1, 1);
        assertThat(lastKept().isEmpty()).isTrue();
    }

    @Test
    void weightExpiresIndependentlyOfState() {
        orders.overrideState("web", address(second), drain("ann"), /* confirmed= */ false);
        weigh(first, 3, Optional.of(Duration.ofMinutes(10)));

        scheduler.advance(Duration.ofMinutes(10));

        assertThat(pool.snapshot().usable()).extracting(Member::weight).containsExactly(1);
        assertThat(texts()).last().isEqualTo("weight override removed by the expiry of the override by ann: disk");
        assertThat(second.health().state()).isEqualTo(BackendState.DRAINING);
    }

    @Test
    void weightIsRestoredAndDroppedWithBackend() {
        CompletableFuture<Void> restored = orders.restore(new OverrideSnapshot(
                List.of(),
                List.of(new ActiveWeightOverride("web", address(first), order(7, Optional.empty()))),
                List.of()));
        scheduler.runDue();
        assertThat(restored).isCompleted();
        assertThat(pool.snapshot().usable()).extracting(Member::weight).containsExactly(7, 1);

        topology = Pools.topology(Pools.pool("web", Pools.UNCHECKED, second));
        orders.dropRemoved();

        assertThat(first.weightOverride()).isEmpty();
        assertThat(lastKept().isEmpty()).isTrue();
        assertThat(texts())
                .last()
                .isEqualTo("override of the weight to 7 by ann: disk dropped: no longer in the configuration");
    }

    private CompletableFuture<Outcome> weigh(Backend backend, int weight, Optional<Duration> time) {
        CompletableFuture<Outcome> outcome =
                orders.overrideWeight("web", address(backend), order(weight, time), /* confirmed= */ false);
        scheduler.runDue();
        return outcome;
    }

    private CompletableFuture<Outcome> weighByFile(Backend backend) {
        CompletableFuture<Outcome> outcome = orders.removeWeightOverride("web", address(backend), "bob");
        scheduler.runDue();
        return outcome;
    }

    private WeightOverride order(int weight, Optional<Duration> time) {
        Instant now = control.clock().instant();
        return new WeightOverride(weight, new OverrideTerms("ann", "disk", now, time.map(now::plus)));
    }
}
