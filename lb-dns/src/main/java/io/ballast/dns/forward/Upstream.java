package io.ballast.dns.forward;

import io.ballast.core.pool.Pool;
import io.ballast.dns.config.forward.DnsForwardConfig.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * A pool of resolvers with its protocol.
 *
 * @param group number of this upstream; a reload keeps the number if pool and protocol are unchanged
 * @param path the path of {@link Protocol#DOH} requests
 * @param subnet the client subnet policy; null for none
 * @param options the policy of clients' EDNS options; null to forward none
 */
public record Upstream(
        int group,
        Pool pool,
        Protocol protocol,
        String path,
        @Nullable SubnetPolicy subnet,
        @Nullable OptionPolicy options) {}
