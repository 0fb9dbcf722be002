package io.ballast.dns.update;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;

/**
 * Merges changes of a configured zone file into the dynamically updated zone: records removed from the file are removed
 * from the zone, added records are added, and other updates are kept. Any thread may call it.
 */
final class ZoneMerger {

    private ZoneMerger() {}

    /** A record with its TTL, which dnsjava does not compare. */
    private record RecordWithTtl(Record record, long ttl) {

        static RecordWithTtl of(Record record) {
            return new RecordWithTtl(record, record.getTTL());
        }
    }

    /**
     * Returns the merged records of a zone, its SOA record first.
     *
     * @param base records of the configured zone file when it was last merged
     * @param own current records of the configured zone file
     * @param kept current records of the zone, including dynamic updates
     * @return {@code kept} itself if the configured zone file has not changed
     */
    static List<Record> merge(List<Record> base, List<Record> own, List<Record> kept) {
        Set<RecordWithTtl> before = wholes(base);
        Set<RecordWithTtl> now = wholes(own);
        if (before.equals(now)) {
            return kept;
        }
        Set<RecordWithTtl> merged = new LinkedHashSet<>();
        for (RecordWithTtl each : wholes(kept)) {
            if (now.contains(each) || !before.contains(each)) {
                merged.add(each);
            }
        }
        for (RecordWithTtl each : now) {
            if (!before.contains(each)) {
                merged.add(each);
            }
        }
        List<Record> records = new ArrayList<>();
        SOARecord start = mergeSoa(base, own, kept);
        records.add(start);
        merged.stream()
                .map(RecordWithTtl::record)
                .filter(record -> !(record instanceof SOARecord))
                .forEach(records::add);
        return records;
    }

    /**
     * Returns the SOA record of the configured zone file if it has changed, otherwise the current SOA record of the
     * zone. The serial of the result is later than both serials.
     */
    private static SOARecord mergeSoa(List<Record> base, List<Record> own, List<Record> kept) {
        SOARecord present = soa(kept);
        SOARecord given = soa(own);
        SOARecord from = isEqualExceptSerial(soa(base), given) ? present : given;
        long next = Update.nextSerial(present.getSerial());
        long serial = (int) (given.getSerial() - next) > 0 ? given.getSerial() : next;
        return Update.withSerial(from, serial);
    }

    private static boolean isEqualExceptSerial(SOARecord one, SOARecord other) {
        return Update.withSerial(one, 0).equals(Update.withSerial(other, 0)) && one.getTTL() == other.getTTL();
    }

    private static SOARecord soa(List<Record> records) {
        return records.stream()
                .filter(SOARecord.class::isInstance)
                .map(SOARecord.class::cast)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the zone has no SOA record"));
    }

    private static Set<RecordWithTtl> wholes(List<Record> records) {
        Set<RecordWithTtl> wholes = new LinkedHashSet<>();
        records.forEach(record -> wholes.add(RecordWithTtl.of(record)));
        return wholes;
    }
}
