package io.ballast.dns.zone.contents;

import io.ballast.dns.answer.data.Answer;
import io.ballast.dns.answer.data.StoredNameWriter;
import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.dnssec.SignedRecords;
import io.ballast.dns.dnssec.SignedRrset;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.HINFORecord;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;

/**
 * Writes records into an {@link Answer}. In the data of types that RFC 1035 defines, a compression pointer
 * replaces the zone name at the end of a name. Names in other types are not compressed (RFC 3597 section 4).
 * Confined to one thread.
 */
public final class RecordWriter {

    private static final int FIXED_BYTES = 10;
    private static final int[] NO_OFFSETS = {};

    private final Name apex;
    private final int apexBytes;
    private int[] owners = new int[4];
    private int ownerCount;
    private int[] apexPointers = new int[4];
    private int apexPointerCount;
    private byte[] bytes = new byte[512];
    private int position;
    private int records;

    public RecordWriter(Name apex) {
        this.apex = apex;
        this.apexBytes = apex.length();
    }

    /** Resets the writer. */
    public void clear() {
        position = 0;
        records = 0;
        ownerCount = 0;
        apexPointerCount = 0;
    }

    /** Creates an answer with the records of one set. Its owner name is inserted when the answer is written. */
    public static Answer answer(RecordSet set, Name apex) {
        RecordWriter writer = new RecordWriter(apex);
        set.records().forEach(each -> writer.add(each, set.ttl()));
        return writer.answer();
    }

    /** Creates the signed answer of one record set. The TTL of the answer is at most the TTL of the set. */
    public static Answer signed(RecordSet set, long ttl, Name apex, SetSigner signer) {
        RecordWriter writer = new RecordWriter(apex);
        set.records().forEach(each -> writer.add(each, ttl));
        return writer.signed(signer.sign(set.canonical((int) ttl)));
    }

    /** The HINFO record that answers ANY (<a href="https://datatracker.ietf.org/doc/html/rfc8482">RFC 8482</a>). */
    public static Answer minimalAnyAnswer(int ttlSeconds) {
        RecordSet hinfo = RecordSet.of(new HINFORecord(Name.root, DClass.IN, ttlSeconds, "RFC8482", ""));
        return signed(hinfo, ttlSeconds, Name.root, SetSigner.ON_DEMAND);
    }

    /** Adds a record with the common owner name of this answer. */
    public void add(Record each, long ttl) {
        byte[] wire = reserve(each);
        owners = appendOffset(position, owners, ownerCount++);
        u16(0);
        writeBody(each, wire, ttl);
    }

    /** Adds a record with the owner name that the record itself contains. */
    public void addNamed(Record each, long ttl) {
        byte[] wire = reserve(each);
        writeName(each.getName());
        writeBody(each, wire, ttl);
    }

    public boolean isEmpty() {
        return records == 0;
    }

    public Answer answer() {
        return Answer.fixed(records, Arrays.copyOf(bytes, position), Arrays.copyOf(owners, ownerCount), apexPointers());
    }

    private Answer signed(SignedRrset signature) {
        return Answer.signed(
                records, Arrays.copyOf(bytes, position), Arrays.copyOf(owners, ownerCount), apexPointers(), signature);
    }

    /** Stores the added records as a record set of the current name. */
    public void store(int type, @Nullable SignedRecords rrsig, StoredNameWriter names) {
        names.set(type, records, bytes, position, apexPointers(), rrsig);
    }

    /** Stores the added records as the server addresses (glue) of the current name. */
    public void storeGlue(StoredNameWriter names) {
        names.glue(records, bytes, position, apexPointers());
    }

    private int[] apexPointers() {
        return apexPointerCount == 0 ? NO_OFFSETS : Arrays.copyOf(apexPointers, apexPointerCount);
    }

    private static int[] appendOffset(int place, int[] places, int count) {
        int[] grown = count < places.length ? places : Arrays.copyOf(places, 2 * count);
        grown[count] = place;
        return grown;
    }

    private void writeBody(Record each, byte[] wire, long ttl) {
        u16(each.getType());
        u16(Wire.CLASS_IN);
        u32(ttl);
        int lengthAt = position;
        u16(0);
        writeData(each, wire);
        Wire.putU16(bytes, lengthAt, position - lengthAt - 2);
        records++;
    }

    private void writeData(Record each, byte[] wire) {
        if (each instanceof NSRecord ns) {
            writeName(ns.getTarget());
        } else if (each instanceof CNAMERecord cname) {
            writeName(cname.getTarget());
        } else if (each instanceof PTRRecord ptr) {
            writeName(ptr.getTarget());
        } else if (each instanceof MXRecord mx) {
            u16(mx.getPriority());
            writeName(mx.getTarget());
        } else if (each instanceof SOARecord soa) {
            writeName(soa.getHost());
            writeName(soa.getAdmin());
            u32(soa.getSerial());
            u32(soa.getRefresh());
            u32(soa.getRetry());
            u32(soa.getExpire());
            u32(soa.getMinimum());
        } else {
            int start = each.getName().length() + FIXED_BYTES;
            System.arraycopy(wire, start, bytes, position, wire.length - start);
            position += wire.length - start;
        }
    }

    private void writeName(Name name) {
        byte[] wire = name.toWire();
        // The root name is not compressed, because it is shorter than a compression pointer.
        boolean compressed = apex.labels() > 1 && name.subdomain(apex);
        int length = compressed ? wire.length - apexBytes : wire.length;
        System.arraycopy(wire, 0, bytes, position, length);
        position += length;
        if (compressed) {
            apexPointers = appendOffset(position, apexPointers, apexPointerCount++);
            u16(0);
        }
    }

    /** Reserves space for a record, and returns the record with uncompressed names. */
    private byte[] reserve(Record each) {
        byte[] wire = each.toWire(Section.ANSWER);
        int max = position + wire.length + 2 * Wire.MAX_NAME_BYTES;
        if (max > bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * max);
        }
        return wire;
    }

    private void u16(int value) {
        Wire.putU16(bytes, position, value);
        position += 2;
    }

    private void u32(long value) {
        Wire.putU32(bytes, position, (int) value);
        position += 4;
    }
}
