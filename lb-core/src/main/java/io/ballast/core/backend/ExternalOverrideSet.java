package io.ballast.core.backend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The external overrides of one backend, at most one from each source, and their combined effect. Immutable.
 *
 * <p>{@code down} takes precedence over {@code drain}, and {@code drain} over {@code up}: each source may take a
 * backend out of service, and no other source can prevent it. The lowest weight applies. Between equal states or
 * weights, the oldest override is named as the cause.
 *
 * @param all the overrides, sorted by source
 */
public record ExternalOverrideSet(List<ExternalOverride> all) {

    public static final ExternalOverrideSet EMPTY = new ExternalOverrideSet(List.of());

    private static final Comparator<ExternalOverride> OLDEST =
            Comparator.comparing(ExternalOverride::since).thenComparing(ExternalOverride::source);

    public ExternalOverrideSet {
        all = all.stream()
                .sorted(Comparator.comparing(ExternalOverride::source))
                .toList();
    }

    /** Returns the override of a source. */
    public Optional<ExternalOverride> of(String source) {
        return all.stream().filter(each -> each.source().equals(source)).findFirst();
    }

    /** Returns a set in which {@code added} replaces the earlier override of its source. */
    public ExternalOverrideSet with(ExternalOverride added) {
        List<ExternalOverride> next = new ArrayList<>(without(added.source()).all);
        next.add(added);
        return new ExternalOverrideSet(next);
    }

    /** Returns a set without the override of a source. */
    public ExternalOverrideSet without(String source) {
        return new ExternalOverrideSet(
                all.stream().filter(each -> !each.source().equals(source)).toList());
    }

    /** Returns the override that decides the state; its {@link ExternalOverride#state} is present. */
    public Optional<ExternalOverride> decidingState() {
        return all.stream()
                .filter(each -> each.state().isPresent())
                .min(Comparator.<ExternalOverride, ExternalOverride.State>comparing(
                                each -> each.state().orElseThrow())
                        .reversed()
                        .thenComparing(OLDEST));
    }

    /** Returns the override that decides the weight; its {@link ExternalOverride#weight} is present. */
    public Optional<ExternalOverride> decidingWeight() {
        return all.stream()
                .filter(each -> each.weight().isPresent())
                .min(Comparator.<ExternalOverride>comparingInt(
                                each -> each.weight().orElseThrow())
                        .thenComparing(OLDEST));
    }

    /** Returns whether the overrides alone would stop new requests to the backend. */
    public boolean isTakenOut() {
        return decidingState()
                        .filter(each -> !each.state().orElseThrow().state().isUsable())
                        .isPresent()
                || decidingWeight()
                        .filter(each -> each.weight().orElseThrow() == 0)
                        .isPresent();
    }
}
