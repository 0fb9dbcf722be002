package io.ballast.dns.answer;

import io.ballast.dns.answer.data.NameLookupResult;
import io.ballast.dns.answer.data.Zone;
import io.ballast.dns.answer.data.ZoneStatsSlots;
import io.ballast.dns.stats.ZoneStats;
import io.ballast.dns.stats.ZoneStats.Outcome;

/** Counts the queries of one thread by zone and service. Thread safety: confined to that thread. Allocates nothing. */
final class ZoneStatsRecorder {

    private ZoneStatsSlots names;
    private ZoneStats.Shard shard;

    ZoneStatsRecorder(ZoneStatsSlots names) {
        this.names = names;
        this.shard = names.stats().newShard();
    }

    /** Uses the counter slots {@code next} for all later queries. */
    void use(ZoneStatsSlots next) {
        if (next.stats() != names.stats()) {
            shard = next.stats().newShard();
        }
        names = next;
    }

    /** Counts an answered query for a name in a zone. */
    void countZone(Zone zone, Outcome outcome) {
        shard.countZoneQuery(names.zone(zone), outcome);
    }

    /** Counts an answer for the service that the found name belongs to, if any. */
    void countService(NameLookupResult place) {
        names.countService(place, shard);
    }
}
