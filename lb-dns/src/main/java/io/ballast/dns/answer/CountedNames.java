package io.ballast.dns.answer;

import io.ballast.dns.stats.ZoneStats;

/**
 * Where the queries of each zone and service are counted.
 *
 * @param zones the slots of zones by their {@link Zone#number}; zones behind the end are {@link ZoneStats#OTHER}
 * @param services the slots of services by the index of their answers; {@link ZoneStats#UNCOUNTED} where another name
 *     stands, and behind the end
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; read by queries
public record CountedNames(ZoneStats stats, int[] zones, int[] services) {

    /** All zones together. */
    static CountedNames none() {
        return new CountedNames(new ZoneStats(), new int[0], new int[0]);
    }

    int zone(Zone zone) {
        return zone.number() < zones.length ? zones[zone.number()] : ZoneStats.OTHER_SLOT;
    }

    int service(int index) {
        return index >= 0 && index < services.length ? services[index] : ZoneStats.UNCOUNTED;
    }
}
