package io.ballast.dns.secondary;

import io.ballast.dns.zonefile.ZoneFileWriter;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.xbill.DNS.Record;

/**
 * The differences between two versions of a zone, with any number of versions between them. A record that was
 * added and removed again is in neither set. Confined to the transfer thread.
 */
final class ZoneDifferences {

    private final Set<RecordWithTtl> removed = new LinkedHashSet<>();
    private final Set<RecordWithTtl> added = new LinkedHashSet<>();

    /** A record with its TTL, which dnsjava does not compare. */
    private record RecordWithTtl(Record record, long ttl) {

        static RecordWithTtl of(Record record) {
            return new RecordWithTtl(record, record.getTTL());
        }
    }

    void add(Record record) {
        RecordWithTtl whole = RecordWithTtl.of(record);
        if (!removed.remove(whole)) {
            added.add(whole);
        }
    }

    void remove(Record record) {
        RecordWithTtl whole = RecordWithTtl.of(record);
        if (!added.remove(whole)) {
            removed.add(whole);
        }
    }

    /**
     * Returns whether the new version also contains a record of the previous version. Must be called once for
     * each record of the previous version.
     */
    boolean isRetained(Record record) {
        RecordWithTtl whole = RecordWithTtl.of(record);
        added.remove(whole); // the previous version already contains it
        return !removed.remove(whole);
    }

    /**
     * Writes the added records after all records of the previous version were processed.
     *
     * @throws UnusableException if a removed record did not exist
     */
    void writeAdded(ZoneFileWriter writer) throws IOException {
        if (!removed.isEmpty()) {
            throw new UnusableException("the incremental transfer does not match the stored version: "
                    + removed.iterator().next().record().getName() + " does not have the record to be removed");
        }
        for (RecordWithTtl each : added) {
            writer.write(each.record());
        }
    }
}
