package io.ballast.dns.forward.filter.list;

import io.ballast.dns.forward.filter.rule.BroadRule;
import io.ballast.dns.forward.filter.rule.RefusedLine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How a list fares.
 *
 * @param isEnabled whether its rules count
 * @param rules how many it has
 * @param refused how many lines were refused
 * @param refusals the first of them
 * @param broad how many rules are about a whole top level, or about almost every name or address
 * @param broadRules the first of them
 * @param cosmetic how many lines were passed over because they are about elements of pages
 * @param lastSuccess when it was last read, or its source last said that it has not changed
 * @param lastFailure when that last failed; empty once it has succeeded since
 * @param problem why it failed, or a warning about what was read; empty if there is nothing to tell
 */
public record ListState(
        int id,
        String name,
        boolean isEnabled,
        int rules,
        int refused,
        List<RefusedLine> refusals,
        int broad,
        List<BroadRule> broadRules,
        int cosmetic,
        Optional<Instant> lastSuccess,
        Optional<Instant> lastFailure,
        String problem) {

    /** How old its rules are; empty if they were never read. */
    public Optional<Duration> age(Instant now) {
        return lastSuccess.map(read -> Duration.between(read, now));
    }
}
