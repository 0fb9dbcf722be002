package io.ballast.cluster.fact;

import io.ballast.core.ErrorText;
import io.ballast.core.state.StateFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file with the pending changes, which survive a restart. Used by one thread. */
final class PendingFile {

    private static final Logger LOG = LoggerFactory.getLogger(PendingFile.class);
    private static final int MAX_BYTES = 64 << 20;
    private static final int FORMAT = 1;

    private final StateFile file;
    private boolean failed;

    PendingFile(Path path) {
        this.file = new StateFile(path, MAX_BYTES);
    }

    /**
     * Returns the changes; none if the file is missing or damaged. A damaged file is logged, and kept under another
     * name.
     */
    List<PendingChange> read() {
        try {
            Optional<byte[]> bytes = file.read();
            return bytes.isEmpty() ? List.of() : decode(bytes.get());
        } catch (IOException e) {
            LOG.error("cluster=pending_damaged reason=\"{}\" {}", ErrorText.of(e), file.moveAside());
            return List.of();
        }
    }

    private static List<PendingChange> decode(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        if (in.readInt() != FORMAT) {
            throw new IOException("unknown format");
        }
        List<PendingChange> changes = new ArrayList<>();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            changes.add(new PendingChange(
                    FactTexts.read(in),
                    Optional.ofNullable(FactTexts.readNullable(in)),
                    in.readLong(),
                    Instant.ofEpochMilli(in.readLong())));
        }
        return changes;
    }

    /** Replaces the file. Logs the first of several failures in a row. */
    void write(Collection<PendingChange> changes) {
        try {
            file.replace(encode(changes));
            failed = false;
        } catch (IOException e) {
            if (!failed) {
                failed = true;
                LOG.error(
                        "cluster=pending_not_saved reason=\"{}\" effect=\"pending changes are lost at a restart\"",
                        ErrorText.of(e));
            }
        }
    }

    private static byte[] encode(Collection<PendingChange> changes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(FORMAT);
        out.writeInt(changes.size());
        for (PendingChange change : changes) {
            FactTexts.write(out, change.key());
            FactTexts.writeNullable(out, change.value().orElse(null));
            out.writeLong(change.base());
            out.writeLong(change.since().toEpochMilli());
        }
        return bytes.toByteArray();
    }
}
