package io.ballast.dns.secondary;

import io.ballast.dns.secondary.transfer.TransferSink;
import io.ballast.dns.zonefile.FileProblems;
import io.ballast.dns.zonefile.ZoneFileReader;
import io.ballast.dns.zonefile.ZoneFileWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Type;

/**
 * Writes the next version of a zone while it comes: a whole zone record by record; differences when all of them are there, so
 * that memory is for what differs only. Confined to the thread that transfers.
 */
final class IncomingZone implements TransferSink, AutoCloseable {

    private static final Set<Integer> OF_SIGNING = Set.of(Type.RRSIG, Type.NSEC, Type.NSEC3, Type.NSEC3PARAM);

    private final ZoneStore store;
    private final @Nullable Contents from;
    private final boolean isServed;
    private final Differences differences = new Differences();
    private @Nullable SOARecord soa;
    /** Null while differences come. */
    private @Nullable ZoneFileWriter writer;

    /**
     * One of which nothing has come.
     *
     * @param from what differences are applied to; null if the whole zone comes
     * @param isServed whether it is to be answered, for which it must not have been signed elsewhere
     */
    IncomingZone(ZoneStore store, @Nullable Contents from, boolean isServed) {
        this.store = store;
        this.from = from;
        this.isServed = isServed;
    }

    @Override
    public void whole(SOARecord next) throws IOException {
        soa = next;
        writer = ZoneFileWriter.open(store.fresh());
        writer.write(next);
    }

    @Override
    public void differences(SOARecord next) {
        soa = next;
    }

    @Override
    public void add(Record record) throws IOException {
        if (isServed && OF_SIGNING.contains(record.getType())) {
            throw new UnusableException("the zone is signed by its primary, which has " + Type.string(record.getType())
                    + " records at " + record.getName() + " (expected: an unsigned zone; dnssec signs it here)");
        }
        if (writer == null) {
            differences.add(record);
        } else {
            writer.write(record);
        }
    }

    @Override
    public void remove(Record record) {
        differences.remove(record);
    }

    /**
     * Brings the whole version to disk.
     *
     * @throws UnusableException if the differences are not those of the version that is there
     */
    SOARecord finish() throws IOException {
        SOARecord next = soa;
        if (next == null) {
            throw new UnusableException("nothing has come");
        }
        ZoneFileWriter whole = writer;
        if (whole == null) {
            whole = ZoneFileWriter.open(store.fresh());
            writer = whole;
            whole.write(next);
            apply(whole);
        }
        whole.finish();
        return next;
    }

    private void apply(ZoneFileWriter applied) throws IOException {
        if (from == null) {
            throw new UnusableException("differences from nothing");
        }
        FileProblems problems = new FileProblems();
        List<IOException> failed = new ArrayList<>();
        ZoneFileReader.read(
                from.file(),
                from.soa().getName(),
                (record, place) -> {
                    try {
                        if (failed.isEmpty()) {
                            apply(record, from, applied);
                        }
                    } catch (IOException e) {
                        failed.add(e);
                    }
                },
                problems);
        if (!failed.isEmpty()) {
            throw failed.get(0);
        }
        if (problems.hasErrors()) {
            throw new UnusableException(problems.errors().get(0).text());
        }
        differences.writeAdded(applied);
    }

    private void apply(Record record, Contents before, ZoneFileWriter applied) throws IOException {
        if (!(record instanceof SOARecord kept)) {
            if (differences.keeps(record)) {
                applied.write(record);
            }
        } else if (kept.getSerial() != before.serial()) {
            // Another process has been here, which this one has taken the place of.
            throw new UnusableException(
                    "differences from serial " + before.serial() + ", and " + kept.getSerial() + " is kept");
        }
    }

    @Override
    public void close() throws IOException {
        if (writer != null) {
            writer.close();
        }
    }
}
