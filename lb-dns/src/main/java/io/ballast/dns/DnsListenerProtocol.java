package io.ballast.dns;

import io.ballast.core.config.TlsFiles;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.net.doh.DohProtocol;
import io.ballast.dns.net.stream.StreamProtocol;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.tls.ServerTls;
import io.ballast.net.tls.TlsContext;
import io.ballast.net.tls.TlsReload;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The protocol of a listener's connections, with its TLS certificate, whose files are watched. Thread safety:
 * opened by one thread; may be closed by any thread.
 */
final class DnsListenerProtocol implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DnsListenerProtocol.class);
    private static final List<String> DOT_APPLICATION = List.of("dot");

    private final StreamProtocol streamProtocol;
    private final @Nullable ServerTls tls;
    private final @Nullable TlsReload reload;

    private DnsListenerProtocol(StreamProtocol streamProtocol, @Nullable ServerTls tls) {
        this.streamProtocol = streamProtocol;
        this.tls = tls;
        this.reload = tls == null ? null : TlsReload.start(List.of(tls));
    }

    /** @throws IOException if the files of the listener's certificate cannot be used */
    static DnsListenerProtocol open(DnsListenerConfig listener) throws IOException {
        return switch (listener.protocol()) {
            case DNS -> new DnsListenerProtocol(StreamProtocol.TCP, null);
            case DOT -> {
                ServerTls tls = open(listener, DOT_APPLICATION);
                yield new DnsListenerProtocol(StreamProtocol.dot(tls), tls);
            }
            case DOH -> {
                ServerTls tls = open(listener, DohProtocol.APPLICATION_PROTOCOLS);
                yield new DnsListenerProtocol(new DohProtocol(tls), tls);
            }
        };
    }

    private static ServerTls open(DnsListenerConfig listener, List<String> applicationProtocols) throws IOException {
        TlsFiles files = listener.tls().orElseThrow();
        ServerTls tls = ServerTls.open(ListenerTls.of(files), applicationProtocols);
        LOG.info(
                "dns_listener={} tls={} certificate={}",
                listener.bind(),
                TlsContext.providerLabel(),
                files.certificate());
        return tls;
    }

    StreamProtocol streamProtocol() {
        return streamProtocol;
    }

    /** Called when no new connection can use this protocol. Idempotent. */
    @Override
    public void close() {
        if (reload != null) {
            reload.close();
        }
        if (tls != null) {
            tls.close();
        }
    }
}
