package io.ballast.cli.cluster;

import io.ballast.net.tls.PemText;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Set;

/** Writes a certificate and its key as PEM files. Existing files are never replaced. */
final class IdentityWriter {

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<?> ALL_READ =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--"));

    private IdentityWriter() {}

    static Path certificate(Path directory, String name) {
        return directory.resolve(name + ".crt");
    }

    static Path key(Path directory, String name) {
        return directory.resolve(name + ".key");
    }

    /**
     * Writes NAME.crt, and NAME.key, which only the owner may read.
     *
     * @throws IOException if a file exists already or cannot be written; the message names it
     */
    static void write(Path directory, String name, TlsIdentity identity) throws IOException, GeneralSecurityException {
        requireAbsent(certificate(directory, name));
        requireAbsent(key(directory, name));
        Files.createDirectories(directory);
        create(key(directory, name), PemText.of(identity.key()), OWNER_ONLY);
        create(certificate(directory, name), PemText.of(identity.chain()), ALL_READ);
    }

    private static void requireAbsent(Path file) throws IOException {
        if (Files.exists(file)) {
            throw new IOException(file + " exists already (expected: a directory without this file, see --directory)");
        }
    }

    private static void create(Path file, String text, FileAttribute<?> permissions) throws IOException {
        try (var channel = Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), permissions)) {
            channel.write(StandardCharsets.US_ASCII.encode(text));
        }
    }
}
