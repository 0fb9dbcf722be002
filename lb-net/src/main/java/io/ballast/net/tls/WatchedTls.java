package io.ballast.net.tls;

/** A TLS configuration whose files may be replaced while it is in use. */
public interface WatchedTls extends AutoCloseable {

    /**
     * Reloads the files if they have changed. If the new files cannot be used, the TLS settings in use stay
     * active, and a warning is logged. Reads files; {@link TlsReload} calls it every second, on one thread.
     */
    void refresh();

    /** Releases this configuration. Must not run during a refresh: see {@link TlsReload#closeLater}. */
    @Override
    void close();
}
