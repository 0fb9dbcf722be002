package io.ballast.dns.zone;

import io.ballast.dns.answer.Answer;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.xbill.DNS.Name;

/**
 * Writes records of a zone's own name into an {@link Answer}, with names under the zone compressed to a pointer.
 * Used by the control plane.
 */
final class RecordWriter {

    private static final int CLASS_IN = 1;

    private final Name apex;
    private final byte[] bytes = new byte[Wire.MAX_MESSAGE_BYTES];
    private final List<Integer> apexPointers = new ArrayList<>();
    private int at;
    private int records;
    private int dataStart;

    RecordWriter(Name apex) {
        this.apex = apex;
    }

    /** The HINFO record that answers ANY (<a href="https://datatracker.ietf.org/doc/html/rfc8482">RFC 8482</a>). */
    static Answer insteadOfAny(int ttlSeconds) {
        RecordWriter writer = new RecordWriter(Name.root);
        writer.u16(Wire.POINTER << 8 | Wire.HEADER_BYTES);
        writer.begin(RecordType.HINFO, ttlSeconds);
        writer.text("RFC8482");
        writer.text("");
        writer.end();
        return writer.answer();
    }

    /** Starts a record that belongs to the zone's own name. */
    void beginAtApex(int type, int ttlSeconds) {
        apexPointer();
        begin(type, ttlSeconds);
    }

    private void begin(int type, int ttlSeconds) {
        u16(type);
        u16(CLASS_IN);
        u32(ttlSeconds);
        u16(0);
        dataStart = at;
    }

    void name(Name name) {
        byte[] wire = name.toWireCanonical();
        boolean compressed = name.subdomain(apex);
        int length = compressed ? wire.length - apex.length() : wire.length;
        System.arraycopy(wire, 0, bytes, at, length);
        at += length;
        if (compressed) {
            apexPointer();
        }
    }

    void u32(long value) {
        Wire.putU32(bytes, at, (int) value);
        at += 4;
    }

    /** Ends a record: its data is what was written since it began. */
    void end() {
        Wire.putU16(bytes, dataStart - 2, at - dataStart);
        records++;
    }

    Answer answer() {
        int[] pointers = apexPointers.stream().mapToInt(Integer::intValue).toArray();
        return Answer.fixed(records, Arrays.copyOf(bytes, at), pointers);
    }

    private void apexPointer() {
        apexPointers.add(at);
        u16(0);
    }

    private void text(String text) {
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        bytes[at++] = (byte) ascii.length;
        System.arraycopy(ascii, 0, bytes, at, ascii.length);
        at += ascii.length;
    }

    private void u16(int value) {
        Wire.putU16(bytes, at, value);
        at += 2;
    }
}
