package io.ballast.dns.zone;

import io.ballast.dns.answer.Answer;
import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.dnssec.SignedSet;
import io.ballast.dns.wire.Wire;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
 * Writes records into an {@link Answer}. Names in the data of types that RFC 1035 defines, and no others (RFC 3597
 * section 4), are compressed up to the name of the zone. Used by the control plane.
 */
final class RecordWriter {

    private static final int FIXED_BYTES = 10;

    private final Name apex;
    private final List<Integer> owners = new ArrayList<>();
    private final List<Integer> apexPointers = new ArrayList<>();
    private byte[] bytes = new byte[512];
    private int at;
    private int records;

    RecordWriter(Name apex) {
        this.apex = apex;
    }

    /** An answer of one set, for any name that has it. */
    static Answer answer(RecordSet set, Name apex) {
        RecordWriter writer = new RecordWriter(apex);
        set.records().forEach(each -> writer.add(each, set.ttl()));
        return writer.answer();
    }

    /** The same with its signature, to be served with a TTL that is no longer than the set's. */
    static Answer signed(RecordSet set, long ttl, Name apex, SetSigner signer) {
        RecordWriter writer = new RecordWriter(apex);
        set.records().forEach(each -> writer.add(each, ttl));
        return writer.signed(signer.sign(set.canonical((int) ttl)));
    }

    /** The HINFO record that answers ANY (<a href="https://datatracker.ietf.org/doc/html/rfc8482">RFC 8482</a>). */
    static Answer insteadOfAny(int ttlSeconds) {
        RecordSet hinfo = RecordSet.of(new HINFORecord(Name.root, DClass.IN, ttlSeconds, "RFC8482", ""));
        return signed(hinfo, ttlSeconds, Name.root, SetSigner.ON_DEMAND);
    }

    /** Adds a record of the name that the answer is for. */
    void add(Record each, long ttl) {
        reserve(each);
        owners.add(at);
        u16(0);
        body(each, ttl);
    }

    /** Adds a record of a name of its own. */
    void addNamed(Record each, long ttl) {
        reserve(each);
        name(each.getName());
        body(each, ttl);
    }

    boolean isEmpty() {
        return records == 0;
    }

    Answer answer() {
        return Answer.fixed(records, Arrays.copyOf(bytes, at), ints(owners), ints(apexPointers));
    }

    private Answer signed(SignedSet signature) {
        return Answer.signed(records, Arrays.copyOf(bytes, at), ints(owners), ints(apexPointers), signature);
    }

    private void body(Record each, long ttl) {
        u16(each.getType());
        u16(Wire.CLASS_IN);
        u32(ttl);
        int lengthAt = at;
        u16(0);
        data(each);
        Wire.putU16(bytes, lengthAt, at - lengthAt - 2);
        records++;
    }

    private void data(Record each) {
        if (each instanceof NSRecord ns) {
            name(ns.getTarget());
        } else if (each instanceof CNAMERecord cname) {
            name(cname.getTarget());
        } else if (each instanceof PTRRecord ptr) {
            name(ptr.getTarget());
        } else if (each instanceof MXRecord mx) {
            u16(mx.getPriority());
            name(mx.getTarget());
        } else if (each instanceof SOARecord soa) {
            name(soa.getHost());
            name(soa.getAdmin());
            u32(soa.getSerial());
            u32(soa.getRefresh());
            u32(soa.getRetry());
            u32(soa.getExpire());
            u32(soa.getMinimum());
        } else {
            byte[] wire = each.toWire(Section.ANSWER);
            int start = each.getName().length() + FIXED_BYTES;
            System.arraycopy(wire, start, bytes, at, wire.length - start);
            at += wire.length - start;
        }
    }

    private void name(Name name) {
        byte[] wire = name.toWire();
        // The root's name is shorter than a pointer to it.
        boolean compressed = apex.labels() > 1 && name.subdomain(apex);
        int length = compressed ? wire.length - apex.length() : wire.length;
        System.arraycopy(wire, 0, bytes, at, length);
        at += length;
        if (compressed) {
            apexPointers.add(at);
            u16(0);
        }
    }

    private void reserve(Record each) {
        int most = at + each.toWire(Section.ANSWER).length + 2 * Wire.MAX_NAME_BYTES;
        if (most > bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * most);
        }
    }

    private void u16(int value) {
        Wire.putU16(bytes, at, value);
        at += 2;
    }

    private void u32(long value) {
        Wire.putU32(bytes, at, (int) value);
        at += 4;
    }

    private static int[] ints(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }
}
