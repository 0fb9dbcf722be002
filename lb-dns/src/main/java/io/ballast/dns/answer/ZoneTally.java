package io.ballast.dns.answer;

import io.ballast.dns.stats.ZoneStats;
import io.ballast.dns.stats.ZoneStats.Outcome;

/** Counts the queries of one thread by zone and service. Thread safety: confined to that thread. Allocates nothing. */
final class ZoneTally {

    private CountedNames names;
    private ZoneStats.Shard shard;

    ZoneTally(CountedNames names) {
        this.names = names;
        this.shard = names.stats().newShard();
    }

    /** From the next query on, these are counted. */
    void use(CountedNames next) {
        if (next.stats() != names.stats()) {
            shard = next.stats().newShard();
        }
        names = next;
    }

    /** A query for a name in a zone was answered. */
    void zone(Zone zone, Outcome outcome) {
        shard.zone(names.zone(zone), outcome);
    }

    /** The answer comes from the name at a place, which may be a service. */
    void answeredBy(Place place) {
        shard.service(names.service(place));
    }
}
