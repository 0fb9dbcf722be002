package io.ballast.dns.answer.forwarded;

import io.ballast.core.net.CidrSet;
import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.NonLocalResolver;
import io.ballast.dns.answer.NonLocalResolverFactory;
import io.ballast.dns.forward.ForwarderSnapshot;
import io.ballast.dns.stats.DnsCounter;
import java.util.function.LongSupplier;

/**
 * Resolves names outside the zones through resolvers. Immutable.
 *
 * @param nanoTime the clock for the age of answers
 * @param ecsTrusted clients whose client subnet (ECS) is trusted
 */
public record ForwardedSource(
        ForwarderSnapshot forwarding, ForwardLoops loops, LongSupplier nanoTime, CidrSet ecsTrusted)
        implements NonLocalResolverFactory {

    @Override
    public NonLocalResolver forThread(Counters.Shard<DnsCounter> counters) {
        return new ForwardedResolver(forwarding, loops, counters, nanoTime, ecsTrusted);
    }
}
