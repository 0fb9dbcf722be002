package io.ballast.dns.answer;

import io.ballast.dns.answer.data.CountedNames;
import io.ballast.dns.answer.data.Place;
import io.ballast.dns.answer.data.Zone;
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

    /** Uses these counter slots from the next query on. */
    void use(CountedNames next) {
        if (next.stats() != names.stats()) {
            shard = next.stats().newShard();
        }
        names = next;
    }

    /** Counts an answered query for a name in a zone. */
    void zone(Zone zone, Outcome outcome) {
        shard.zone(names.zone(zone), outcome);
    }

    /** Counts an answer from the name at a place, if it is a service. */
    void answeredBy(Place place) {
        shard.service(names.service(place));
    }
}
