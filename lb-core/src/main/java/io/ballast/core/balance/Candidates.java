package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendLoads;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members of a picker by index, with the lookups that all strategies share. If the chosen member is
 * unusable, a scan finds a substitute.
 */
final class Candidates {

    private final Backend[] backends;
    private final BackendLoads loads;
    private final int[] weights;

    Candidates(List<Member> members) {
        this.backends = members.stream().map(Member::backend).toArray(Backend[]::new);
        this.loads = new BackendLoads(List.of(backends));
        this.weights = members.stream().mapToInt(Member::weight).toArray();
    }

    int size() {
        return backends.length;
    }

    Backend at(int index) {
        return backends[index];
    }

    int weight(int index) {
        return weights[index];
    }

    /** The loads of the members, at the same indexes as the members. */
    BackendLoads loads() {
        return loads;
    }

    /**
     * Returns a negative number if {@code a} has less {@linkplain BackendLoads#load load} per weight than {@code
     * b}.
     */
    long compareLoad(int a, int b, long nowNanos) {
        return (long) loads.load(a, nowNanos) * weights[b] - (long) loads.load(b, nowNanos) * weights[a];
    }

    /**
     * Returns the member with the lowest load per weight. If several members are tied, it returns the first of
     * them from {@code start} on, wrapping around.
     */
    int leastLoaded(int start, long nowNanos) {
        return loads.min(weights, start, nowNanos);
    }

    /** Returns an object that draws random members in proportion to their weights. */
    WeightedDraw draw() {
        return WeightedDraw.of(weights);
    }

    /** Returns whether a member may serve the request: it is neither full nor excluded. */
    boolean isOpen(int index, PickContext context) {
        return !loads.isFull(index) && !context.isExcluded(backends[index]);
    }

    /** Returns the first open member from {@code start}, wrapping around; null if no member is open. */
    @Nullable Backend openFrom(int start, PickContext context) {
        for (int i = start; i < backends.length; i++) {
            if (isOpen(i, context)) {
                return backends[i];
            }
        }
        for (int i = 0; i < start; i++) {
            if (isOpen(i, context)) {
                return backends[i];
            }
        }
        return null;
    }
}
