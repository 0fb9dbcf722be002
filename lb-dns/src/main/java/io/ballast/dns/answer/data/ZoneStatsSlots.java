package io.ballast.dns.answer.data;

import io.ballast.dns.stats.ZoneStats;
import org.jspecify.annotations.Nullable;

/**
 * Maps zones and services to the slots of their query counters.
 *
 * @param zones slots by {@link Zone#number}; zones beyond the end of the array use {@link ZoneStats#OTHER}
 * @param services slots by {@link Zone#number} and index of the answers. Names that are not services, or
 *     beyond the end of the array, use {@link ZoneStats#UNCOUNTED}. Null for a zone without services
 */
@SuppressWarnings("ArrayRecordComponent") // fields are never compared; queries read the arrays
public record ZoneStatsSlots(ZoneStats stats, int[] zones, int[] @Nullable [] services) {

    /** Returns slots that count all zones together. */
    static ZoneStatsSlots none() {
        return new ZoneStatsSlots(new ZoneStats(), new int[0], new int[0][]);
    }

    public int zone(Zone zone) {
        return zone.number() < zones.length ? zones[zone.number()] : ZoneStats.OTHER_SLOT;
    }

    public int service(NameLookupResult place) {
        int number = place.zone().number();
        int[] inZone = number < services.length ? services[number] : null;
        int index = place.index();
        return inZone != null && index >= 0 && index < inZone.length ? inZone[index] : ZoneStats.UNCOUNTED;
    }
}
