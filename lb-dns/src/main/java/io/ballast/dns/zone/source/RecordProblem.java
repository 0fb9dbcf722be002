package io.ballast.dns.zone.source;

import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/**
 * A problem of a record whose position in its file is not known yet.
 *
 * @param name the record's owner, in lower case
 * @param type the type of the record; {@link Type#ANY} for the first record of the name
 * @param record the exact record; null for the first record of the type
 */
record RecordProblem(Name name, int type, @Nullable Record record, String message) {

    /** Whether the problem is about the given record, which has the same name. */
    boolean isAbout(Record found) {
        return (type == Type.ANY || type == found.getType()) && (record == null || record.equals(found));
    }

    /** Returns the message with the record's name. */
    String text() {
        return name + ": " + message;
    }
}
