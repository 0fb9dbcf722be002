package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.backend.ExternalOverride.State;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.StateOverride.Kind;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.balance.Member;
import io.ballast.core.health.ExternalOverrides.Counts;
import io.ballast.core.health.ExternalOverrides.Outcome;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Pools;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ActiveExternalOverridesTest extends OverridePool {

    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    private final List<List<ExternalOverride>> saved = new ArrayList<>();
    private final List<String> changes = new ArrayList<>();
    private final ActiveExternalOverrides overrides = new ActiveExternalOverrides(
            control,
            monitor,
            () -> topology,
            saved::add,
            (key, override) -> changes.add(key.source() + override.isPresent()));

    // ---- effect of an override

    @Test
    void downIsEffectiveWhenTheFutureCompletes() {
        assertThat(set(first, "probe", State.DOWN)).isEqualTo(Outcome.DONE);

        assertThat(first.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(first.health().origin()).isEqualTo(Origin.OVERRIDE);
        assertThat(first.health().reason()).isEqualTo("override by probe: lag");
        assertThat(usable()).containsExactly(second);
        assertThat(overrides.all()).hasSize(1);
        assertThat(saved).last().isEqualTo(overrides.all());
    }

    @Test
    void drainFinishesRequests() {
        set(first, "probe", State.DRAIN);

        assertThat(first.health().state()).isEqualTo(BackendState.DRAINING);
        assertThat(usable()).containsExactly(second);
    }

    @Test
    void upMasksFailedChecksAndTheCheckDecidesAfterwards() {
        watchWithChecks();
        for (int i = 0; i < 20 && first.health().state() != BackendState.DOWN; i++) {
            failChecks();
        }
        assertThat(first.health().state()).isEqualTo(BackendState.DOWN);

        set(first, "probe", State.UP);
        failChecks();
        assertThat(first.health().state()).isEqualTo(BackendState.UP);

        remove(first, "probe");
        assertThat(first.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(first.health().reason())
                .isEqualTo("override to up by probe: lag ended: removed by test, but: connection refused");
    }

    @Test
    void theStrictestSourceDecidesUntilItEnds() {
        set(first, "a", State.UP);
        set(first, "b", State.DRAIN);
        set(first, "c", State.DOWN);
        assertThat(first.health().reason()).isEqualTo("override by c: lag");

        remove(first, "c");
        assertThat(first.health().state()).isEqualTo(BackendState.DRAINING);
        assertThat(first.health().reason()).isEqualTo("override by b: lag");
        remove(first, "b");
        assertThat(first.health().state()).isEqualTo(BackendState.UP);
        assertThat(first.health().reason()).isEqualTo("override by a: lag");
    }

    @Test
    void anOperatorWinsAndTheOverrideReturnsAfterwards() {
        set(first, "probe", State.DOWN);

        operator(first, Kind.UP);
        assertThat(first.health().state()).isEqualTo(BackendState.UP);
        set(first, "probe", State.DRAIN);
        assertThat(first.health().state()).isEqualTo(BackendState.UP);
        assertThat(texts()).last().isEqualTo("override to drain by probe: lag");

        enable(first);
        assertThat(first.health().state()).isEqualTo(BackendState.DRAINING);
        assertThat(first.health().reason()).isEqualTo("enabled by ann, but: override by probe: lag");
    }

    @Test
    void theLowestWeightAppliesUnlessAnOperatorSetsOne() {
        weigh(first, "a", 5);
        weigh(first, "b", 3);
        assertThat(weightInSnapshot(first)).isEqualTo(3);

        OverrideTerms terms = new OverrideTerms("ann", "", now(), Optional.empty());
        orders.overrideWeight("web", address(first), new WeightOverride(9, terms), false);
        scheduler.runDue();
        assertThat(weightInSnapshot(first)).isEqualTo(9);

        orders.removeWeightOverride("web", address(first), "ann");
        remove(first, "b");
        assertThat(weightInSnapshot(first)).isEqualTo(5);
        remove(first, "a");
        assertThat(weightInSnapshot(first)).isEqualTo(1);
    }

    @Test
    void ejectionIsMaskedByUp() {
        set(first, "probe", State.UP);

        monitor.requestEjection(first, "requests fail");
        scheduler.runDue();

        assertThat(first.health().state()).isEqualTo(BackendState.UP);
    }

    // ---- overrides of other nodes

    @Test
    void theListenerGetsRequestsButNotExpiriesAndAdoptedOverrides() {
        set(first, "probe", State.DOWN);
        set(first, "probe", State.DOWN);
        remove(first, "probe");
        assertThat(changes).containsExactly("probetrue", "probetrue", "probefalse");

        changes.clear();
        overrides.adopt(List.of(override(first, "other", State.DOWN)), "the cluster");
        overrides.adopt(override(first, "other", State.DOWN).key(), Optional.empty(), "the cluster");
        assertThat(changes).isEmpty();
    }

    @Test
    void adoptedOverridesReplaceAllOthers() {
        set(first, "probe", State.DOWN);
        overrides.adopt(List.of(override(second, "other", State.DRAIN)), "the cluster");
        scheduler.runDue();

        assertThat(usable()).containsExactly(first);
        assertThat(overrides.all()).extracting(ExternalOverride::source).containsExactly("other");
        assertThat(saved).last().isEqualTo(overrides.all());
    }

    @Test
    void oneAdoptedOverrideChangesNoOther() {
        set(first, "probe", State.DRAIN);
        ExternalOverride adopted = override(first, "other", State.DOWN);
        overrides.adopt(adopted.key(), Optional.of(adopted), "the cluster");
        assertThat(first.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(overrides.all()).hasSize(2);

        overrides.adopt(adopted.key(), Optional.empty(), "the cluster");
        assertThat(first.health().state()).isEqualTo(BackendState.DRAINING);
        assertThat(overrides.all()).hasSize(1);
    }

    @Test
    void overridesOfUnknownBackendsAreNotAdopted() {
        ExternalOverride elsewhere = moved(override(first, "probe", State.DOWN), "api", address(first));
        overrides.adopt(List.of(elsewhere), "the cluster");
        overrides.adopt(elsewhere.key(), Optional.of(elsewhere), "the cluster");
        assertThat(overrides.all()).isEmpty();
    }

    // ---- the last usable backend

    @Test
    void theLastUsableBackendStaysUnlessConfirmed() {
        set(first, "probe", State.DOWN);

        assertThat(set(second, "probe", State.DOWN)).isEqualTo(Outcome.LAST_USABLE);
        assertThat(set(second, "probe", State.DRAIN)).isEqualTo(Outcome.LAST_USABLE);
        assertThat(weigh(second, "probe", 0)).isEqualTo(Outcome.LAST_USABLE);
        assertThat(usable()).containsExactly(second);
        assertThat(set(second, "probe", State.UP)).isEqualTo(Outcome.DONE);

        assertThat(run(overrides.set(override(second, "probe", State.DOWN), /* confirmed= */ true)))
                .isEqualTo(Outcome.DONE);
        assertThat(usable()).isEmpty();
        scheduler.runDue();
        assertThat(overrides.counts()).isEqualTo(new Counts(3, 0, 0, 3));
    }

    @Test
    void aBackendThatIsOutAlreadyCanBeRenewed() {
        set(first, "probe", State.DOWN);
        operator(second, Kind.DRAIN, /* confirmed= */ true);

        assertThat(set(first, "probe", State.DOWN)).isEqualTo(Outcome.DONE);
    }

    // ---- limits and missing targets

    @Test
    void theNumberOfSourcesIsLimited() {
        for (int i = 0; i < ExternalOverrides.MAX_SOURCES; i++) {
            assertThat(set(first, "source" + i, State.UP)).isEqualTo(Outcome.DONE);
        }

        assertThat(set(first, "more", State.UP)).isEqualTo(Outcome.TOO_MANY_SOURCES);
        assertThat(set(first, "source3", State.DRAIN)).isEqualTo(Outcome.DONE);
        remove(first, "source3");
        assertThat(set(first, "more", State.UP)).isEqualTo(Outcome.DONE);
    }

    @Test
    void theNumberOfOverridesIsLimited() {
        int backends = ExternalOverrides.MAX_OVERRIDES / ExternalOverrides.MAX_SOURCES;
        Pool large = Pools.pool("web", Pools.UNCHECKED, Backends.members(backends + 1));
        topology = Pools.topology(large);
        watch(large);
        for (int i = 0; i < ExternalOverrides.MAX_OVERRIDES; i++) {
            Backend backend =
                    large.members().get(i / ExternalOverrides.MAX_SOURCES).backend();
            CompletableFuture<Outcome> unused = overrides.set(override(backend, "source" + i, State.UP), false);
        }
        scheduler.runDue();
        assertThat(overrides.all()).hasSize(ExternalOverrides.MAX_OVERRIDES);

        Backend last = large.members().get(backends).backend();
        assertThat(set(last, "more", State.UP)).isEqualTo(Outcome.TOO_MANY);
        assertThat(set(large.members().get(0).backend(), "source0", State.UP)).isEqualTo(Outcome.DONE);
    }

    @Test
    void missingTargetsHaveDistinctOutcomes() {
        ExternalOverride of = override(first, "probe", State.UP);

        assertThat(run(overrides.set(moved(of, "api", of.address()), false))).isEqualTo(Outcome.NO_SUCH_POOL);
        assertThat(run(overrides.set(moved(of, "web", "192.0.2.9:80"), false))).isEqualTo(Outcome.NO_SUCH_BACKEND);
        assertThat(remove(first, "probe")).isEqualTo(Outcome.NO_SUCH_OVERRIDE);
        assertThat(run(overrides.remove(new ExternalOverride.Key("api", "", "probe"), "test")))
                .isEqualTo(Outcome.NO_SUCH_POOL);
    }

    // ---- end of an override

    @Test
    void theOverrideExpires() {
        set(first, "probe", State.DOWN);

        scheduler.advance(TEN_MINUTES.minusNanos(1));
        assertThat(first.health().state()).isEqualTo(BackendState.DOWN);
        scheduler.advance(Duration.ofNanos(1));

        assertThat(first.health().state()).isEqualTo(BackendState.UP);
        assertThat(usable()).hasSize(2);
        assertThat(texts()).last().isEqualTo("up: override to down by probe: lag ended: it has expired");
        assertThat(overrides.all()).isEmpty();
        assertThat(saved).last().isEqualTo(List.of());
        assertThat(overrides.counts()).isEqualTo(new Counts(1, 0, 1, 0));
    }

    @Test
    void theOverrideEndsWithinAMinuteAfterTheClockIsSetForward() {
        set(first, "probe", State.DOWN);

        scheduler.stepClock(Duration.ofHours(1));
        scheduler.advance(Duration.ofMinutes(1));

        assertThat(first.health().state()).isEqualTo(BackendState.UP);
    }

    @Test
    void theOverrideEndsInTimeAfterTheClockIsSetBack() {
        set(first, "probe", State.DOWN);
        scheduler.stepClock(Duration.ofDays(-365));

        scheduler.advance(TEN_MINUTES.minusNanos(1));
        assertThat(first.health().state()).isEqualTo(BackendState.DOWN);
        scheduler.advance(Duration.ofNanos(1));

        assertThat(first.health().state()).isEqualTo(BackendState.UP);
    }

    @Test
    void aRenewalProlongsTheOverrideWithoutAnEvent() {
        set(first, "probe", State.DOWN);
        Instant start = now();
        Instant changed = first.health().since();
        int events = control.timeline().recent().size();
        scheduler.advance(Duration.ofMinutes(9));

        set(first, "probe", State.DOWN);
        scheduler.advance(Duration.ofMinutes(9));

        assertThat(first.health().state()).isEqualTo(BackendState.DOWN);
        assertThat(first.health().since()).isEqualTo(changed);
        assertThat(control.timeline().recent()).hasSize(events);
        assertThat(overrides.all()).first().satisfies(renewed -> {
            assertThat(renewed.since()).isEqualTo(start);
            assertThat(renewed.renewed()).isEqualTo(start.plus(Duration.ofMinutes(9)));
        });
        assertThat(saved).last().isEqualTo(overrides.all());
        scheduler.advance(Duration.ofMinutes(1));
        assertThat(first.health().state()).isEqualTo(BackendState.UP);
    }

    @Test
    void aChangeIsAnEvent() {
        set(first, "probe", State.DOWN);
        set(first, "probe", State.DRAIN);

        assertThat(texts()).endsWith("down: override by probe: lag", "draining: override by probe: lag");
    }

    @Test
    void aHiddenOverrideStartsAndEndsWithAnEvent() {
        set(first, "a", State.DOWN);
        set(first, "b", State.UP);
        weigh(first, "c", 3);
        remove(first, "b");
        remove(first, "c");

        assertThat(texts())
                .endsWith(
                        "override to up by b: lag",
                        "override to weight 3 by c: lag",
                        "override to up by b: lag ended: removed by test",
                        "override to weight 3 by c: lag ended: removed by test");
    }

    // ---- restarts and reloads

    @Test
    void restoresOverridesExceptRemovedOrExpired() {
        ExternalOverride kept = override(first, "probe", State.DOWN);
        ExternalOverride gone = moved(kept, "gone", "192.0.2.9:80");
        ExternalOverride late = new ExternalOverride(
                "web",
                address(second),
                "late",
                Optional.of(State.DOWN),
                OptionalInt.empty(),
                "",
                now().minusSeconds(60),
                now().minusSeconds(60),
                now());

        CompletableFuture<Void> restored = overrides.restore(List.of(kept, gone, late));
        scheduler.runDue();

        assertThat(restored).isCompleted();
        assertThat(usable()).containsExactly(second);
        assertThat(overrides.all()).containsExactly(kept);
        assertThat(saved).containsExactly(List.of(kept));
        assertThat(texts())
                .contains(
                        "override to down by probe: lag dropped: no longer in the configuration",
                        "override to down by late dropped: it has expired");
        scheduler.advance(TEN_MINUTES);
        assertThat(usable()).hasSize(2);
    }

    /** Simulates a clock that was a year ahead when the override was set, and was corrected before the restart. */
    @Test
    void aRestoredOverrideLastsNoLongerThanItWasGranted() {
        ExternalOverride kept = override(first, "probe", State.DOWN);
        scheduler.stepClock(Duration.ofDays(-365));

        overrides.restore(List.of(kept));
        scheduler.runDue();
        scheduler.advance(TEN_MINUTES);

        assertThat(first.health().state()).isEqualTo(BackendState.UP);
    }

    @Test
    void theOverrideSurvivesChangedChecks() {
        set(first, "probe", State.DOWN);

        watchWithChecks();
        succeed();
        succeed();

        assertThat(first.health().state()).isEqualTo(BackendState.DOWN);
    }

    @Test
    void overridesOfRemovedBackendsAreDropped() {
        set(first, "probe", State.DOWN);

        topology = Pools.topology(Pools.pool("web", Pools.UNCHECKED, second));
        overrides.dropRemoved();
        scheduler.advance(TEN_MINUTES);

        assertThat(first.externalOverrides().all()).isEmpty();
        assertThat(overrides.all()).isEmpty();
        assertThat(saved).last().isEqualTo(List.of());
        assertThat(texts()).last().isEqualTo("override to down by probe: lag dropped: no longer in the configuration");
    }

    // ---- shared helpers

    private Outcome set(Backend backend, String source, State state) {
        return run(overrides.set(override(backend, source, state), /* confirmed= */ false));
    }

    private Outcome weigh(Backend backend, String source, int weight) {
        return run(overrides.set(
                override(backend, source, Optional.empty(), OptionalInt.of(weight)), /* confirmed= */ false));
    }

    private Outcome remove(Backend backend, String source) {
        return run(overrides.remove(new ExternalOverride.Key("web", address(backend), source), "test"));
    }

    private Outcome run(CompletableFuture<Outcome> outcome) {
        scheduler.runDue();
        assertThat(outcome).isCompleted();
        return outcome.join();
    }

    private ExternalOverride override(Backend backend, String source, State state) {
        return override(backend, source, Optional.of(state), OptionalInt.empty());
    }

    private ExternalOverride override(Backend backend, String source, Optional<State> state, OptionalInt weight) {
        return new ExternalOverride(
                "web", address(backend), source, state, weight, "lag", now(), now(), now().plus(TEN_MINUTES));
    }

    private static ExternalOverride moved(ExternalOverride from, String pool, String address) {
        return new ExternalOverride(
                pool,
                address,
                from.source(),
                from.state(),
                from.weight(),
                from.reason(),
                from.since(),
                from.renewed(),
                from.expires());
    }

    private void watchWithChecks() {
        Pool checked = Pools.pool("web", Pools.tcpEvery(Duration.ofSeconds(1)), first, second);
        topology = Pools.topology(checked);
        watch(checked);
    }

    private void failChecks() {
        scheduler.advance(Duration.ofSeconds(2));
        while (!probe.open().isEmpty()) {
            probe.next().fail("connection refused");
        }
        scheduler.runDue();
    }

    private void operator(Backend backend, Kind kind) {
        operator(backend, kind, /* confirmed= */ false);
    }

    private void operator(Backend backend, Kind kind, boolean confirmed) {
        orders.overrideState(
                "web", address(backend), new StateOverride(kind, "ann", "", now(), Optional.empty()), confirmed);
        scheduler.runDue();
    }

    private void enable(Backend backend) {
        orders.enable("web", address(backend), "ann");
        scheduler.runDue();
    }

    private List<Backend> usable() {
        return pool.snapshot().usable().stream().map(Member::backend).toList();
    }

    private int weightInSnapshot(Backend backend) {
        return pool.snapshot().usable().stream()
                .filter(member -> member.backend().equals(backend))
                .findFirst()
                .orElseThrow()
                .weight();
    }

    private Instant now() {
        return control.clock().instant();
    }
}
