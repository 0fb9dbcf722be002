package io.ballast.dns.answer;

import io.ballast.dns.stats.ZoneStats;
import org.jspecify.annotations.Nullable;

/**
 * Where the queries of each zone and service are counted.
 *
 * @param zones the slots of zones by their {@link Zone#number}; zones behind the end are {@link ZoneStats#OTHER}
 * @param services the slots of services by {@link Zone#number} and the index of their answers; {@link
 *     ZoneStats#UNCOUNTED} where another name stands, and behind the end; null for a zone without services
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; read by queries
public record CountedNames(ZoneStats stats, int[] zones, int[] @Nullable [] services) {

    /** All zones together. */
    static CountedNames none() {
        return new CountedNames(new ZoneStats(), new int[0], new int[0][]);
    }

    int zone(Zone zone) {
        return zone.number() < zones.length ? zones[zone.number()] : ZoneStats.OTHER_SLOT;
    }

    int service(Place place) {
        int number = place.zone().number();
        int[] inZone = number < services.length ? services[number] : null;
        int index = place.index();
        return inZone != null && index >= 0 && index < inZone.length ? inZone[index] : ZoneStats.UNCOUNTED;
    }
}
