package io.ballast.net.tls;

/** Something that stands on files which may be replaced while it is in use. */
public interface WatchedTls extends AutoCloseable {

    /**
     * Takes over what the files hold if they have changed. If it cannot be used, what was stays in force, and a warning is
     * logged. Reads files; {@link TlsReload} calls it every second, on one thread.
     */
    void refresh();

    /** Releases it. Not while it is refreshed: see {@link TlsReload#free}. */
    @Override
    void close();
}
