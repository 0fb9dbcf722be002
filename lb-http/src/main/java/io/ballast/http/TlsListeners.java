package io.ballast.http;

import io.ballast.core.ErrorText;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.tls.ServerTls;
import io.ballast.net.tls.TlsReload;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The TLS setups of a frontend's listeners, which are reloaded when their files change. Thread-safe. */
final class TlsListeners implements AutoCloseable {

    private final TlsReload reload = new TlsReload();
    private List<ServerTls> watched = List.of();

    /**
     * Reads the TLS files of a listener.
     *
     * @param index the listener's index in the configuration
     * @return null if the listener has no TLS
     * @throws IllegalStateException if a file cannot be used; the message names the listener and the file
     */
    static @Nullable ServerTls open(ListenerConfig listener, int index) {
        ListenerTls tls = listener.tls().orElse(null);
        if (tls == null) {
            return null;
        }
        try {
            return listener.protocol() == ListenerProtocol.TCP
                    ? ServerTls.forSessions(tls)
                    : ServerTls.open(tls, tls.alpn().isEmpty() ? ApplicationProtocols.OFFERED : tls.alpn());
        } catch (IOException e) {
            throw new IllegalStateException("listeners[" + index + "].tls: " + ErrorText.of(e), e);
        }
    }

    /** Watches the files of {@code all}, and stops watching all other files. */
    synchronized void watch(List<ServerTls> all) {
        watched = List.copyOf(all);
        reload.watch(watched);
    }

    /** Frees a TLS setup that is no longer watched. Does nothing for null. */
    void free(@Nullable ServerTls former) {
        if (former != null) {
            reload.closeLater(former);
        }
    }

    /** Closes all TLS setups; must be called after all connections are closed. */
    @Override
    public synchronized void close() {
        reload.close();
        watched.forEach(ServerTls::close);
    }
}
