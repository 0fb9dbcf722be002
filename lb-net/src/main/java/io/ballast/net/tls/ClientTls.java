package io.ballast.net.tls;

import io.ballast.core.config.BackendTls;
import io.ballast.core.config.TlsFiles;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS on connections to the backends of a pool. Unless it is told not to, it believes a backend only if its certificate is
 * made out for the host that was asked for, by an issuer that is trusted.
 *
 * <p>Thread safety: any thread may make handlers; one thread refreshes.
 */
public final class ClientTls implements WatchedTls {

    private static final Logger LOG = LoggerFactory.getLogger(ClientTls.class);

    private static final String HTTP_1_1 = "http/1.1";

    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    private final BackendTls config;
    private final SslProvider provider;
    private final List<String> applicationProtocols;
    private final WatchedFiles files;
    private volatile SslContext current;
    private volatile boolean closed;

    private ClientTls(BackendTls config, SslProvider provider, List<String> applicationProtocols) throws IOException {
        this.config = config;
        this.provider = provider;
        this.applicationProtocols = List.copyOf(applicationProtocols);
        this.files = files(config);
        files.haveChanged();
        this.current = build();
    }

    /**
     * Reads the files.
     *
     * @param applicationProtocols what may be spoken, by their names of ALPN (RFC 7301), the preferred one first
     * @throws IOException if one cannot be read or used; the message names the file
     */
    public static ClientTls open(BackendTls config, List<String> applicationProtocols) throws IOException {
        return new ClientTls(config, TlsProvider.choose(), applicationProtocols);
    }

    /** Like the other, for HTTP/1.1, with an implementation of TLS that is not the preferred one. */
    public static ClientTls open(BackendTls config, SslProvider provider) throws IOException {
        return new ClientTls(config, provider, List.of(HTTP_1_1));
    }

    /**
     * For connections on which it is not known what is spoken: nothing is said of it to the backend, and either side may end
     * its sending while the other goes on.
     *
     * @throws IOException if a file cannot be read or used; the message names it
     */
    public static ClientTls forSessions(BackendTls config) throws IOException {
        return new ClientTls(config, TlsProvider.halfClosing(), /* applicationProtocols= */ List.of());
    }

    /**
     * Makes the handler of a new connection. How long its handshake may take is for others to decide.
     *
     * @param host of the backend's address, as written
     * @param port -1 if it has none
     */
    public SslHandler newHandler(ByteBufAllocator allocator, String host, int port) {
        String name = peerName(host);
        while (true) {
            try {
                SslHandler handler = current.newHandler(allocator, name, port);
                handler.setHandshakeTimeoutMillis(0);
                return handler;
            } catch (IllegalReferenceCountException e) {
                // Replaced and released after we read it: its successor is there, unless this is the end.
                if (closed) {
                    throw new IllegalStateException("closed", e);
                }
            }
        }
    }

    /**
     * For what the certificate of a backend must be made out.
     *
     * @param host of the backend's address, as written
     */
    public String peerName(String host) {
        return config.serverName().orElse(host);
    }

    /**
     * Whether a backend agreed to what may be spoken. One that does not know ALPN speaks HTTP/1.1.
     *
     * @param agreed the outcome of a handshake; null for none
     */
    public boolean speaks(@Nullable String agreed) {
        return applicationProtocols.isEmpty() || applicationProtocols.contains(agreed == null ? HTTP_1_1 : agreed);
    }

    @Override
    public void refresh() {
        if (!files.haveChanged()) {
            return;
        }
        try {
            SslContext old = current;
            current = build();
            ReferenceCountUtil.release(old);
            LOG.info("msg=\"TLS files for backends have changed and are in force\"");
        } catch (IOException e) {
            LOG.warn(
                    "msg=\"TLS files for backends have changed but cannot be used; the old ones stay in force\""
                            + " cause=\"{}\"",
                    e.getMessage());
        }
    }

    private SslContext build() throws IOException {
        return build(
                config,
                SslContextBuilder.forClient()
                        .sslProvider(provider)
                        .protocols(VERSIONS)
                        .ciphers(ServerParameters.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                        .applicationProtocolConfig(TlsContext.offered(applicationProtocols)));
    }

    /** The files that a configuration names. */
    static WatchedFiles files(BackendTls config) {
        List<Path> all = new ArrayList<>();
        config.ca().ifPresent(all::add);
        config.identity().ifPresent(identity -> all.addAll(List.of(identity.certificate(), identity.key())));
        return new WatchedFiles(all);
    }

    /** Reads whom to trust and what to be from files. */
    static SslContext build(BackendTls config, SslContextBuilder builder) throws IOException {
        @Nullable TlsFiles identityFiles = config.identity().orElse(null);
        @Nullable TlsIdentity identity = identityFiles == null ? null : TlsIdentity.load(identityFiles);
        try {
            if (config.insecure()) {
                builder.trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm("");
            } else {
                builder.endpointIdentificationAlgorithm("HTTPS");
            }
            if (config.ca().isPresent()) {
                builder.trustManager(CertificateFile.read(config.ca().get()).toArray(new X509Certificate[0]));
            }
            if (identity != null) {
                builder.keyManager(identity.key(), identity.chain());
            }
            return builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IOException("as a client of TLS: " + e.getMessage(), e);
        }
    }

    /** Releases what is left; no handler may be made any more. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            ReferenceCountUtil.release(current);
        }
    }
}
