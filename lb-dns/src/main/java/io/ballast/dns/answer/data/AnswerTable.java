package io.ballast.dns.answer.data;

import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable snapshot of all answers: it contains a {@link ZoneTable} for each zone.
 *
 * <p>A new table shares all unchanged parts with the previous one. Thread safety: immutable.
 */
public final class AnswerTable {

    private final ApexIndex apexes;
    /** Tables by zone number; null for unused numbers. */
    private final @Nullable ZoneTable[] zones;

    private final int cursors;

    private AnswerTable(ApexIndex apexes, @Nullable ZoneTable[] zones, int cursors) {
        this.apexes = apexes;
        this.zones = zones;
        this.cursors = cursors;
    }

    /**
     * Returns a table of the given zones.
     *
     * @param apexes the zone names
     * @param zones tables by zone number; null for a number without a zone; not copied
     * @param cursors number of cursors that the answers use
     */
    public static AnswerTable of(ApexIndex apexes, @Nullable ZoneTable[] zones, int cursors) {
        return new AnswerTable(apexes, zones, cursors);
    }

    /**
     * Returns a table in which {@code changed} replaces the answers of some zones. Cost: copies one reference per
     * zone.
     */
    public AnswerTable with(List<ZoneTable> changed) {
        @Nullable ZoneTable[] next = zones.clone();
        changed.forEach(zone -> next[zone.zone().number()] = zone);
        return new AnswerTable(apexes, next, cursors);
    }

    /** Returns the answers of the zone that has the given number in this table. */
    public ZoneTable zone(int number) {
        ZoneTable zone = zones[number];
        if (zone == null) {
            throw new IllegalStateException("unknown zone number: " + number);
        }
        return zone;
    }

    /** The number of names in all zones. Not for the hot path. */
    public int nameCount() {
        int count = 0;
        for (ZoneTable zone : zones) {
            count += zone == null ? 0 : zone.names().count();
        }
        return count;
    }

    /**
     * Looks up a name; returns null if it is outside the zones. The innermost zone of the name is used, except
     * for type DS: if a zone lies within another of our zones, its DS record is in the outer zone.
     *
     * @param name name with hashed suffixes
     * @param into the thread's reusable object, which may be filled in and returned
     */
    public @Nullable NameLookupResult find(QueryName name, int type, NameLookupResult into) {
        for (int suffix = apexes.first(name); suffix <= name.labels(); suffix++) {
            int number = apexes.number(name, suffix);
            if (number != ApexIndex.NONE) {
                NameLookupResult above = suffix == 0 && type == RecordType.DS ? parentSide(name, into) : null;
                return above != null ? above : zone(number).find(name, suffix, type, into);
            }
        }
        return null;
    }

    /**
     * Looks up the DS record of a zone. Returns null if this server does not serve the parent zone, or if the
     * parent zone does not delegate the zone.
     */
    private @Nullable NameLookupResult parentSide(QueryName apex, NameLookupResult into) {
        for (int suffix = 1; suffix <= apex.labels(); suffix++) {
            int number = apexes.number(apex, suffix);
            if (number != ApexIndex.NONE) {
                return zone(number).parentSide(apex, into);
            }
        }
        return null;
    }

    /**
     * Returns the data of a name that was found.
     *
     * @param stored a reusable object of the calling thread; for a name in encoded form, it is set to this name
     *     and returned
     */
    public NameData answers(NameLookupResult place, StoredName stored) {
        return zone(place.zone().number()).answers(place.index(), stored);
    }

    public ZoneAnswers zone(Zone zone) {
        return zone(zone.number()).common();
    }

    /** The number of cursors that the answers use. */
    public int cursors() {
        return cursors;
    }
}
