package io.ballast.net.tls;

import io.ballast.core.config.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Polls the files of a certificate for changes.
 *
 * <p>Thread safety: confined to the polling thread. Cost: one file system access per file; files are read only when
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
     * Loads the files if they have changed since the last call; the first call always loads them.
     *
     * @throws IOException if changed files cannot be used; they are not read again until the next change. Tools replace
     * the files one after the other, so it is possible that the key does not match the certificate yet.
     */
    public Optional<TlsIdentity> loadIfChanged() throws IOException {
        return watched.haveChanged() ? Optional.of(TlsIdentity.load(files)) : Optional.empty();
    }
}
