package io.ballast.dns.forward.snapshot;

import io.ballast.dns.forward.question.ClientSubnet;
import io.ballast.dns.forward.snapshot.SavedAnswer.SavedSubnet;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;

/**
 * Writes a file of answers. The new file replaces the previous one when it is complete; if writing fails, the
 * previous file is kept.
 *
 * <p>Thread safety: confined to one thread. Cost: one pass over the answers, which are not copied in memory.
 */
public final class SnapshotWriter implements AutoCloseable {

    private final Path file;
    private final Path temporaryFile;
    private final CRC32 checksum = new CRC32();
    private final DataOutputStream out;
    private int answerCount;

    /**
     * Creates a temporary file next to the given file.
     *
     * @param trustFingerprint fingerprint of the trust anchors with which the answers were validated
     */
    public SnapshotWriter(Path file, String trustFingerprint) throws IOException {
        this.file = file;
        this.temporaryFile = file.resolveSibling(file.getFileName() + ".new");
        this.out =
                new DataOutputStream(new CheckedOutputStream(new BufferedOutputStream(open(temporaryFile)), checksum));
        out.writeLong(SnapshotFormat.MAGIC);
        out.writeUTF(trustFingerprint);
    }

    /** Opens the file with access for its owner only, because it reveals the queries of clients. */
    private static OutputStream open(Path file) throws IOException {
        Files.deleteIfExists(file);
        return Channels.newOutputStream(FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))));
    }

    public void add(SavedAnswer answer) throws IOException {
        out.writeByte(SnapshotFormat.ANSWER_MARKER);
        out.writeUTF(answer.group());
        out.writeByte(answer.flags());
        out.writeBoolean(answer.isSecure());
        SavedSubnet subnet = answer.subnet();
        out.writeBoolean(subnet != null);
        if (subnet != null) {
            add(subnet);
        }
        out.writeLong(answer.receivedMillis());
        out.writeShort(answer.message().length);
        out.write(answer.message());
        answerCount++;
    }

    private void add(SavedSubnet subnet) throws IOException {
        ClientSubnet network = subnet.network();
        out.writeByte(network.family());
        out.writeByte(network.bits());
        out.writeLong(network.high());
        out.writeLong(network.low());
        out.writeBoolean(subnet.isExact());
        out.writeByte(subnet.scope());
    }

    /** Completes the file and makes it the current one; returns the number of answers in it. */
    public int finish() throws IOException {
        out.writeByte(SnapshotFormat.END_MARKER);
        out.writeInt(answerCount);
        out.writeLong(checksum.getValue());
        out.close();
        Files.move(temporaryFile, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return answerCount;
    }

    /** Removes temporary files. */
    @Override
    public void close() throws IOException {
        try {
            out.close();
        } finally {
            Files.deleteIfExists(temporaryFile);
        }
    }
}
