package io.ballast.net.tls;

import io.ballast.core.ErrorText;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS on connections to the backends of a pool. Unless configured as insecure, it accepts a backend's certificate only
 * if it is for the requested host and from a trusted issuer.
 *
 * <p>Thread safety: any thread may create handlers; one thread refreshes.
 */
public final class ClientTls implements WatchedTls {

    private static final Logger LOG = LoggerFactory.getLogger(ClientTls.class);

    private static final String HTTP_1_1 = "http/1.1";

    /**
     * The maximum number of servers in {@link #javaTlsServers}; further servers keep the preferred TLS implementation.
     */
    private static final int MAX_BY_JAVA = 1024;

    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    private final BackendTls config;
    private final SslProvider provider;
    private final List<String> applicationProtocols;
    private final WatchedFiles files;
    /** Servers, as host and port, that BoringSSL cannot verify; connections to them use Java's own TLS. */
    private final Set<String> javaTlsServers = ConcurrentHashMap.newKeySet();

    private volatile SslContext current;
    /** The context of Java's own TLS; null until a connection needs it. */
    private volatile @Nullable SslContext javaContext;

    private @Nullable TlsIdentity identity;
    private volatile boolean closed;

    private ClientTls(BackendTls config, SslProvider provider, List<String> applicationProtocols) throws IOException {
        this.config = config;
        this.provider = provider;
        this.applicationProtocols = List.copyOf(applicationProtocols);
        this.files = files(config);
        files.haveChanged();
        this.identity = loadIdentity(config, /* before= */ null);
        this.current = build(identity, provider);
    }

    /**
     * Reads the certificate and key files of a configuration.
     *
     * @param applicationProtocols the ALPN names of the offered protocols (RFC 7301), in order of preference
     * @throws IOException if a file cannot be read or used; the message names the file
     */
    public static ClientTls open(BackendTls config, List<String> applicationProtocols) throws IOException {
        return reporting(new ClientTls(config, TlsProvider.choose(), applicationProtocols));
    }

    /** Opens TLS for HTTP/1.1 with a given TLS implementation instead of the preferred one. */
    public static ClientTls open(BackendTls config, SslProvider provider) throws IOException {
        return new ClientTls(config, provider, List.of(HTTP_1_1));
    }

    /**
     * Opens TLS for connections with unknown application protocols: it sends no ALPN, and supports half-closed
     * connections.
     *
     * @throws IOException if a file cannot be read or used; the message names it
     */
    public static ClientTls forSessions(BackendTls config) throws IOException {
        return reporting(new ClientTls(config, TlsProvider.halfCloseProvider(), /* applicationProtocols= */ List.of()));
    }

    private static ClientTls reporting(ClientTls tls) {
        reportDates(tls.config, tls.identity);
        return tls;
    }

    /** Logs an error if the certificate is expired or not yet valid. */
    static void reportDates(BackendTls config, @Nullable TlsIdentity identity) {
        if (identity != null && config.identity().isPresent()) {
            identity.invalidityReason(Instant.now())
                    .ifPresent(reason -> LOG.error(
                            "msg=\"A TLS CLIENT CERTIFICATE IS EXPIRED OR NOT YET VALID: servers may reject it\""
                                    + " certificate={} reason=\"{}\"",
                            config.identity().get().certificate(),
                            reason));
        }
    }

    /**
     * Creates the handler of a new connection. The caller sets the timeout of its handshake.
     *
     * @param host the host of the backend's address, as configured
     * @param port the port; -1 if it has none
     */
    public SslHandler newHandler(ByteBufAllocator allocator, String host, int port) {
        String name = peerName(host);
        while (true) {
            try {
                SslContext fallback =
                        !javaTlsServers.isEmpty() && javaTlsServers.contains(key(host, port)) ? javaContext : null;
                SslContext chosen = fallback == null ? current : fallback;
                SslHandler handler = chosen.newHandler(allocator, name, port);
                handler.setHandshakeTimeoutMillis(0);
                if (fallback == null && TlsProvider.isOpenSsl(provider)) {
                    handler.handshakeFuture().addListener(done -> fallBackToJava(done.cause(), host, port));
                }
                return handler;
            } catch (IllegalReferenceCountException e) {
                // The context was replaced and released after this method read the field. The field now holds the new
                // context, unless this object is closed.
                if (closed) {
                    throw new IllegalStateException("closed", e);
                }
            }
        }
    }

    /**
     * The name that a backend's certificate must contain.
     *
     * @param host the host of the backend's address, as configured
     */
    public String peerName(String host) {
        return config.serverName().orElse(host);
    }

    /**
     * Whether the negotiated protocol is one that was offered. A backend without ALPN counts as HTTP/1.1.
     *
     * @param agreed the negotiated protocol; null for none
     */
    public boolean isOfferedProtocol(@Nullable String agreed) {
        return applicationProtocols.isEmpty() || applicationProtocols.contains(agreed == null ? HTTP_1_1 : agreed);
    }

    /**
     * Makes connections to a server use Java's own TLS after the next refresh. BoringSSL, as Netty exposes it,
     * does not offer Ed25519 and P-521 signatures, so servers with such keys abort the handshake.
     */
    private void fallBackToJava(@Nullable Throwable failure, String host, int port) {
        if (failure != null
                && javaTlsServers.size() < MAX_BY_JAVA
                && TlsErrors.mayBeUnsupportedKeyType(failure)
                && javaTlsServers.add(key(host, port))) {
            LOG.warn(
                    "msg=\"a server aborted the TLS handshake, which happens if its certificate has an Ed25519 or"
                            + " P-521 key; tls=jdk is used for this server from now on\" server={}:{} reason=\"{}\"",
                    host,
                    port,
                    TlsErrors.text(failure));
        }
    }

    private static String key(String host, int port) {
        return host + ':' + port;
    }

    @Override
    public void refresh() {
        if (!files.haveChanged()) {
            if (javaContext == null && !javaTlsServers.isEmpty()) {
                useJava();
            }
            return;
        }
        try {
            @Nullable TlsIdentity next = loadIdentity(config, identity);
            SslContext old = current;
            current = build(next, provider);
            if (javaContext != null) {
                javaContext = build(next, SslProvider.JDK);
            }
            identity = next;
            ReferenceCountUtil.release(old);
            reportDates(config, next);
            LOG.info("msg=\"reloaded changed TLS files for backends\"");
        } catch (IOException e) {
            LOG.warn(
                    "msg=\"cannot load changed TLS files for backends; the previous ones stay active\""
                            + " cause=\"{}\"",
                    ErrorText.of(e));
        }
    }

    private void useJava() {
        try {
            javaContext = build(identity, SslProvider.JDK);
        } catch (IOException e) {
            javaTlsServers.clear();
            LOG.warn("msg=\"Java's TLS cannot be used for backends\" cause=\"{}\"", ErrorText.of(e));
        }
    }

    private SslContext build(@Nullable TlsIdentity identity, SslProvider provider) throws IOException {
        Optional<String> whyJava =
                TlsProvider.isOpenSsl(provider) ? BoringSslKeySupport.javaTlsReason(config) : Optional.empty();
        whyJava.ifPresent(reason -> LOG.info("tls=jdk reason=\"{}\"", reason));
        return build(
                config,
                identity,
                SslContextBuilder.forClient()
                        .sslProvider(whyJava.isPresent() ? SslProvider.JDK : provider)
                        .protocols(VERSIONS)
                        .ciphers(ServerParameters.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                        .applicationProtocolConfig(TlsContext.alpnConfig(applicationProtocols)));
    }

    /** Returns the files that a configuration names. */
    static WatchedFiles files(BackendTls config) {
        List<Path> all = new ArrayList<>();
        config.ca().ifPresent(all::add);
        config.identity().ifPresent(identity -> all.addAll(List.of(identity.certificate(), identity.key())));
        return new WatchedFiles(all);
    }

    /**
     * Loads the client certificate from files; null if none is configured. An expired certificate is used, unless it
     * would replace a valid one.
     *
     * @param before the certificate in use; null if there is none
     */
    static @Nullable TlsIdentity loadIdentity(BackendTls config, @Nullable TlsIdentity before) throws IOException {
        @Nullable TlsFiles files = config.identity().orElse(null);
        if (files == null) {
            return null;
        }
        TlsIdentity loaded = TlsIdentity.load(files);
        loaded.checkReplaces(before, files.certificate(), Instant.now());
        return loaded;
    }

    /** Builds a context, with the trusted issuers read from files. */
    static SslContext build(BackendTls config, @Nullable TlsIdentity identity, SslContextBuilder builder)
            throws IOException {
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
            throw new IOException("cannot set up TLS for outgoing connections: " + ErrorText.of(e), e);
        }
    }

    /** Releases the context; no handlers may be created afterwards. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            ReferenceCountUtil.release(current);
        }
    }
}
