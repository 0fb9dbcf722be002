package io.ballast.dns.answer;

import io.ballast.dns.wire.NameIndex;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import org.jspecify.annotations.Nullable;

/**
 * What queries for names in one zone are answered from, at one moment. An {@link AnswerTable} has one for each zone, so that a
 * change of one zone replaces one of them and leaves all others.
 *
 * <p>Thread safety: immutable.
 */
public final class ZoneTable {

    private final Zone zone;
    private final StoredNames names;
    private final NameAnswers[] answers;
    private final ZoneAnswers common;

    /**
     * @param names of the zone
     * @param answers of each name that has a {@link NameEntry}, by its index; not copied
     * @param common what is the same for all names
     */
    public ZoneTable(Zone zone, StoredNames names, NameAnswers[] answers, ZoneAnswers common) {
        this.zone = zone;
        this.names = names;
        this.answers = answers;
        this.common = common;
    }

    /** The same names with other answers. The array is not copied. */
    public ZoneTable with(NameAnswers[] changed) {
        return new ZoneTable(zone, names, changed, common);
    }

    /** The answers by the index of their name, for {@link #with}. */
    public NameAnswers[] copyOfAnswers() {
        return answers.clone();
    }

    /** The zone. */
    public Zone zone() {
        return zone;
    }

    /** All names of the zone. */
    public StoredNames names() {
        return names;
    }

    ZoneAnswers common() {
        return common;
    }

    /**
     * Where a name in the zone leads. The longest existing name above one that does not exist decides (<a
     * href="https://datatracker.ietf.org/doc/html/rfc4592#section-3.3.1">RFC 4592 section 3.3.1</a>).
     *
     * @param name whose suffixes are hashed
     * @param apexSuffix the suffix of {@code name} that is the name of the zone
     * @param into may be filled in and returned
     */
    Place find(QueryName name, int apexSuffix, int type, Place into) {
        int exact = names.find(name, 0);
        if (exact != NameIndex.NONE) {
            return names.here(exact, type == RecordType.DS, into);
        }
        for (int suffix = 1; suffix <= apexSuffix; suffix++) {
            int encloser = names.find(name, suffix);
            if (encloser != NameIndex.NONE) {
                return names.below(encloser, into);
            }
        }
        throw new IllegalStateException("a zone without its own name");
    }

    /** Where the DS record of a zone inside this one stands; null if this one does not delegate the name. */
    @Nullable Place parentSide(QueryName name, Place into) {
        int exact = names.find(name, 0);
        return exact == NameIndex.NONE || !names.isDelegated(exact)
                ? null
                : names.here(exact, /* parentSide= */ true, into);
    }

    NameData answers(int index, StoredName stored) {
        return index >= 0 ? answers[index] : stored.moveTo(names, ~index);
    }
}
