package io.ballast.dns.forward.filter;

import io.ballast.core.net.CidrSet;
import io.ballast.dns.config.forward.DnsRebindConfig;
import io.ballast.dns.forward.filter.rule.FilterRule;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;

/**
 * The DNS rebinding protection: defines the addresses to which internet names must not resolve.
 *
 * <p>Thread safety: immutable.
 */
final class RebindGuard {

    /** The verdict about an answer with a private address. */
    static final long BLOCK_VERDICT = FilterVerdict.of(
            FilterVerdict.BY_REBINDING,
            FilterRule.block(/* line= */ 0, FilterRule.Subject.NETWORK, /* text= */ "")
                    .flags(),
            /* list= */ 0,
            /* rule= */ 0);

    private final NamePositions allowedNames;
    private final CidrSet networks;

    RebindGuard(DnsRebindConfig config, NameHash hash) {
        this.allowedNames = new NamePositions(hash, config.allow());
        this.networks = CidrSet.of(config.networks());
    }

    /** Returns whether a hashed name may have any address, including private ones. */
    boolean allows(QueryName name) {
        return allowedNames.findClosestEncloser(name) != NamePositions.NONE;
    }

    /** Returns whether an address in the form of {@link io.ballast.core.net.IpAddress} is private. */
    boolean isPrivate(long high, long low) {
        return networks.contains(high, low);
    }
}
