package io.ballast.dns.dnssec.key;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Reads and writes files that only their owner may access. */
final class PrivateFiles {

    private static final int MAX_BYTES = 64 * 1024;
    private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY = permissions("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> FILE = permissions("rw-------");

    private PrivateFiles() {}

    private static FileAttribute<Set<PosixFilePermission>> permissions(String text) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
    }

    /** Creates a directory and its missing parents with mode 700. An existing directory is unchanged. */
    static void createDirectory(Path directory) throws IOException {
        Files.createDirectories(directory, DIRECTORY);
    }

    /** Atomically writes a text file with mode 600: writes a temporary file, syncs it, and renames it. */
    static void write(Path file, String text) throws IOException {
        Path temporary = file.resolveSibling("." + file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(temporary, options, FILE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(/* metaData= */ true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel directory =
                FileChannel.open(temporary.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            directory.force(/* metaData= */ true);
        }
    }

    static String read(Path file) throws KeyFileException {
        try {
            long size = Files.size(file);
            if (size > MAX_BYTES) {
                throw new KeyFileException(file, size + " bytes (expected: at most " + MAX_BYTES + ")");
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (KeyFileException e) {
            throw e;
        } catch (IOException e) {
            throw new KeyFileException(file, e);
        }
    }
}
