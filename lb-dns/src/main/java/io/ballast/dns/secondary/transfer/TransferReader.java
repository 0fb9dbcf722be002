package io.ballast.dns.secondary.transfer;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Serial;

/**
 * Interprets the records of a transfer in their order (<a
 * href="https://datatracker.ietf.org/doc/html/rfc5936#section-2.2">RFC 5936 section 2.2</a>, <a
 * href="https://datatracker.ietf.org/doc/html/rfc1995#section-4">RFC 1995 section 4</a>).
 *
 * <pre>
 *   whole zone     SOA(new) records SOA(new)
 *   differences    SOA(new) { SOA(old) removed SOA(next) added }... SOA(new), from our version to the new one
 *   nothing newer  SOA
 * </pre>
 *
 * <p>Confined to the transfer thread.
 */
final class TransferReader {

    private enum Phase {
        FIRST,
        SECOND,
        WHOLE,
        REMOVED,
        ADDED,
        END
    }

    private final Name apex;
    /** The current version; null if differences cannot be used. */
    private final @Nullable SOARecord present;

    private final TransferSink sink;
    private Phase phase = Phase.FIRST;
    private boolean isNewer;
    private @Nullable SOARecord last;
    /** The serial of the version that results from the differences so far. */
    private long serial;

    TransferReader(Name apex, @Nullable SOARecord present, TransferSink sink) {
        this.apex = apex;
        this.present = present;
        this.sink = sink;
    }

    /** Whether the transfer is complete. */
    boolean isAtEnd() {
        return phase == Phase.END;
    }

    /** Whether the transferred version is newer than the present one; defined after the first record. */
    boolean isNewer() {
        return isNewer;
    }

    /** Whether there is a newer version, of which only the SOA record has been received. */
    boolean hasOnlySoa() {
        return phase == Phase.SECOND;
    }

    void read(Record record) throws IOException {
        if (record.getDClass() != DClass.IN) {
            throw TransferException.ofContents("a record of class " + DClass.string(record.getDClass()) + " at "
                    + record.getName() + " (expected: class IN)");
        }
        if (!record.getName().subdomain(apex)) {
            throw TransferException.ofContents(
                    "a record of " + record.getName() + " (expected: names in " + apex + ")");
        }
        SOARecord soa = record instanceof SOARecord each ? each : null;
        if (soa != null && !soa.getName().equals(apex)) {
            throw TransferException.ofContents(
                    "a SOA record of " + soa.getName() + " (expected: of " + apex + " only)");
        }
        switch (phase) {
            case FIRST -> first(soa);
            case SECOND -> second(record, soa);
            case WHOLE -> whole(record, soa);
            case REMOVED -> removed(record, soa);
            case ADDED -> added(record, soa);
            case END -> throw TransferException.ofContents("records after the last one");
        }
    }

    private void first(@Nullable SOARecord soa) throws IOException {
        if (soa == null) {
            throw TransferException.ofContents("the transfer does not begin with a SOA record");
        }
        last = soa;
        isNewer = present == null || Serial.compare(soa.getSerial(), present.getSerial()) > 0;
        phase = isNewer ? Phase.SECOND : Phase.END;
    }

    private SOARecord last() {
        SOARecord soa = last;
        if (soa == null) {
            throw new IllegalStateException("no SOA record yet");
        }
        return soa;
    }

    private void second(Record record, @Nullable SOARecord soa) throws IOException {
        if (present != null && soa != null && soa.getSerial() == present.getSerial()) {
            serial = soa.getSerial();
            phase = Phase.REMOVED;
            sink.differences(last());
            return;
        }
        phase = Phase.WHOLE;
        sink.whole(last());
        whole(record, soa);
    }

    private void whole(Record record, @Nullable SOARecord soa) throws IOException {
        if (soa == null) {
            sink.add(record);
            return;
        }
        if (!soa.equals(last())) {
            throw TransferException.ofContents(
                    "the transfer begins with serial " + last().getSerial() + " and ends with " + soa.getSerial());
        }
        phase = Phase.END;
    }

    private void removed(Record record, @Nullable SOARecord soa) throws IOException {
        if (soa == null) {
            sink.remove(record);
            return;
        }
        if (Serial.compare(soa.getSerial(), serial) <= 0) {
            throw TransferException.ofContents("differences from serial " + serial + " to " + soa.getSerial());
        }
        serial = soa.getSerial();
        phase = Phase.ADDED;
    }

    private void added(Record record, @Nullable SOARecord soa) throws IOException {
        if (soa == null) {
            sink.add(record);
            return;
        }
        if (soa.getSerial() != serial) {
            throw TransferException.ofContents(
                    "differences to serial " + serial + " are followed by differences from " + soa.getSerial());
        }
        // The last difference results in the announced version, whose SOA record is then repeated.
        phase = serial == last().getSerial() ? Phase.END : Phase.REMOVED;
    }
}
