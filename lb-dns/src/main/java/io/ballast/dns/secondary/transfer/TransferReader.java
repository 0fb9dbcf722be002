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
    private final @Nullable SOARecord currentSoa;

    private final TransferSink sink;
    private Phase phase = Phase.FIRST;
    private boolean isNewer;
    private @Nullable SOARecord newSoa;
    /** The serial of the version that results from the differences so far. */
    private long serial;

    TransferReader(Name apex, @Nullable SOARecord present, TransferSink sink) {
        this.apex = apex;
        this.currentSoa = present;
        this.sink = sink;
    }

    /** Whether the transfer is complete. */
    boolean isAtEnd() {
        return phase == Phase.END;
    }

    /** Returns whether the transferred version is newer than the current one; defined after the first record. */
    boolean isNewer() {
        return isNewer;
    }

    /** Whether there is a newer version, and only its SOA record has been received. */
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
                    "record outside the zone: " + record.getName() + " (expected: names in " + apex + ")");
        }
        SOARecord soa = record instanceof SOARecord each ? each : null;
        if (soa != null && !soa.getName().equals(apex)) {
            throw TransferException.ofContents(
                    "a SOA record of " + soa.getName() + " (expected: of " + apex + " only)");
        }
        switch (phase) {
            case FIRST -> readFirst(soa);
            case SECOND -> readSecond(record, soa);
            case WHOLE -> readWholeZone(record, soa);
            case REMOVED -> readRemoved(record, soa);
            case ADDED -> readAdded(record, soa);
            case END -> throw TransferException.ofContents("records after the end of the transfer");
        }
    }

    private void readFirst(@Nullable SOARecord soa) throws IOException {
        if (soa == null) {
            throw TransferException.ofContents("the transfer does not begin with a SOA record");
        }
        newSoa = soa;
        isNewer = currentSoa == null || Serial.compare(soa.getSerial(), currentSoa.getSerial()) > 0;
        phase = isNewer ? Phase.SECOND : Phase.END;
    }

    private SOARecord newSoa() {
        SOARecord soa = newSoa;
        if (soa == null) {
            throw new IllegalStateException("no SOA record yet");
        }
        return soa;
    }

    private void readSecond(Record record, @Nullable SOARecord soa) throws IOException {
        if (currentSoa != null && soa != null && soa.getSerial() == currentSoa.getSerial()) {
            serial = soa.getSerial();
            phase = Phase.REMOVED;
            sink.beginDifferences(newSoa());
            return;
        }
        phase = Phase.WHOLE;
        sink.beginWholeZone(newSoa());
        readWholeZone(record, soa);
    }

    private void readWholeZone(Record record, @Nullable SOARecord soa) throws IOException {
        if (soa == null) {
            sink.add(record);
            return;
        }
        if (!soa.equals(newSoa())) {
            throw TransferException.ofContents(
                    "the transfer begins with serial " + newSoa().getSerial() + " and ends with " + soa.getSerial());
        }
        phase = Phase.END;
    }

    private void readRemoved(Record record, @Nullable SOARecord soa) throws IOException {
        if (soa == null) {
            sink.remove(record);
            return;
        }
        if (Serial.compare(soa.getSerial(), serial) <= 0) {
            throw TransferException.ofContents(
                    "invalid order of incremental differences, from serial " + serial + " to " + soa.getSerial());
        }
        serial = soa.getSerial();
        phase = Phase.ADDED;
    }

    private void readAdded(Record record, @Nullable SOARecord soa) throws IOException {
        if (soa == null) {
            sink.add(record);
            return;
        }
        if (soa.getSerial() != serial) {
            throw TransferException.ofContents(
                    "differences to serial " + serial + " are followed by differences from " + soa.getSerial());
        }
        // The last difference results in the announced version, whose SOA record is then repeated.
        phase = serial == newSoa().getSerial() ? Phase.END : Phase.REMOVED;
    }
}
