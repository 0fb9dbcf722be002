package io.ballast.http;

import io.ballast.core.config.ListenerConfig;
import io.ballast.core.config.ListenerProtocol;
import io.ballast.core.config.ListenerTls;
import io.ballast.net.tls.ServerTls;
import io.ballast.net.tls.TlsReload;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The TLS of a frontend's listeners, and the thread that looks whether its files change. Any thread may call. */
final class TlsListeners implements AutoCloseable {

    private @Nullable TlsReload reload;
    private List<ServerTls> watched = List.of();
    private boolean closed;

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
                    : ServerTls.open(tls, ApplicationProtocols.OFFERED);
        } catch (IOException e) {
            throw new IllegalStateException("listeners[" + index + "].tls: " + e.getMessage(), e);
        }
    }

    /** Looks from now on at the files of these, and of no others. */
    synchronized void watch(List<ServerTls> all) {
        watched = List.copyOf(all);
        if (reload != null) {
            reload.watch(watched);
        } else if (!watched.isEmpty()) {
            reload = TlsReload.start(watched);
        }
    }

    /** Frees what is not watched any more, once its files are not looked at; null does nothing. */
    synchronized void free(@Nullable ServerTls former) {
        if (former == null) {
            return;
        }
        if (reload == null || closed) {
            former.close();
        } else {
            reload.whenForgotten(former::close);
        }
    }

    /** To be called when there are no connections any more. */
    @Override
    public synchronized void close() {
        closed = true;
        if (reload != null) {
            reload.close();
        }
        watched.forEach(ServerTls::close);
    }
}
