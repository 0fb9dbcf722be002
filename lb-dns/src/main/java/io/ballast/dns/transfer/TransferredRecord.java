package io.ballast.dns.transfer;

import io.ballast.dns.zone.contents.RecordSet;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.xbill.DNS.Record;

/**
 * A record in the form in which it is sent.
 *
 * @param ttl TTL of the record set, which may be less than the record's own TTL
 */
record TransferredRecord(Record record, long ttl) {

    static TransferredRecord of(Record record) {
        return new TransferredRecord(record, record.getTTL());
    }

    static List<TransferredRecord> of(RecordSet set) {
        return set.records().stream()
                .map(each -> new TransferredRecord(each, set.ttlOf(each)))
                .toList();
    }

    /** Returns the records of all sets as a lazy stream. */
    static Stream<TransferredRecord> of(Iterator<RecordSet> sets) {
        Iterable<RecordSet> all = () -> sets;
        return StreamSupport.stream(all.spliterator(), /* parallel= */ false).flatMap(set -> of(set).stream());
    }
}
