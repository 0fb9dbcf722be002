package io.ballast.dns;

import io.ballast.core.config.DnsListenerConfig;
import io.ballast.core.config.TlsFiles;
import io.ballast.dns.net.doh.DohProtocol;
import io.ballast.dns.net.stream.StreamProtocol;
import io.ballast.net.tls.TlsContext;
import io.ballast.net.tls.TlsReload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is spoken on the listeners of a frontend, and what that takes. Confined to the thread that starts and stops. */
final class ListenerProtocols implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerProtocols.class);
    private static final List<String> DOT_APPLICATION = List.of("dot");

    private final List<TlsContext> contexts = new ArrayList<>();
    private @Nullable TlsReload reload;

    /**
     * Returns what is spoken on the connections of a listener.
     *
     * @throws IOException if the files of its certificate cannot be used
     */
    StreamProtocol of(DnsListenerConfig listener) throws IOException {
        return switch (listener.protocol()) {
            case DNS -> StreamProtocol.TCP;
            case DOT -> StreamProtocol.dot(open(listener, DOT_APPLICATION));
            case DOH -> new DohProtocol(open(listener, DohProtocol.APPLICATION_PROTOCOLS));
        };
    }

    private TlsContext open(DnsListenerConfig listener, List<String> applicationProtocols) throws IOException {
        TlsFiles files = listener.tls().orElseThrow();
        TlsContext context = TlsContext.open(files, applicationProtocols);
        contexts.add(context);
        LOG.info(
                "dns_listener={} tls={} certificate={}",
                listener.bind(),
                TlsContext.providerLabel(),
                files.certificate());
        return context;
    }

    /** Begins to watch the files. */
    void watch() {
        if (!contexts.isEmpty()) {
            reload = TlsReload.start(contexts);
        }
    }

    /** To be called when there are no connections any more. */
    @Override
    public void close() {
        if (reload != null) {
            reload.close();
        }
        contexts.forEach(TlsContext::close);
    }
}
