package io.ballast.dns.answer.data;

import io.ballast.dns.wire.NameIndex;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import org.jspecify.annotations.Nullable;

/**
 * An immutable snapshot of the answers of one zone. An {@link AnswerTable} has one table per zone, so a
 * change of a zone replaces only the table of that zone.
 *
 * <p>Thread safety: immutable.
 */
public final class ZoneTable {

    private final Zone zone;
    private final StoredNames names;
    private final NameAnswers[] answers;
    private final ZoneAnswers common;

    /**
     * @param names names of the zone
     * @param answers answers of names with a {@link NameEntry}, by index; not copied
     * @param common data that all names share
     */
    public ZoneTable(Zone zone, StoredNames names, NameAnswers[] answers, ZoneAnswers common) {
        this.zone = zone;
        this.names = names;
        this.answers = answers;
        this.common = common;
    }

    /** Returns a table with the same names and the answers {@code changed}. The array is not copied. */
    public ZoneTable with(NameAnswers[] changed) {
        return new ZoneTable(zone, names, changed, common);
    }

    /** Returns a copy of the array of answers, by name index, for {@link #with}. */
    public NameAnswers[] copyOfAnswers() {
        return answers.clone();
    }

    public Zone zone() {
        return zone;
    }

    public StoredNames names() {
        return names;
    }

    ZoneAnswers common() {
        return common;
    }

    /**
     * Looks up a name in the zone. If the name does not exist, its closest encloser determines the result (<a
     * href="https://datatracker.ietf.org/doc/html/rfc4592#section-3.3.1">RFC 4592 section 3.3.1</a>).
     *
     * @param name name with hashed suffixes
     * @param apexSuffix the suffix of {@code name} that is the zone name
     * @param into reusable object, which may be filled in and returned
     */
    NameLookupResult find(QueryName name, int apexSuffix, int type, NameLookupResult into) {
        int exact = names.find(name, 0);
        if (exact != NameIndex.NONE) {
            return names.findAt(exact, type == RecordType.DS, into);
        }
        for (int suffix = 1; suffix <= apexSuffix; suffix++) {
            int encloser = names.find(name, suffix);
            if (encloser != NameIndex.NONE) {
                return names.findBelow(encloser, into);
            }
        }
        throw new IllegalStateException("the zone has no entry for its own name");
    }

    /** Looks up the DS record of a child zone; returns null if this zone does not delegate the name. */
    @Nullable NameLookupResult parentSide(QueryName name, NameLookupResult into) {
        int exact = names.find(name, 0);
        return exact == NameIndex.NONE || !names.isDelegated(exact)
                ? null
                : names.findAt(exact, /* parentSide= */ true, into);
    }

    NameData answers(int index, StoredName stored) {
        return index >= 0 ? answers[index] : stored.moveTo(names, ~index);
    }
}
