package io.ballast.dns.answer.forwarded;

import io.ballast.core.net.CidrSet;
import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.ElsewhereSource;
import io.ballast.dns.answer.NamesElsewhere;
import io.ballast.dns.forward.Forwarding;
import io.ballast.dns.stats.DnsCounter;
import java.util.function.LongSupplier;

/**
 * Resolves names outside the zones through resolvers. Immutable.
 *
 * @param nanoTime the clock for the age of answers
 * @param ecsTrusted clients whose client subnet (ECS) is trusted
 */
public record ForwardedSource(Forwarding forwarding, ForwardLoops loops, LongSupplier nanoTime, CidrSet ecsTrusted)
        implements ElsewhereSource {

    @Override
    public NamesElsewhere forThread(Counters.Shard<DnsCounter> counters) {
        return new ForwardedNames(forwarding, loops, counters, nanoTime, ecsTrusted);
    }
}
