package io.ballast.dns.dnssec;

import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.xbill.DNS.DNSKEYRecord;
import org.xbill.DNS.DNSSEC;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/** Uses dnsjava to parse responses that contain signed records. */
final class ParsedResponse {

    static final Name APEX = Name.fromConstantString("example.com.");
    static final NameHash HASH = new NameHash(1, 2);

    private ParsedResponse() {}

    static QueryName query(Name name) {
        QueryName query = new QueryName(HASH);
        byte[] wire = name.toWire();
        query.read(wire, 0, wire.length);
        return query;
    }

    /** Returns the records in the answer section of a response about {@code name}. */
    static List<Record> records(SignedRecords signed, Name name) {
        byte[] out = new byte[4096];
        Wire.putU16(out, 4, 1);
        Wire.putU16(out, 6, signed.records());
        byte[] wire = name.toWire();
        System.arraycopy(wire, 0, out, Wire.HEADER_BYTES, wire.length);
        int at = Wire.HEADER_BYTES + wire.length;
        Wire.putU16(out, at, 1);
        Wire.putU16(out, at + 2, 1);
        int apex = Wire.POINTER << 8 | (Wire.HEADER_BYTES + wire.length - APEX.length());
        int end = signed.write(out, at + 4, Wire.POINTER << 8 | Wire.HEADER_BYTES, apex);
        try {
            return new Message(Arrays.copyOf(out, end)).getSection(Section.ANSWER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Throws unless the signature is valid at {@code now}. */
    static void verify(SignedZone zone, Instant now, Record record, Record rrsig) {
        try {
            RRset set = new RRset(record);
            DNSKEYRecord key = (DNSKEYRecord) Record.newRecord(
                    APEX, DnssecRecordType.DNSKEY, 1, 3600, zone.signer().dnskey());
            DNSSEC.verify(set, (RRSIGRecord) rrsig, key, now);
        } catch (DNSSEC.DNSSECException e) {
            throw new AssertionError(record + " by " + rrsig, e);
        }
    }
}
