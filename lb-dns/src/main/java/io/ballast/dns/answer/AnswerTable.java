package io.ballast.dns.answer;

import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that queries are answered from, at one moment: a {@link ZoneTable} for each zone.
 *
 * <p>A table that replaces another one shares with it all that has not changed. Thread safety: immutable.
 */
public final class AnswerTable {

    private final ApexIndex apexes;
    /** By the numbers of zones; null where a number has no zone. */
    private final @Nullable ZoneTable[] zones;

    private final int cursors;

    private AnswerTable(ApexIndex apexes, @Nullable ZoneTable[] zones, int cursors) {
        this.apexes = apexes;
        this.zones = zones;
        this.cursors = cursors;
    }

    /**
     * A table of the given zones.
     *
     * @param apexes the names of the zones
     * @param zones by the numbers of zones; null where a number has no zone; not copied
     * @param cursors how many cursors the answers use
     */
    public static AnswerTable of(ApexIndex apexes, @Nullable ZoneTable[] zones, int cursors) {
        return new AnswerTable(apexes, zones, cursors);
    }

    /** A table with other answers in some zones. Cost: a reference for each zone, and no more. */
    public AnswerTable with(List<ZoneTable> changed) {
        @Nullable ZoneTable[] next = zones.clone();
        changed.forEach(zone -> next[zone.zone().number()] = zone);
        return new AnswerTable(apexes, next, cursors);
    }

    /** What a zone answers; the number is one of a zone of this table. */
    public ZoneTable zone(int number) {
        ZoneTable zone = zones[number];
        if (zone == null) {
            throw new IllegalStateException("no zone has the number " + number);
        }
        return zone;
    }

    /** How many names exist in all zones. Not for the hot path. */
    public int nameCount() {
        int count = 0;
        for (ZoneTable zone : zones) {
            count += zone == null ? 0 : zone.names().count();
        }
        return count;
    }

    /**
     * Where a name leads, null outside our zones. The innermost zone decides, except for a DS record: that of a zone inside
     * another one of ours stands in the outer zone.
     *
     * @param name whose suffixes are hashed
     * @param into the thread's own, which may be filled in and returned
     */
    @Nullable Place find(QueryName name, int type, Place into) {
        for (int suffix = apexes.first(name); suffix <= name.labels(); suffix++) {
            int number = apexes.number(name, suffix);
            if (number != ApexIndex.NONE) {
                Place above = suffix == 0 && type == RecordType.DS ? parentSide(name, into) : null;
                return above != null ? above : zone(number).find(name, suffix, type, into);
            }
        }
        return null;
    }

    /** Where the DS record of a zone of ours stands; null if the zone around it is not ours, or does not delegate it. */
    private @Nullable Place parentSide(QueryName apex, Place into) {
        for (int suffix = 1; suffix <= apex.labels(); suffix++) {
            int number = apexes.number(apex, suffix);
            if (number != ApexIndex.NONE) {
                return zone(number).parentSide(apex, into);
            }
        }
        return null;
    }

    /**
     * What the name at a place has.
     *
     * @param stored the thread's own, which may be moved there and returned
     */
    NameData answers(Place place, StoredName stored) {
        return zone(place.zone().number()).answers(place.index(), stored);
    }

    ZoneAnswers zone(Zone zone) {
        return zone(zone.number()).common();
    }

    /** How many cursors the answers use. */
    int cursors() {
        return cursors;
    }
}
