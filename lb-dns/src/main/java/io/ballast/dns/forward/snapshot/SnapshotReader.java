package io.ballast.dns.forward.snapshot;

import io.ballast.dns.forward.question.ClientSubnet;
import io.ballast.dns.forward.snapshot.SavedAnswer.SavedSubnet;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Reads a cache file. The file is checked completely first. No answer is returned if the file is incomplete
 * or has another format version.
 *
 * <p>Thread safety: confined to one thread.
 */
public final class SnapshotReader implements AutoCloseable {

    private static final int BUFFER_BYTES = 64 * 1024;

    private final Path file;
    private final DataInputStream in;
    private final String trustFingerprint;

    /**
     * @throws IOException if the file cannot be read or is incomplete; the message names the file and the reason
     */
    public SnapshotReader(Path file) throws IOException {
        this.file = file;
        check(file);
        this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
        try {
            if (in.readLong() != SnapshotFormat.MAGIC) {
                throw new IOException(file + ": written by an incompatible version");
            }
            this.trustFingerprint = in.readUTF();
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    private static void check(Path file) throws IOException {
        long remaining = Files.size(file) - SnapshotFormat.CHECKSUM_BYTES;
        if (remaining < Long.BYTES) {
            throw new IOException(file + ": incomplete or corrupt");
        }
        CRC32 checksum = new CRC32();
        try (InputStream in = Files.newInputStream(file)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            while (remaining > 0) {
                int read = in.read(buffer, 0, (int) Math.min(remaining, buffer.length));
                if (read < 0) {
                    throw new IOException(file + ": incomplete or corrupt");
                }
                checksum.update(buffer, 0, read);
                remaining -= read;
            }
            if (new DataInputStream(in).readLong() != checksum.getValue()) {
                throw new IOException(file + ": incomplete or corrupt");
            }
        }
    }

    /** Returns the fingerprint of the trust anchors that were used to validate the answers. */
    public String trustFingerprint() {
        return trustFingerprint;
    }

    /** Returns the next answer; null after the last one. */
    public @Nullable SavedAnswer next() throws IOException {
        int kind = in.readUnsignedByte();
        if (kind == SnapshotFormat.END_MARKER) {
            return null;
        }
        if (kind != SnapshotFormat.ANSWER_MARKER) {
            throw new IOException(file + ": written by an incompatible version");
        }
        String group = in.readUTF();
        int flags = in.readUnsignedByte();
        boolean isSecure = in.readBoolean();
        SavedSubnet subnet = in.readBoolean() ? readSubnet() : null;
        long receivedMillis = in.readLong();
        byte[] message = new byte[in.readUnsignedShort()];
        in.readFully(message);
        return new SavedAnswer(group, flags, isSecure, subnet, receivedMillis, message);
    }

    private SavedSubnet readSubnet() throws IOException {
        int family = in.readUnsignedByte();
        int bits = in.readUnsignedByte();
        ClientSubnet network =
                new ClientSubnet(family, bits, /* isLongestPrefix= */ false, in.readLong(), in.readLong());
        return new SavedSubnet(network, in.readBoolean(), in.readUnsignedByte());
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
