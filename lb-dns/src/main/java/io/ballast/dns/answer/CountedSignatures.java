package io.ballast.dns.answer;

import io.ballast.core.stats.Counters;
import io.ballast.dns.dnssec.OnDemandCounters;
import io.ballast.dns.stats.DnsCounter;

/** Counts signatures that are made on demand. */
record CountedSignatures(Counters.Shard<DnsCounter> counters) implements OnDemandCounters {

    @Override
    public void countSigned() {
        counters.increment(DnsCounter.SIGNED);
    }

    @Override
    public void countRefused() {
        counters.increment(DnsCounter.SIGNATURES_REFUSED);
    }
}
