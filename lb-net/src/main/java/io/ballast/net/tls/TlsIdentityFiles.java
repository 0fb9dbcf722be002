package io.ballast.net.tls;

import io.ballast.core.config.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;

/**
 * The files of an identity, watched for changes by looking at them from time to time.
 *
 * <p>Thread safety: confined to the thread that looks. Cost: two looks at the file system; files are read only when they
 * have changed.
 */
public final class TlsIdentityFiles {

    private final TlsFiles files;
    private List<Object> seen = List.of();

    public TlsIdentityFiles(TlsFiles files) {
        this.files = files;
    }

    /**
     * Returns what the files hold if they have changed since the last call; at the first call they have.
     *
     * @throws IOException if they have changed and cannot be used; they are not read again before they change once more.
     *     Tools replace the two files one after the other, so the key may not yet belong to the certificate.
     */
    public Optional<TlsIdentity> changed() throws IOException {
        List<Object> now = List.of(state(files.certificate()), state(files.key()));
        if (now.equals(seen)) {
            return Optional.empty();
        }
        // Noted before they are read: what changes meanwhile is read once more.
        seen = now;
        return Optional.of(TlsIdentity.load(files));
    }

    /** What changes with a file's content, or with a link's target. */
    private static Object state(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return List.of(attributes.lastModifiedTime(), attributes.size(), Optional.ofNullable(attributes.fileKey()));
        } catch (IOException e) {
            return "unreadable";
        }
    }
}
