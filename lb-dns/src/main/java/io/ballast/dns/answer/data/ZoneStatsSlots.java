package io.ballast.dns.answer.data;

import io.ballast.dns.stats.ZoneStats;
import org.jspecify.annotations.Nullable;

/**
 * Maps zones and services to the slots of their query counters.
 *
 * @param zones slots by {@link Zone#number}; zones beyond the end of the array use {@link ZoneStats#OTHER}
 * @param services slots by {@link Zone#number} and index of the answers. Names that are not services have
 *     {@link #NO_SERVICE}, or are beyond the end of the array. Null for a zone without services
 */
@SuppressWarnings("ArrayRecordComponent") // fields are never compared; queries read the arrays
public record ZoneStatsSlots(ZoneStats stats, int[] zones, int[] @Nullable [] services) {

    /** Marks an index in {@link #services} that does not belong to a service. */
    public static final int NO_SERVICE = -1;

    /** Returns an instance without separate slots: queries of all zones are counted together. */
    static ZoneStatsSlots none() {
        return new ZoneStatsSlots(new ZoneStats(), new int[0], new int[0][]);
    }

    public int zone(Zone zone) {
        return zone.number() < zones.length ? zones[zone.number()] : ZoneStats.OTHER_SLOT;
    }

    /** Counts an answer for the found name, if the name belongs to a service. */
    public void countService(NameLookupResult place, ZoneStats.Shard shard) {
        int number = place.zone().number();
        int[] inZone = number < services.length ? services[number] : null;
        int index = place.index();
        if (inZone != null && index >= 0 && index < inZone.length && inZone[index] != NO_SERVICE) {
            shard.countServiceQuery(inZone[index]);
        }
    }
}
