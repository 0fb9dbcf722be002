package io.ballast.dns.forward;

import io.ballast.core.config.DnsForwardConfig;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers of groups of resolvers, which stay the same over reloads: what is kept of one is not given for another.
 *
 * <p>Thread safety: any thread may call it.
 */
final class UpstreamGroups {

    private final Map<DnsForwardConfig.Upstream, Integer> numbers = new HashMap<>();

    synchronized int number(DnsForwardConfig.Upstream upstream) {
        return numbers.computeIfAbsent(upstream, unknown -> numbers.size());
    }
}
