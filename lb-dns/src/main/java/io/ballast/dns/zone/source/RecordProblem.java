package io.ballast.dns.zone.source;

import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/**
 * Something about a record whose place in its file is not known yet.
 *
 * @param name the record's owner, in lower case
 * @param type of the record; {@link Type#ANY} for the first of the name
 * @param record that very one; null for the first of its type
 */
record RecordProblem(Name name, int type, @Nullable Record record, String message) {

    /** Whether it is about a record of its name. */
    boolean isAbout(Record found) {
        return (type == Type.ANY || type == found.getType()) && (record == null || record.equals(found));
    }

    /** Describes the problem with the name. */
    String text() {
        return name + ": " + message;
    }
}
