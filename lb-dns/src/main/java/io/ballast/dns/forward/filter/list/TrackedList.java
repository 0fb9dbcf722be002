package io.ballast.dns.forward.filter.list;

import io.ballast.core.control.ScheduledTask;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import io.ballast.dns.forward.filter.FilterList;
import io.ballast.dns.forward.filter.rule.RuleSet;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A list and its state. Confined to the control plane. */
final class TrackedList {

    private static final Duration FILE_CHECK_INTERVAL = Duration.ofSeconds(10);
    private static final Duration FIRST_RETRY = Duration.ofMinutes(1);
    private static final int MAX_DOUBLINGS = 6;

    private ListSource source;
    private RuleSet rules = RuleSet.EMPTY;
    private @Nullable LoadedList lastLoaded;
    private @Nullable Instant lastFailureTime;
    private String problem = "";
    private int failures;

    /** The scheduled task that will read the list again. */
    @Nullable ScheduledTask nextRead;

    /** Whether an operator has accepted the next version in advance, regardless of its number of rules. */
    boolean acceptsAnySize;

    boolean isReading;
    boolean isRemoved;

    TrackedList(ListSource source) {
        this.source = source;
    }

    ListSource source() {
        return source;
    }

    /** Applies changed settings of the list. The location of the list must be the same as before. */
    void configure(ListSource changed) {
        source = changed;
    }

    RuleSet rules() {
        return rules;
    }

    @Nullable LoadedList lastLoaded() {
        return lastLoaded;
    }

    /** Returns the filter list with the given rules instead of its current rules. */
    FilterList toFilterList(RuleSet others) {
        return new FilterList(source.id(), source.name(), source.kind(), source.isEnabled(), others);
    }

    /** Applies a newly read version of the list. If its rules have not changed, the current rules stay in use. */
    void apply(LoadedList loaded) {
        RuleSet read = loaded.rules();
        if (read != null) {
            rules = read;
            acceptsAnySize = false;
        }
        problem = "";
        lastLoaded = new LoadedList(/* rules= */ null, loaded.validators(), loaded.file(), loaded.readTime());
        lastFailureTime = null;
        failures = 0;
    }

    /** Returns the minimum number of rules that the next version must have; 0 if any number is accepted. */
    int minRules() {
        boolean isGuarded = !acceptsAnySize && rules.size() >= RuleList.MIN_GUARDED_RULES;
        return isGuarded ? (int) Math.ceil(source.shrinkLimit() * rules.size()) : 0;
    }

    /**
     * Records a failure and keeps the rules.
     *
     * @return whether the reason has changed
     */
    boolean fail(String reason, Instant now) {
        boolean isNew = lastFailureTime == null || !reason.equals(problem);
        lastFailureTime = now;
        problem = reason;
        failures++;
        return isNew;
    }

    /** Removes the rules of the list. */
    void clearRules() {
        rules = RuleSet.EMPTY;
        lastLoaded = null;
        lastFailureTime = null;
        problem = "";
        failures = 0;
    }

    /** Time until the next read. */
    Duration delayUntilNextRead(Instant now) {
        if (source.location() instanceof ListLocation.InFile) {
            return FILE_CHECK_INTERVAL.multipliedBy(1L << Math.min(failures, MAX_DOUBLINGS));
        }
        if (failures > 0) {
            Duration retry = FIRST_RETRY.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS));
            return retry.compareTo(source.refresh()) < 0 ? retry : source.refresh();
        }
        if (lastLoaded == null) {
            return Duration.ZERO;
        }
        Duration remaining = source.refresh().minus(Duration.between(lastLoaded.readTime(), now));
        return remaining.isNegative()
                ? Duration.ZERO
                : remaining.compareTo(source.refresh()) > 0 ? source.refresh() : remaining;
    }

    ListState state() {
        return new ListState(
                source.id(),
                source.name(),
                source.isEnabled(),
                rules.size(),
                rules.refusedCount(),
                rules.refusals(),
                rules.broadCount(),
                rules.broadRules(),
                rules.cosmeticCount(),
                Optional.ofNullable(lastLoaded).map(LoadedList::readTime),
                Optional.ofNullable(lastFailureTime),
                problem);
    }
}
