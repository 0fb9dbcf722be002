package io.ballast.net.tls;

import io.ballast.core.config.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files of an identity, watched for changes by looking at them from time to time.
 *
 * <p>Thread safety: confined to the thread that looks. Cost: a look at the file system for each; files are read only when
 * they have changed.
 */
public final class TlsIdentityFiles {

    private final TlsFiles files;
    private final WatchedFiles watched;

    public TlsIdentityFiles(TlsFiles files) {
        this.files = files;
        List<Path> all = new ArrayList<>(List.of(files.certificate(), files.key()));
        files.ocsp().ifPresent(all::add);
        this.watched = new WatchedFiles(all);
    }

    /**
     * Returns what the files hold if they have changed since the last call; at the first call they have.
     *
     * @throws IOException if they have changed and cannot be used; they are not read again before they change once more.
     *     Tools replace the files one after the other, so the key may not yet belong to the certificate.
     */
    public Optional<TlsIdentity> changed() throws IOException {
        return watched.haveChanged() ? Optional.of(TlsIdentity.load(files)) : Optional.empty();
    }
}
