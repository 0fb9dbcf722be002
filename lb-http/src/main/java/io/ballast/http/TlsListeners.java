package io.ballast.http;

import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.tls.ServerTls;
import io.ballast.net.tls.TlsReload;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The TLS of a frontend's listeners. Any thread may call. */
final class TlsListeners implements AutoCloseable {

    private final TlsReload reload = new TlsReload();
    private List<ServerTls> watched = List.of();

    /**
     * Reads the files of a listener.
     *
     * @param index its number in the configuration
     * @return null if it has no TLS
     * @throws IllegalStateException if one cannot be used; the message says whose, and names the file
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
            throw new IllegalStateException("listeners[" + index + "].tls: " + e.getMessage(), e);
        }
    }

    /** Looks from now on at the files of these, and of no others. */
    synchronized void watch(List<ServerTls> all) {
        watched = List.copyOf(all);
        reload.watch(watched);
    }

    /** Frees what is not watched any more; null does nothing. */
    void free(@Nullable ServerTls former) {
        if (former != null) {
            reload.free(former);
        }
    }

    /** To be called when there are no connections any more. */
    @Override
    public synchronized void close() {
        reload.close();
        watched.forEach(ServerTls::close);
    }
}
