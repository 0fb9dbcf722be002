package io.ballast.dns.config.forward;

import java.util.List;
import java.util.Optional;

/**
 * Filter policies of clients, and answers of resolvers that are rejected.
 *
 * @param groups clients with another policy than the default; only with a filter
 * @param rebind absent to accept all addresses
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
