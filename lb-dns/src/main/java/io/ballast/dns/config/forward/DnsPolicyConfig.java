package io.ballast.dns.config.forward;

import java.util.List;
import java.util.Optional;

/**
 * The filter policies of client groups, and the rejection of resolver answers with internal addresses.
 *
 * @param groups clients whose policy differs from the default; requires a filter
 * @param rebind the protection against DNS rebinding; absent to accept all addresses
 */
public record DnsPolicyConfig(List<DnsClientGroup> groups, Optional<DnsRebindConfig> rebind) {

    /** The policy without groups, in which answers with any address are accepted. */
    public static final DnsPolicyConfig NONE = new DnsPolicyConfig(List.of(), Optional.empty());

    /**
     * Maximum number of different list selections in all groups. It is limited, because every answer is evaluated
     * for each selection.
     */
    public static final int MAX_LIST_SELECTIONS = 32;

    public DnsPolicyConfig {
        groups = List.copyOf(groups);
    }
}
