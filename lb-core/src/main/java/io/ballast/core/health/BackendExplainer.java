package io.ballast.core.health;

import io.ballast.core.DurationText;
import io.ballast.core.backend.AgentReport;
import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.backend.ExternalOverrideSet;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.balance.Member;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.explain.BackendExplanation;
import io.ballast.core.health.explain.BackendExplanation.Authority;
import io.ballast.core.health.explain.BackendExplanation.Level;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Explains the state and the weight of a backend.
 *
 * <p>Thread safety: any thread may call; the control plane does the work.
 */
public final class BackendExplainer {

    private final ControlPlane control;
    private final HealthMonitor health;
    private final Supplier<Topology> topology;

    public BackendExplainer(ControlPlane control, HealthMonitor health, Supplier<Topology> topology) {
        this.control = control;
        this.health = health;
        this.topology = topology;
    }

    /**
     * Explains a backend.
     *
     * @param address as written in the configuration
     * @return completes with an empty result if there is no such backend
     */
    public CompletableFuture<Optional<BackendExplanation>> explain(String poolName, String address) {
        return control.call(() -> CompletableFuture.completedFuture(find(poolName, address)));
    }

    private Optional<BackendExplanation> find(String poolName, String address) {
        return Optional.ofNullable(topology.get().pools().get(poolName))
                .flatMap(pool -> pool.members().stream()
                        .filter(member -> member.backend().address().toString().equals(address))
                        .findFirst()
                        .map(member -> explain(pool, member)));
    }

    private BackendExplanation explain(Pool pool, Member member) {
        Backend backend = member.backend();
        Levels levels = new Levels();
        levels.add(
                Authority.POOL_MAINTENANCE,
                pool.maintenance().map(terms -> BackendState.MAINTENANCE),
                pool.maintenance().map(terms -> "by " + terms.text()).orElse("none"));
        levels.add(
                Authority.ADDRESS,
                backend.isResolved() ? Optional.empty() : Optional.of(BackendState.DOWN),
                backend.isResolved()
                        ? String.valueOf(backend.socketAddress())
                        : backend.health().reason());
        levels.add(
                Authority.OPERATOR,
                backend.stateOverride().map(order -> order.kind().state()),
                backend.stateOverride().map(BackendExplainer::text).orElse("none"));
        addOverrides(levels, backend);
        Optional<CheckedState> checks = health.checkedState(backend);
        checks.ifPresent(checked -> addChecks(levels, checked, backend));
        backend.agentReport().ifPresent(report -> addReport(levels, checks, report));
        boolean takesTraffic = pool.snapshot().usable().stream()
                .anyMatch(used -> used.backend().equals(backend));
        return new BackendExplanation(
                levels.all,
                backend.health().state(),
                takesTraffic,
                new BackendExplanation.Weight(
                        member.weight(),
                        backend.weightOverride(),
                        backend.externalOverrides().decidingWeight(),
                        member.withOverriddenWeight().weight(),
                        backend.slowStartTenths(),
                        backend.agentReport().map(AgentReport::weightTenths).orElse(Backend.ALL_TENTHS)),
                backend.health().lastCheck(),
                checks.flatMap(CheckedState::votes));
    }

    private static String text(StateOverride order) {
        return order.kind().label() + " by " + order.text()
                + order.deadline()
                        .map(end -> ", remaining sessions are closed at " + end.truncatedTo(ChronoUnit.SECONDS))
                        .orElse("");
    }

    /** Adds a level for each source that overrides the state, the deciding one first. */
    private static void addOverrides(Levels levels, Backend backend) {
        ExternalOverrideSet overrides = backend.externalOverrides();
        Optional<ExternalOverride> first = overrides.decidingState();
        if (first.isEmpty()) {
            levels.add(Authority.OVERRIDE, Optional.empty(), "none");
            return;
        }
        List<ExternalOverride> sorted = new ArrayList<>(List.of(first.get()));
        overrides.without(first.get().source()).all().stream()
                .filter(each -> each.state().isPresent())
                .forEach(sorted::add);
        sorted.forEach(each -> levels.add(
                Authority.OVERRIDE,
                each.state().map(ExternalOverride.State::state),
                each.effect() + " by " + each.terms().text()));
    }

    private static void addChecks(Levels levels, CheckedState checked, Backend backend) {
        levels.add(
                Authority.EJECTION,
                checked.ejected().map(ejected -> BackendState.EJECTED),
                checked.ejected()
                        .map(ejected -> ejected.reason() + "; " + text(ejected.remaining()) + " left")
                        .orElse("none"));
        boolean isDrained = backend.agentReport()
                .filter(report -> report.state() == AgentReport.State.DRAIN)
                .isPresent();
        checked.votes()
                .ifPresent(votes -> levels.addUnlessDrained(
                        Authority.VOTES,
                        votes.result().map(count -> count.isUp() ? BackendState.UP : BackendState.DOWN),
                        votes.text(),
                        isDrained));
        if (!checked.isChecked() && backend.agentReport().isPresent()) {
            levels.add(Authority.CHECKS, Optional.empty(), "no checks");
            return;
        }
        String counts = checked.isChecked()
                ? "; since then " + checked.okChecks() + " checks ok (rise " + checked.rise() + "), "
                        + checked.failedChecks() + " failed (fall " + checked.fall() + ")"
                : "";
        String reason = checked.reason().isEmpty() ? backend.health().reason() : checked.reason();
        levels.addUnlessDrained(Authority.CHECKS, Optional.of(checked.verdict()), reason + counts, isDrained);
    }

    /** Adds a level for the last report of an agent, and a level for the age of this report. */
    private static void addReport(Levels levels, Optional<CheckedState> checks, AgentReport report) {
        boolean isChecked = checks.filter(CheckedState::isChecked).isPresent();
        boolean isStale = report.state() == AgentReport.State.STALE;
        Optional<BackendState> reported =
                switch (report.state()) {
                    case UP -> Optional.of(BackendState.UP);
                    case DOWN -> Optional.of(BackendState.DOWN);
                    case DRAIN -> Optional.of(BackendState.DRAINING);
                    case STALE -> Optional.empty();
                };
        levels.add(Authority.AGENT, reported, isStale ? "no current report" : report.text());
        levels.add(
                Authority.STALENESS,
                isStale && !isChecked ? Optional.of(BackendState.DOWN) : Optional.empty(),
                isStale ? report.text() : "the agent reports");
    }

    private static String text(Duration left) {
        return DurationText.of(left.isNegative() ? Duration.ZERO : left.truncatedTo(ChronoUnit.SECONDS));
    }

    /**
     * Collects levels. The first level with a state decides, except that an agent can drain a backend that the votes or
     * checks find up.
     */
    private static final class Levels {

        private final List<Level> all = new ArrayList<>();
        private boolean isDecided;

        void add(Authority authority, Optional<BackendState> state, String text) {
            add(authority, state, text, state.isPresent());
        }

        /** @param isDrained whether an agent drains the backend */
        void addUnlessDrained(Authority authority, Optional<BackendState> state, String text, boolean isDrained) {
            add(authority, state, text, state.isPresent() && !(isDrained && state.get() != BackendState.DOWN));
        }

        private void add(Authority authority, Optional<BackendState> state, String text, boolean mayDecide) {
            boolean decides = mayDecide && !isDecided;
            isDecided |= decides;
            all.add(new Level(authority, state, text, decides));
        }
    }
}
