package io.ballast.dns.zone.service;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.dns.config.zone.TargetConfig.Thresholds;
import io.ballast.dns.explain.ExplainedTarget;
import io.ballast.dns.zone.pool.PoolView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A target that selects among other targets. Thread safety: confined to the executor that compiles the
 * answers.
 */
abstract class TargetBranch extends Target {

    private final List<Target> children;

    TargetBranch(Thresholds thresholds, List<Target> inside) {
        super(thresholds);
        this.children = List.copyOf(inside);
    }

    final List<Target> children() {
        return children;
    }

    @Override
    final CompiledTarget compileNow(PoolView view, int ttlSeconds) {
        List<CompiledTarget> each = new ArrayList<>(children.size());
        children.forEach(target -> each.add(target.compile(view, ttlSeconds)));
        CompiledTarget chosen = choose(each, view);
        return chosen.withTotalsOf(each);
    }

    /**
     * Selects among the targets.
     *
     * @param each the result of each target, in the order of {@link #children}
     * @return the result of one target, a combination of several, or an empty result if no target has an answer
     */
    abstract CompiledTarget choose(List<CompiledTarget> each, PoolView view);

    @Override
    final ExplainedTarget explain(String role, boolean used, ExplainedClient client, PoolView view) {
        Reason reason = reason(client, view);
        List<ExplainedTarget> targets = new ArrayList<>();
        for (int i = 0; i < children.size(); i++) {
            boolean chosen = used && reason.chosen().contains(i);
            targets.add(children.get(i).explain(roleOf(i), chosen, client, view));
        }
        return new ExplainedTarget(rule(), role, state(), used, reason.text(), targets, List.of());
    }

    /** Returns a plain-text description of the selection rule. */
    abstract String rule();

    /** Returns a plain-text description of the role of the child target at index {@code place}. */
    abstract String roleOf(int place);

    /** Returns the targets that may answer a client according to the last compilation, with the reason. */
    abstract Reason reason(ExplainedClient client, PoolView view);

    /**
     * The selected targets, and the reason for the selection.
     *
     * @param chosen the indexes of the targets that may answer
     * @param text the reason as plain text
     */
    record Reason(List<Integer> chosen, String text) {

        static Reason of(int[] chosen, String text) {
            return new Reason(Arrays.stream(chosen).boxed().toList(), text);
        }
    }

    /** Returns the most recently compiled form of each child target. */
    final List<CompiledTarget> lastCompiledChildren() {
        return children.stream().map(Target::lastCompiled).toList();
    }

    @Override
    void recordCheck(Backend backend, HealthStatus.LastCheck check) {
        children.forEach(target -> target.recordCheck(backend, check));
    }

    @Override
    boolean isStale(PoolView view) {
        return children.stream().anyMatch(target -> target.isStale(view));
    }
}
