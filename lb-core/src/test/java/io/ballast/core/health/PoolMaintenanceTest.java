package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.health.Operator.Outcome;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PoolMaintenanceTest extends OverridePool {

    @Test
    void maintenanceStopsTrafficAndKeepsStates() {
        assertThat(maintain(Optional.empty())).isCompletedWithValue(Outcome.DONE);

        assertThat(pool.snapshot().usable()).isEmpty();
        assertThat(first.health().state().isUsable()).isTrue();
        assertThat(lastKept().pools()).containsExactly(new ActiveMaintenance("web", terms(Optional.empty())));
        assertThat(texts()).last().isEqualTo("put under maintenance by ann: move");
    }

    @Test
    void serveRemovesMaintenance() {
        maintain(Optional.empty());

        assertThat(serve()).isCompletedWithValue(Outcome.DONE);
        int events = control.timeline().recent().size();
        assertThat(serve()).isCompletedWithValue(Outcome.DONE);

        assertThat(pool.snapshot().usable()).hasSize(2);
        assertThat(lastKept().isEmpty()).isTrue();
        assertThat(control.timeline().recent()).hasSize(events);
    }

    @Test
    void overridesOfBackendsWorkDuringMaintenance() {
        maintain(Optional.empty());

        CompletableFuture<Outcome> drained =
                orders.overrideState("web", first.address().toString(), drain("ann"), /* confirmed= */ false);
        scheduler.runDue();
        assertThat(drained).isCompletedWithValue(Outcome.DONE);
        serve();

        assertThat(pool.snapshot().usable()).hasSize(1);
    }

    @Test
    void maintenanceExpires() {
        maintain(Optional.of(Duration.ofMinutes(10)));

        scheduler.advance(Duration.ofMinutes(10));

        assertThat(pool.snapshot().usable()).hasSize(2);
        assertThat(texts()).last().isEqualTo("maintenance ended by the expiry of the override by ann: move");
    }

    @Test
    void maintenanceIsRestoredAndDroppedWithPool() {
        CompletableFuture<Void> restored = orders.restore(new OverrideSnapshot(
                List.of(),
                List.of(),
                List.of(
                        new ActiveMaintenance("web", terms(Optional.empty())),
                        new ActiveMaintenance("gone", terms(Optional.empty())))));
        scheduler.runDue();
        assertThat(restored).isCompleted();
        assertThat(pool.snapshot().usable()).isEmpty();
        assertThat(lastKept().pools()).hasSize(1);

        topology = Pools.topology(Pools.pool("api", Pools.UNCHECKED, second));
        orders.dropRemoved();

        assertThat(pool.maintenance()).isEmpty();
        assertThat(lastKept().isEmpty()).isTrue();
        assertThat(texts())
                .last()
                .isEqualTo("maintenance override by ann: move dropped: no longer in the configuration");
    }

    @Test
    void unknownPoolIsReported() {
        CompletableFuture<Outcome> outcome = orders.startMaintenance("api", terms(Optional.empty()));
        scheduler.runDue();

        assertThat(outcome).isCompletedWithValue(Outcome.NO_SUCH_POOL);
    }

    private CompletableFuture<Outcome> maintain(Optional<Duration> time) {
        CompletableFuture<Outcome> outcome = orders.startMaintenance("web", terms(time));
        scheduler.runDue();
        return outcome;
    }

    private CompletableFuture<Outcome> serve() {
        CompletableFuture<Outcome> outcome = orders.endMaintenance("web", "bob");
        scheduler.runDue();
        return outcome;
    }

    private OverrideTerms terms(Optional<Duration> time) {
        return new OverrideTerms(
                "ann",
                "move",
                control.clock().instant(),
                time.map(control.clock().instant()::plus));
    }
}
