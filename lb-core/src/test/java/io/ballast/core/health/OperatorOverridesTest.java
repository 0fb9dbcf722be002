package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.StateOverride.Kind;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.health.Operator.Outcome;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.Pools;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OperatorOverridesTest extends OverridePool {

    @Test
    void overrideFailsWhenItCannotBeApplied() {
        OperatorOverrides broken = new OperatorOverrides(control, monitor, () -> topology, retired::add, book -> {
            throw new IllegalStateException("the orders cannot be kept");
        });

        CompletableFuture<Outcome> state =
                broken.overrideState("web", address(first), drain("ann"), /* confirmed= */ false);
        CompletableFuture<Outcome> weight = broken.overrideWeight(
                "web", address(first), new WeightOverride(3, drain("ann").terms()), /* confirmed= */ false);
        CompletableFuture<Outcome> maintenance =
                broken.startMaintenance("web", drain("ann").terms());
        CompletableFuture<Outcome> served = broken.endMaintenance("web", "ann");
        CompletableFuture<Outcome> enabled = broken.enable("web", address(first), "ann");
        scheduler.runDue();

        assertThat(List.of(state, weight, maintenance)).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(List.of(served, enabled)).allMatch(CompletableFuture::isDone);
    }

    @Test
    void restoreFailsWhenItCannotBeApplied() {
        OperatorOverrides broken = new OperatorOverrides(
                control,
                monitor,
                () -> {
                    throw new IllegalStateException("no topology");
                },
                retired::add,
                kept::add);

        CompletableFuture<Void> restored = broken.restore(new OverrideSnapshot(
                List.of(new ActiveStateOverride("web", address(first), drain("ann"))), List.of(), List.of()));
        scheduler.runDue();

        assertThat(restored).isCompletedExceptionally();
    }

    @Test
    void drainIsEffectiveWhenFutureCompletes() {
        assertThat(order(first, drain("ann"))).isCompletedWithValue(Outcome.DONE);

        assertThat(first.health().state()).isEqualTo(BackendState.DRAINING);
        assertThat(pool.snapshot().usable()).hasSize(1);
        assertThat(kept)
                .containsExactly(new OverrideSnapshot(
                        List.of(new ActiveStateOverride(first.pool(), address(first), drain("ann"))),
                        List.of(),
                        List.of()));
        assertThat(retired).isEmpty();
    }

    @Test
    void drainOfLastUsableBackendNeedsConfirmation() {
        order(first, drain("ann"));

        assertThat(order(second, drain("ann"))).isCompletedWithValue(Outcome.LAST_USABLE);
        assertThat(second.health().state()).isEqualTo(BackendState.UP);
        assertThat(order(first, drain("bob"))).isCompletedWithValue(Outcome.DONE);

        CompletableFuture<Outcome> confirmed =
                orders.overrideState("web", address(second), drain("ann"), /* confirmed= */ true);
        scheduler.runDue();
        assertThat(confirmed).isCompletedWithValue(Outcome.DONE);
        assertThat(pool.snapshot().usable()).isEmpty();
    }

    /**
     * A backend without an address cannot receive requests. Therefore, it does not count as another usable
     * backend, and operations do not wait for it.
     */
    @Test
    void backendWithoutAnAddressIsNotUsable() {
        second.socketAddress(InetSocketAddress.createUnresolved("lost.internal", 80));
        pool.refresh();

        assertThat(order(first, drain("ann"))).isCompletedWithValue(Outcome.LAST_USABLE);
        StateOverride up = new StateOverride(Kind.UP, "ann", "", now(), Optional.empty());
        assertThat(order(second, up)).isCompletedWithValue(Outcome.DONE);
    }

    @Test
    void concurrentDrainsCannotRemoveLastBackend() {
        CompletableFuture<Outcome> one =
                orders.overrideState("web", address(first), drain("ann"), /* confirmed= */ false);
        CompletableFuture<Outcome> other =
                orders.overrideState("web", address(second), drain("bob"), /* confirmed= */ false);
        scheduler.runDue();

        assertThat(one).isCompletedWithValue(Outcome.DONE);
        assertThat(other).isCompletedWithValue(Outcome.LAST_USABLE);
    }

    @Test
    void maintenanceRetiresConnectionsToo() {
        order(first, new StateOverride(Kind.DOWN, "ann", "new disk", now(), Optional.empty()));

        assertThat(first.health().state()).isEqualTo(BackendState.MAINTENANCE);
        assertThat(first.health().reason()).isEqualTo("override by ann: new disk");
        assertThat(retired).containsExactly(first);
    }

    @Test
    void drainClosesConnectionsAtDeadline() {
        OverrideTerms terms = new OverrideTerms("ann", "kernel", now(), Optional.empty());
        order(first, new StateOverride(Kind.DRAIN, terms, Optional.of(now().plus(Duration.ofMinutes(5)))));
        scheduler.advance(Duration.ofMinutes(5).minusNanos(1));
        assertThat(retired).isEmpty();

        scheduler.advance(Duration.ofNanos(1));

        assertThat(retired).containsExactly(first);
        assertThat(first.health().state()).isEqualTo(BackendState.DRAINING);
        assertThat(texts())
                .last()
                .isEqualTo("the drain deadline has passed; the backend's tunnels and sessions are closed");
    }

    @Test
    void cancelledDrainClosesNothing() {
        OverrideTerms terms = new OverrideTerms("ann", "kernel", now(), Optional.empty());
        order(first, new StateOverride(Kind.DRAIN, terms, Optional.of(now().plus(Duration.ofMinutes(5)))));
        enable(first);

        scheduler.advance(Duration.ofMinutes(6));

        assertThat(retired).isEmpty();
    }

    @Test
    void overrideExpiresWithEvent() {
        order(first, until(Duration.ofMinutes(10)));
        assertThat(first.health().reason()).isEqualTo("override by ann: kernel, until 2026-01-01T00:10:00Z");

        scheduler.advance(Duration.ofMinutes(10).minusNanos(1));
        assertThat(first.health().state()).isEqualTo(BackendState.DRAINING);
        scheduler.advance(Duration.ofNanos(1));

        assertThat(first.health().state()).isEqualTo(BackendState.UP);
        assertThat(first.health().reason()).isEqualTo("enabled by the expiry of the override by ann: kernel");
        assertThat(pool.snapshot().usable()).hasSize(2);
        assertThat(lastKept().isEmpty()).isTrue();
    }

    @Test
    void laterOverrideHasOwnExpiry() {
        order(first, until(Duration.ofMinutes(10)));
        order(first, until(Duration.ofMinutes(20)));

        scheduler.advance(Duration.ofMinutes(15));
        assertThat(first.health().state()).isEqualTo(BackendState.DRAINING);
        enable(first);
        order(first, drain("bob"));
        scheduler.advance(Duration.ofMinutes(10));

        assertThat(first.health().state()).isEqualTo(BackendState.DRAINING);
    }

    @Test
    void enableRemovesOverride() {
        order(first, drain("ann"));
        assertThat(enable(first)).isCompletedWithValue(Outcome.DONE);
        int events = control.timeline().recent().size();

        assertThat(enable(first)).isCompletedWithValue(Outcome.DONE);

        assertThat(pool.snapshot().usable()).hasSize(2);
        assertThat(control.timeline().recent()).hasSize(events);
    }

    @Test
    void missingTargetsHaveDistinctErrors() {
        CompletableFuture<Outcome> noPool = orders.enable("api", address(first), "ann");
        CompletableFuture<Outcome> noBackend = orders.enable("web", "192.0.2.9:80", "ann");
        scheduler.runDue();

        assertThat(noPool).isCompletedWithValue(Outcome.NO_SUCH_POOL);
        assertThat(noBackend).isCompletedWithValue(Outcome.NO_SUCH_BACKEND);
    }

    @Test
    void restoresOverridesExceptRemovedOrExpired() {
        CompletableFuture<Void> restored = orders.restore(new OverrideSnapshot(
                List.of(
                        new ActiveStateOverride("web", address(first), drain("ann")),
                        new ActiveStateOverride("web", address(second), until(Duration.ZERO)),
                        new ActiveStateOverride("gone", "192.0.2.9:80", drain("ann"))),
                List.of(),
                List.of()));
        scheduler.runDue();

        assertThat(restored).isCompleted();
        assertThat(pool.snapshot().usable()).hasSize(1);
        assertThat(first.health().state()).isEqualTo(BackendState.DRAINING);
        assertThat(texts())
                .contains(
                        "override of the state to draining by ann: kernel, until 2026-01-01T00:00:00Z dropped: it has expired",
                        "override of the state to draining by ann dropped: no longer in the configuration");
        assertThat(lastKept().stateOverrides()).hasSize(1);
    }

    @Test
    void overrideSurvivesChangedChecks() {
        order(first, new StateOverride(Kind.UP, "ann", "", now(), Optional.empty()));

        Pool next = Pools.pool("web", Pools.tcpEvery(Duration.ofSeconds(1)), first, second);
        watch(next);
        fail("connection refused");

        assertThat(first.health().state()).isEqualTo(BackendState.UP);
    }

    @Test
    void overridesOfRemovedBackendsAreDropped() {
        order(first, until(Duration.ofMinutes(10)));

        topology = Pools.topology(Pools.pool("web", Pools.UNCHECKED, second));
        orders.dropRemoved();
        scheduler.advance(Duration.ofMinutes(11));

        assertThat(first.stateOverride()).isEmpty();
        assertThat(lastKept().isEmpty()).isTrue();
        assertThat(texts()).last().asString().endsWith(" dropped: no longer in the configuration");
    }

    private CompletableFuture<Outcome> order(Backend backend, StateOverride order) {
        CompletableFuture<Outcome> outcome =
                orders.overrideState("web", address(backend), order, /* confirmed= */ false);
        scheduler.runDue();
        return outcome;
    }

    private CompletableFuture<Outcome> enable(Backend backend) {
        CompletableFuture<Outcome> outcome = orders.enable("web", address(backend), "bob");
        scheduler.runDue();
        return outcome;
    }

    private StateOverride until(Duration time) {
        return new StateOverride(Kind.DRAIN, "ann", "kernel", now(), Optional.of(now().plus(time)));
    }

    private Instant now() {
        return control.clock().instant();
    }
}
