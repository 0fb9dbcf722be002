package io.ballast.dns.forward;

import io.ballast.core.pool.Pool;
import io.ballast.dns.config.forward.DnsForwardConfig.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Who is asked, and how.
 *
 * @param group its number: that of the same pool, asked in the same way, is the same after a reload
 * @param path of requests by {@link Protocol#DOH}
 * @param subnet what is told of clients' networks; null if nothing is, whoever asks
 */
public record Upstream(
        int group,
        Pool pool,
        Protocol protocol,
        String path,
        @Nullable SubnetPolicy subnet) {}
