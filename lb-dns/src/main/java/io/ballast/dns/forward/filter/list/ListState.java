package io.ballast.dns.forward.filter.list;

import io.ballast.dns.forward.filter.rule.BroadRule;
import io.ballast.dns.forward.filter.rule.RefusedLine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of a list.
 *
 * @param isEnabled whether the rules of the list apply
 * @param ruleCount number of rules
 * @param refusedCount number of rejected lines
 * @param refusals the first rejected lines
 * @param broadCount number of rules for a whole top-level domain, or for almost all names or addresses
 * @param broadRules the first of these broad rules
 * @param cosmeticCount number of ignored lines about elements of web pages
 * @param lastSuccess time of the last successful read or revalidation
 * @param lastFailure time of the last failure; empty after a success
 * @param problem the reason of the failure, or a warning; empty if there is none
 */
public record ListState(
        int id,
        String name,
        boolean isEnabled,
        int ruleCount,
        int refusedCount,
        List<RefusedLine> refusals,
        int broadCount,
        List<BroadRule> broadRules,
        int cosmeticCount,
        Optional<Instant> lastSuccess,
        Optional<Instant> lastFailure,
        String problem) {

    /** Returns the age of the list's rules; empty if they were never read. */
    public Optional<Duration> age(Instant now) {
        return lastSuccess.map(read -> Duration.between(read, now));
    }
}
