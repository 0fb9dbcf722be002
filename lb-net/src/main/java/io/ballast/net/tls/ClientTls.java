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
 * TLS on connections to the backends of a pool. Unless it is told not to, it believes a backend only if its certificate is
 * made out for the host that was asked for, by an issuer that is trusted.
 *
 * <p>Thread safety: any thread may make handlers; one thread refreshes.
 */
public final class ClientTls implements WatchedTls {

    private static final Logger LOG = LoggerFactory.getLogger(ClientTls.class);

    private static final String HTTP_1_1 = "http/1.1";

    /** Bounds what is remembered of servers; beyond it nothing changes for further ones. */
    private static final int MOST_BY_JAVA = 1024;

    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    private final BackendTls config;
    private final SslProvider provider;
    private final List<String> applicationProtocols;
    private final WatchedFiles files;
    /** Servers, as host and port, that BoringSSL cannot verify; Java's own TLS is used for them. */
    private final Set<String> byJava = ConcurrentHashMap.newKeySet();

    private volatile SslContext current;
    /** Java's own TLS; null until it is needed. */
    private volatile @Nullable SslContext java;

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
     * Reads the files.
     *
     * @param applicationProtocols what may be spoken, by their names of ALPN (RFC 7301), the preferred one first
     * @throws IOException if one cannot be read or used; the message names the file
     */
    public static ClientTls open(BackendTls config, List<String> applicationProtocols) throws IOException {
        return reporting(new ClientTls(config, TlsProvider.choose(), applicationProtocols));
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
        return reporting(new ClientTls(config, TlsProvider.halfClosing(), /* applicationProtocols= */ List.of()));
    }

    private static ClientTls reporting(ClientTls tls) {
        reportDates(tls.config, tls.identity);
        return tls;
    }

    /** Logs that the certificate is out of date, if it is. */
    static void reportDates(BackendTls config, @Nullable TlsIdentity identity) {
        if (identity != null && config.identity().isPresent()) {
            identity.outOfDate(Instant.now())
                    .ifPresent(reason -> LOG.error(
                            "msg=\"A TLS CERTIFICATE THAT IS SHOWN TO SERVERS IS OUT OF DATE: they may refuse it\""
                                    + " certificate={} reason=\"{}\"",
                            config.identity().get().certificate(),
                            reason));
        }
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
                SslContext fallback = !byJava.isEmpty() && byJava.contains(key(host, port)) ? java : null;
                SslContext chosen = fallback == null ? current : fallback;
                SslHandler handler = chosen.newHandler(allocator, name, port);
                handler.setHandshakeTimeoutMillis(0);
                if (fallback == null && TlsProvider.isOpenSsl(provider)) {
                    handler.handshakeFuture().addListener(done -> judge(done.cause(), host, port));
                }
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

    /**
     * BoringSSL as Netty makes it available does not offer to verify signatures by Ed25519 and P-521, so that servers with
     * such keys break the handshake off. From the next refresh on Java's own TLS is used for them.
     */
    private void judge(@Nullable Throwable failure, String host, int port) {
        if (failure != null
                && byJava.size() < MOST_BY_JAVA
                && TlsErrors.mayBeKindOfKey(failure)
                && byJava.add(key(host, port))) {
            LOG.warn(
                    "msg=\"a server broke the TLS handshake off, which it does if its certificate has a key of Ed25519 or"
                            + " P-521; tls=jdk is used for it from now on\" server={}:{} reason=\"{}\"",
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
            if (java == null && !byJava.isEmpty()) {
                useJava();
            }
            return;
        }
        try {
            @Nullable TlsIdentity next = loadIdentity(config, identity);
            SslContext old = current;
            current = build(next, provider);
            if (java != null) {
                java = build(next, SslProvider.JDK);
            }
            identity = next;
            ReferenceCountUtil.release(old);
            reportDates(config, next);
            LOG.info("msg=\"TLS files for backends have changed and are in force\"");
        } catch (IOException e) {
            LOG.warn(
                    "msg=\"TLS files for backends have changed but cannot be used; the old ones stay in force\""
                            + " cause=\"{}\"",
                    e.getMessage());
        }
    }

    private void useJava() {
        try {
            java = build(identity, SslProvider.JDK);
        } catch (IOException e) {
            byJava.clear();
            LOG.warn("msg=\"Java's own TLS cannot be used for backends\" cause=\"{}\"", e.getMessage());
        }
    }

    private SslContext build(@Nullable TlsIdentity identity, SslProvider provider) throws IOException {
        Optional<String> whyJava = TlsProvider.isOpenSsl(provider) ? KeySupport.whyJava(config) : Optional.empty();
        whyJava.ifPresent(reason -> LOG.info("tls=jdk reason=\"{}\"", reason));
        return build(
                config,
                identity,
                SslContextBuilder.forClient()
                        .sslProvider(whyJava.isPresent() ? SslProvider.JDK : provider)
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

    /**
     * Reads whom to be from files; null if that is nobody. A certificate that is out of date is used, unless
     * it would replace one that is not.
     *
     * @param before what is in use; null if nothing is
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

    /** Reads whom to trust from files. */
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
