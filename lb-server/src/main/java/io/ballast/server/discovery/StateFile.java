package io.ballast.server.discovery;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/** A file with state that outlives the process: replaced as a whole, so that there is always a whole one. */
final class StateFile {

    private final Path file;
    private final int mostBytes;

    /** @param mostBytes a larger one is not read */
    StateFile(Path file, int mostBytes) {
        this.file = file;
        this.mostBytes = mostBytes;
    }

    Path path() {
        return file;
    }

    /** What is in it; empty if there is none. */
    Optional<byte[]> read() throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(mostBytes + 1);
            if (bytes.length > mostBytes) {
                throw new IOException("larger than " + mostBytes + " octets");
            }
            return Optional.of(bytes);
        }
    }

    /** Keeps one that cannot be used under another name, since the next state replaces it; says so in words. */
    String setAside() {
        Path bad = file.resolveSibling(file.getFileName() + ".bad");
        try {
            Files.copy(file, bad, StandardCopyOption.REPLACE_EXISTING);
            return "it is kept as " + bad.getFileName();
        } catch (IOException e) {
            return "it cannot be kept: " + e.getMessage();
        }
    }

    /** Puts this in its place, in a directory that is made if it is missing. */
    void replace(byte[] bytes) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        Path next = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid());
        Files.deleteIfExists(next);
        try (FileChannel channel = FileChannel.open(
                next,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(/* metaData= */ true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
