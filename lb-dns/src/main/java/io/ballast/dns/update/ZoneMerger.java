package io.ballast.dns.update;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;

/**
 * Takes what has changed in a zone's own file over to the zone that messages have changed: what went there goes, what
 * came there comes, and what only messages have changed stays. Any thread may call.
 */
final class ZoneMerger {

    private ZoneMerger() {}

    /** A record with its TTL, which dnsjava does not compare. */
    private record Whole(Record record, long ttl) {

        static Whole of(Record record) {
            return new Whole(record, record.getTTL());
        }
    }

    /**
     * The zone with those changes, its start of authority first.
     *
     * @param base the file before
     * @param own the file now
     * @param kept the zone
     * @return {@code kept} itself if the file says what it said
     */
    static List<Record> of(List<Record> base, List<Record> own, List<Record> kept) {
        Set<Whole> before = wholes(base);
        Set<Whole> now = wholes(own);
        if (before.equals(now)) {
            return kept;
        }
        Set<Whole> merged = new LinkedHashSet<>();
        for (Whole each : wholes(kept)) {
            if (now.contains(each) || !before.contains(each)) {
                merged.add(each);
            }
        }
        for (Whole each : now) {
            if (!before.contains(each)) {
                merged.add(each);
            }
        }
        List<Record> records = new ArrayList<>();
        SOARecord start = start(base, own, kept);
        records.add(start);
        merged.stream()
                .map(Whole::record)
                .filter(record -> !(record instanceof SOARecord))
                .forEach(records::add);
        return records;
    }

    /** Returns the SOA record of the file if it has changed, else the former one, with a serial later than both. */
    private static SOARecord start(List<Record> base, List<Record> own, List<Record> kept) {
        SOARecord present = soa(kept);
        SOARecord given = soa(own);
        SOARecord from = isSameButSerial(soa(base), given) ? present : given;
        long next = Update.nextSerial(present.getSerial());
        long serial = (int) (given.getSerial() - next) > 0 ? given.getSerial() : next;
        return Update.withSerial(from, serial);
    }

    private static boolean isSameButSerial(SOARecord one, SOARecord other) {
        return Update.withSerial(one, 0).equals(Update.withSerial(other, 0)) && one.getTTL() == other.getTTL();
    }

    private static SOARecord soa(List<Record> records) {
        return records.stream()
                .filter(SOARecord.class::isInstance)
                .map(SOARecord.class::cast)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a zone without SOA"));
    }

    private static Set<Whole> wholes(List<Record> records) {
        Set<Whole> wholes = new LinkedHashSet<>();
        records.forEach(record -> wholes.add(Whole.of(record)));
        return wholes;
    }
}
