package io.ballast.dns.zone.contents;

import io.ballast.dns.dnssec.CanonicalRrset;
import io.ballast.dns.wire.RecordType;
import java.util.ArrayList;
import java.util.List;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;

/**
 * The records of one name and type, in the order in which they were added, without duplicates. Immutable.
 *
 * @param ttl TTL of all records: the lowest TTL of the added records (RFC 2181 section 5.2)
 */
public record RecordSet(Name owner, int type, long ttl, List<Record> records) {

    public RecordSet {
        records = List.copyOf(records);
    }

    public static RecordSet of(Record first) {
        return new RecordSet(first.getName(), first.getType(), first.getTTL(), List.of(first));
    }

    /**
     * Returns the TTL of a record. A signature has the TTL of the set that it covers (RFC 4034 section 3). Any
     * other record has the TTL of its own set.
     */
    public long ttlOf(Record one) {
        return type == RecordType.RRSIG ? one.getTTL() : ttl;
    }

    /** Returns the set in canonical form, to be served with a TTL that does not exceed the signed TTL. */
    public CanonicalRrset canonical(int servedTtl) {
        List<byte[]> data = records.stream().map(Record::rdataToWireCanonical).toList();
        return CanonicalRrset.of(type, (int) ttl, servedTtl, data);
    }

    /** Builds a record set from records that are added one by one. */
    static final class Builder {

        private final Name owner;
        private final int type;
        private final List<Record> records = new ArrayList<>(2);
        private long ttl = Long.MAX_VALUE;

        Builder(Name owner, int type) {
            this.owner = owner;
            this.type = type;
        }

        /** Lowers the TTL of the set to {@code seconds} if it is higher. */
        void ttl(long seconds) {
            ttl = Math.min(ttl, seconds);
        }

        /** Adds a record that the set does not contain yet. */
        void add(Record next) {
            records.add(next);
        }

        RecordSet build() {
            return new RecordSet(owner, type, ttl, records);
        }
    }
}
