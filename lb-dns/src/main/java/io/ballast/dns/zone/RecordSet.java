package io.ballast.dns.zone;

import io.ballast.dns.dnssec.CanonicalRrset;
import java.util.ArrayList;
import java.util.List;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;

/**
 * The records of one name and type, each once, in the order in which they were given. Immutable.
 *
 * @param ttl of all of them: the least that was given (RFC 2181 section 5.2)
 */
record RecordSet(Name owner, int type, long ttl, List<Record> records) {

    RecordSet {
        records = List.copyOf(records);
    }

    static RecordSet of(Record first) {
        return new RecordSet(first.getName(), first.getType(), first.getTTL(), List.of(first));
    }

    /** In the form in which it is signed, to be served with a TTL that is no longer than its own. */
    CanonicalRrset canonical(int servedTtl) {
        List<byte[]> data = records.stream().map(Record::rdataToWireCanonical).toList();
        return CanonicalRrset.of(type, (int) ttl, servedTtl, data);
    }

    /** This set and one record more, if it does not have it yet. */
    RecordSet with(Record next) {
        long least = Math.min(ttl, next.getTTL());
        if (records.stream()
                .anyMatch(
                        known -> known.sameRRset(next) && known.rdataToString().equals(next.rdataToString()))) {
            return new RecordSet(owner, type, least, records);
        }
        List<Record> grown = new ArrayList<>(records);
        grown.add(next);
        return new RecordSet(owner, type, least, grown);
    }
}
