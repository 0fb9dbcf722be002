package io.ballast.dns.answer;

import io.ballast.core.stats.Counters;
import io.ballast.dns.stats.DnsCounter;

/**
 * Creates the per-thread handlers of names outside the zones. Compared by identity.
 *
 * <p>Thread safety: may be called from any thread.
 */
@FunctionalInterface
public interface NonLocalResolverFactory {

    /**
     * Creates the resolver of the calling thread.
     *
     * @param counters the calling thread's shard
     */
    NonLocalResolver forThread(Counters.Shard<DnsCounter> counters);
}
