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
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * Writes the next version of a zone during its transfer. A whole zone is written record by record.
 * Differences are written when all of them have arrived, so that only differences are kept in memory.
 * Confined to the transfer thread.
 */
final class IncomingZone implements TransferSink, AutoCloseable {

    private static final Set<Integer> SIGNING_TYPES = Set.of(Type.RRSIG, Type.NSEC, Type.NSEC3, Type.NSEC3PARAM);

    /**
     * The maximum ratio of file size to message size. It exceeds 1, because names are uncompressed in files. Real
     * zones need at most four.
     */
    static final int MAX_EXPANSION = 8;

    /** Maximum size of an incremental transfer (IXFR), which is held in memory; larger transfers are rejected. */
    private static final long MAX_DIFFERENCE_BYTES = 32 << 20;

    private final ZoneStore store;
    private final @Nullable ZoneVersion baseVersion;
    private final boolean isSignedHere;
    private final long maxBytes;
    private long differenceBytes;
    private final ZoneDifferences differences = new ZoneDifferences();
    private @Nullable SOARecord soa;
    /** The writer of a whole zone; null while differences are received. */
    private @Nullable ZoneFileWriter writer;

    /**
     * Starts an empty version.
     *
     * @param from the version that the differences are based on; null for a whole zone
     * @param isSignedHere whether this server will sign the zone, which must not be signed already
     * @param maxBytes maximum size of all transfer messages; the zone file may be up to {@value #MAX_EXPANSION}
     *     times as large
     */
    IncomingZone(ZoneStore store, @Nullable ZoneVersion from, boolean isSignedHere, long maxBytes) {
        this.store = store;
        this.baseVersion = from;
        this.isSignedHere = isSignedHere;
        this.maxBytes = maxBytes;
    }

    @Override
    public void beginWholeZone(SOARecord next) throws IOException {
        soa = next;
        writer = store.open();
        writer.write(next);
    }

    @Override
    public void beginDifferences(SOARecord next) {
        soa = next;
    }

    @Override
    public void add(Record record) throws IOException {
        if (isSignedHere && SIGNING_TYPES.contains(record.getType())) {
            throw new UnusableException("the zone is signed by its primary, which has " + Type.string(record.getType())
                    + " records at " + record.getName()
                    + " (expected: an unsigned zone; to serve the signatures of the primary, remove dnssec here)");
        }
        if (writer == null) {
            countDifference(record);
            differences.add(record);
        } else {
            writer.write(record);
            if (writer.bytes() > MAX_EXPANSION * maxBytes) {
                throw new UnusableException("the zone file exceeds " + MAX_EXPANSION * maxBytes
                        + " bytes (expected: at most " + MAX_EXPANSION + " times max_size)");
            }
        }
    }

    private void countDifference(Record record) throws UnusableException {
        differenceBytes += record.toWire(Section.ANSWER).length;
        if (differenceBytes > Math.min(maxBytes, MAX_DIFFERENCE_BYTES)) {
            throw new UnusableException(
                    "the incremental transfer exceeds " + Math.min(maxBytes, MAX_DIFFERENCE_BYTES) + " bytes");
        }
    }

    @Override
    public void remove(Record record) throws IOException {
        countDifference(record);
        differences.remove(record);
    }

    /**
     * Writes the whole version to disk.
     *
     * @throws UnusableException if the differences do not match the current version
     */
    SOARecord finish() throws IOException {
        SOARecord next = soa;
        if (next == null) {
            throw new UnusableException("no data was received");
        }
        ZoneFileWriter whole = writer;
        if (whole == null) {
            whole = store.open();
            writer = whole;
            whole.write(next);
            apply(whole);
        }
        whole.finish();
        return next;
    }

    private void apply(ZoneFileWriter applied) throws IOException {
        if (baseVersion == null) {
            throw new UnusableException("the incremental transfer has no base version");
        }
        FileProblems problems = new FileProblems();
        List<IOException> failed = new ArrayList<>();
        ZoneFileReader.read(
                baseVersion.file(),
                baseVersion.soa().getName(),
                (record, place) -> {
                    try {
                        if (failed.isEmpty()) {
                            apply(record, baseVersion, applied);
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

    private void apply(Record record, ZoneVersion before, ZoneFileWriter applied) throws IOException {
        if (!(record instanceof SOARecord kept)) {
            if (differences.isRetained(record)) {
                applied.write(record);
            }
        } else if (kept.getSerial() != before.serial()) {
            // The file was changed by a previous process, which this process has replaced.
            throw new UnusableException("the incremental transfer starts at serial " + before.serial() + ", and "
                    + kept.getSerial() + " is the stored serial");
        }
    }

    @Override
    public void close() throws IOException {
        if (writer != null) {
            writer.close();
        }
    }
}
