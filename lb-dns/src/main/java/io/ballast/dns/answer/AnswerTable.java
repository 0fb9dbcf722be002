package io.ballast.dns.answer;

import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Everything that queries are answered from, at one moment: the names, and the answers of each.
 *
 * <p>The names stay the same from table to table while answers change with the health of backends. Thread safety:
 * immutable.
 */
public final class AnswerTable {

    private final NameTable names;
    private final NameAnswers[] answers;
    private final ZoneAnswers[] zones;
    private final int cursors;

    private AnswerTable(NameTable names, NameAnswers[] answers, ZoneAnswers[] zones, int cursors) {
        this.names = names;
        this.answers = answers;
        this.zones = zones;
        this.cursors = cursors;
    }

    /**
     * A table of the given names.
     *
     * @param answers of each name, by its index
     * @param zones what is the same for all names of a zone, by its number
     * @param cursors how many cursors the answers use
     */
    public static AnswerTable of(
            NameHash hash, Collection<NameEntry> names, NameAnswers[] answers, ZoneAnswers[] zones, int cursors) {
        return new AnswerTable(new NameTable(hash, names), answers, zones, cursors);
    }

    /** A table with the same names and other answers. */
    public AnswerTable with(NameAnswers[] changed) {
        return new AnswerTable(names, changed, zones, cursors);
    }

    /** A table with the same names, and other answers everywhere. */
    public AnswerTable with(NameAnswers[] changed, ZoneAnswers[] changedZones) {
        return new AnswerTable(names, changed, changedZones, cursors);
    }

    /** The answers by the index of their name, for {@link #with}. */
    public NameAnswers[] copyOfAnswers() {
        return answers.clone();
    }

    /**
     * Where a name leads, null outside our zones. The longest existing name above one that does not exist decides (<a
     * href="https://datatracker.ietf.org/doc/html/rfc4592#section-3.3.1">RFC 4592 section 3.3.1</a>).
     *
     * @param name whose suffixes are hashed
     */
    @Nullable Place find(QueryName name, int type) {
        NameEntry exact = names.find(name, 0);
        if (exact != null) {
            Place parentSide = exact.parentSide();
            return type == RecordType.DS && parentSide != null ? parentSide : exact.here();
        }
        for (int suffix = 1; suffix <= name.labels(); suffix++) {
            NameEntry encloser = names.find(name, suffix);
            if (encloser != null) {
                return encloser.below();
            }
        }
        return null;
    }

    NameAnswers answers(int index) {
        return answers[index];
    }

    ZoneAnswers zone(Zone zone) {
        return zones[zone.number()];
    }

    /** How many cursors the answers use. */
    int cursors() {
        return cursors;
    }
}
