package io.ballast.http;

import io.ballast.core.config.ListenerConfig;
import io.ballast.core.config.ListenerProtocol;
import io.ballast.core.config.ListenerTls;
import io.ballast.net.tls.ServerTls;
import io.ballast.net.tls.TlsReload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The TLS of a frontend's listeners. Confined to the thread that starts and stops. */
final class TlsListeners implements AutoCloseable {

    private final List<@Nullable ServerTls> all = new ArrayList<>();
    private final List<ServerTls> opened = new ArrayList<>();
    private @Nullable TlsReload reload;

    private TlsListeners() {}

    /**
     * Reads the files of every listener that has some, and looks from then on whether they change.
     *
     * @throws IllegalStateException if one cannot be used; the message says whose, and names the file
     */
    static TlsListeners open(List<ListenerConfig> listeners) {
        TlsListeners tls = new TlsListeners();
        try {
            for (int i = 0; i < listeners.size(); i++) {
                tls.add(listeners.get(i), i);
            }
        } catch (RuntimeException e) {
            tls.close();
            throw e;
        }
        if (!tls.opened.isEmpty()) {
            tls.reload = TlsReload.start(tls.opened);
        }
        return tls;
    }

    private void add(ListenerConfig listener, int index) {
        ServerTls server = null;
        if (listener.tls().isPresent()) {
            try {
                server = open(listener.protocol(), listener.tls().get());
            } catch (IOException e) {
                throw new IllegalStateException("listeners[" + index + "].tls: " + e.getMessage(), e);
            }
            opened.add(server);
        }
        all.add(server);
    }

    private static ServerTls open(ListenerProtocol protocol, ListenerTls tls) throws IOException {
        return protocol == ListenerProtocol.TCP
                ? ServerTls.forSessions(tls)
                : ServerTls.open(tls, ApplicationProtocols.OFFERED);
    }

    /** That of listener number {@code index}; null if it has none. */
    @Nullable ServerTls of(int index) {
        return all.get(index);
    }

    /** To be called when there are no connections any more. */
    @Override
    public void close() {
        if (reload != null) {
            reload.close();
        }
        opened.forEach(ServerTls::close);
    }
}
