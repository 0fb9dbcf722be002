package io.ballast.dns.config.forward;

import java.util.List;
import java.util.Optional;

/**
 * Whose queries are filtered how, and what no resolver may answer.
 *
 * @param groups clients that are filtered otherwise than the rest; only with a filter
 * @param rebind absent to give every address that resolvers do
 */
public record DnsPolicyConfig(List<DnsClientGroup> groups, Optional<DnsRebindConfig> rebind) {

    /** Everybody is filtered alike, and every address is given. */
    public static final DnsPolicyConfig NONE = new DnsPolicyConfig(List.of(), Optional.empty());

    /** Most different choices of lists in all groups: every answer is judged by each. */
    public static final int MAX_LIST_SELECTIONS = 32;

    public DnsPolicyConfig {
        groups = List.copyOf(groups);
    }
}
