package io.ballast.dns.answer;

import io.ballast.dns.wire.NameIndex;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import org.jspecify.annotations.Nullable;

/**
 * Everything that queries are answered from, at one moment: the names, and the answers of each.
 *
 * <p>The names stay the same from table to table while answers change with the health of backends. Thread safety:
 * immutable.
 */
public final class AnswerTable {

    private final StoredNames names;
    private final NameAnswers[] answers;
    private final ZoneAnswers[] zones;
    private final int cursors;

    private AnswerTable(StoredNames names, NameAnswers[] answers, ZoneAnswers[] zones, int cursors) {
        this.names = names;
        this.answers = answers;
        this.zones = zones;
        this.cursors = cursors;
    }

    /**
     * A table of the given names.
     *
     * @param answers of each name that has a {@link NameEntry}, by its index
     * @param zones what is the same for all names of a zone, by its number
     * @param cursors how many cursors the answers use
     */
    public static AnswerTable of(StoredNames names, NameAnswers[] answers, ZoneAnswers[] zones, int cursors) {
        return new AnswerTable(names, answers, zones, cursors);
    }

    /** A table with the same names and other answers. */
    public AnswerTable with(NameAnswers[] changed) {
        return new AnswerTable(names, changed, zones, cursors);
    }

    /** A table with the same names, which may be signed otherwise, and other answers everywhere. */
    public AnswerTable with(StoredNames changedNames, NameAnswers[] changed, ZoneAnswers[] changedZones) {
        return new AnswerTable(changedNames, changed, changedZones, cursors);
    }

    /** The answers by the index of their name, for {@link #with}. */
    public NameAnswers[] copyOfAnswers() {
        return answers.clone();
    }

    /** All names. */
    public StoredNames names() {
        return names;
    }

    /**
     * Where a name leads, null outside our zones. The longest existing name above one that does not exist decides (<a
     * href="https://datatracker.ietf.org/doc/html/rfc4592#section-3.3.1">RFC 4592 section 3.3.1</a>).
     *
     * @param name whose suffixes are hashed
     * @param into the thread's own, which may be filled in and returned
     */
    @Nullable Place find(QueryName name, int type, Place into) {
        int exact = names.find(name, 0);
        if (exact != NameIndex.NONE) {
            return names.here(exact, type == RecordType.DS, into);
        }
        for (int suffix = 1; suffix <= name.labels(); suffix++) {
            int encloser = names.find(name, suffix);
            if (encloser != NameIndex.NONE) {
                return names.below(encloser, into);
            }
        }
        return null;
    }

    /**
     * What the name at a place has.
     *
     * @param stored the thread's own, which may be moved there and returned
     */
    NameData answers(int index, StoredName stored) {
        return index >= 0 ? answers[index] : stored.moveTo(names, ~index);
    }

    ZoneAnswers zone(Zone zone) {
        return zones[zone.number()];
    }

    /** How many cursors the answers use. */
    int cursors() {
        return cursors;
    }
}
