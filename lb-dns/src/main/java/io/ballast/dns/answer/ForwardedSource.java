package io.ballast.dns.answer;

import io.ballast.core.net.CidrSet;
import io.ballast.core.stats.Counters;
import io.ballast.dns.forward.Forwarding;
import io.ballast.dns.stats.DnsCounter;
import java.util.function.LongSupplier;

/**
 * Has names outside the zones answered by resolvers. Immutable.
 *
 * @param nanoTime the clock by which answers age
 * @param ecsTrusted clients that are believed when they tell a network
 */
public record ForwardedSource(Forwarding forwarding, ForwardLoops loops, LongSupplier nanoTime, CidrSet ecsTrusted)
        implements ElsewhereSource {

    @Override
    public NamesElsewhere forThread(Counters.Shard<DnsCounter> counters) {
        return new ForwardedNames(forwarding, loops, counters, nanoTime, ecsTrusted);
    }
}
