package io.ballast.net.tls;

import io.ballast.core.ErrorText;
import io.ballast.core.config.TlsFiles;
import io.ballast.net.config.ClientCertificates;
import io.ballast.net.config.ListenerTls;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS on the connections of a listener. It selects one of several certificates by the client's SNI host, and verifies
 * client certificates.
 *
 * <p>Thread safety: any thread may create handlers and call {@link #contexts}; one thread refreshes, and closes after
 * its last refresh.
 */
public final class ServerTls implements WatchedTls {

    private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);

    private final ListenerTls config;
    private final TicketKeys tickets;
    private final WatchedFiles clientIssuers;
    private final List<TlsContext> contexts = new ArrayList<>();
    /** Reference count: one for this object, and one for each client whose ClientHello has not arrived yet. */
    private final AtomicInteger uses = new AtomicInteger(1);

    private volatile SniTable table;
    private volatile @Nullable ChallengeCertificates challenges;
    /** The certificates of hosts that no configured certificate covers; null if the listener uses none. */
    private volatile @Nullable OnDemandContexts onDemand;

    private volatile Supplier<List<String>> ticketSecrets = List::of;

    private final SslProvider provider;
    private final List<String> applicationProtocols;
    private final InstantSource clock;
    private volatile ServerParameters parameters;
    private boolean closed;

    private ServerTls(
            ListenerTls config,
            SslProvider provider,
            List<String> applicationProtocols,
            LongSupplier nanoTime,
            InstantSource clock)
            throws IOException {
        this.config = config;
        this.tickets = new TicketKeys(nanoTime);
        this.clientIssuers = new WatchedFiles(config.clientCertificates()
                .map(clients -> List.of(clients.ca()))
                .orElse(List.of()));
        clientIssuers.haveChanged();
        this.provider = provider;
        this.applicationProtocols = List.copyOf(applicationProtocols);
        this.clock = clock;
        this.parameters = readParameters();
        try {
            for (TlsFiles files : config.certificates()) {
                contexts.add(open(files));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
        this.table = new SniTable(contexts);
        if (!TlsProvider.isOpenSsl(provider)
                && config.certificates().stream().anyMatch(files -> files.ocsp().isPresent())) {
            LOG.warn("msg=\"Java's TLS cannot send OCSP responses from files; the key ocsp has no effect\"");
        }
    }

    /**
     * Reads the files.
     *
     * @param applicationProtocols the ALPN names of the offered protocols, in order of preference
     * @throws IOException if a file cannot be read or used; the message names the file
     */
    public static ServerTls open(ListenerTls config, List<String> applicationProtocols) throws IOException {
        return reporting(open(config, providerFor(config), applicationProtocols));
    }

    /**
     * Opens TLS for connections that are relayed regardless of their protocol. Its TLS implementation supports
     * half-closed connections, as far as the TLS version allows ({@link TlsCloseHandler#allowHalfClosure}).
     *
     * @throws IOException if a file cannot be read or used; the message names it
     */
    public static ServerTls forSessions(ListenerTls config) throws IOException {
        return reporting(open(config, TlsProvider.halfCloseProvider(), config.alpn()));
    }

    private static SslProvider providerFor(ListenerTls config) throws IOException {
        SslProvider preferred = TlsProvider.choose();
        Optional<String> whyJava =
                TlsProvider.isOpenSsl(preferred) ? BoringSslKeySupport.javaTlsReason(config) : Optional.empty();
        whyJava.ifPresent(reason -> LOG.info("tls=jdk reason=\"{}\"", reason));
        return whyJava.isPresent() ? SslProvider.JDK : preferred;
    }

    private static ServerTls reporting(ServerTls tls) {
        tls.contexts.forEach(TlsContext::reportDates);
        return tls;
    }

    /** Like {@link #open(ListenerTls, List)}, with a given TLS implementation instead of the preferred one. */
    public static ServerTls open(ListenerTls config, SslProvider provider, List<String> applicationProtocols)
            throws IOException {
        return open(config, provider, applicationProtocols, System::nanoTime, InstantSource.system());
    }

    static ServerTls open(
            ListenerTls config,
            SslProvider provider,
            List<String> applicationProtocols,
            LongSupplier nanoTime,
            InstantSource clock)
            throws IOException {
        return new ServerTls(config, provider, applicationProtocols, nanoTime, clock);
    }

    /**
     * Creates the handler of a new connection. It becomes an {@link io.netty.handler.ssl.SslHandler} after the
     * ClientHello. The caller sets the timeout of the handshake.
     */
    public ChannelHandler newHandler() {
        return newHandler(/* plainHttp= */ null);
    }

    /**
     * Like {@link #newHandler()}, for HTTP.
     *
     * @param plainHttp serves clients that send HTTP without TLS; null to close their connections
     */
    public ChannelHandler newHandler(@Nullable PlainHttpHandler plainHttp) {
        uses.incrementAndGet();
        return new ClientHelloHandler(() -> table, plainHttp, challenges, onDemand, this::release);
    }

    /**
     * Sets the certificates that certificate authorities request to verify names; applies to connections that begin
     * afterwards.
     */
    public void answerChallenges(ChallengeCertificates certificates) {
        challenges = certificates;
    }

    /**
     * Sets the source of certificates for hosts that no configured certificate covers. Called before the first
     * connection.
     *
     * @param certificates returns the current source of certificates
     */
    public void findOnDemand(Supplier<HostCertificates> certificates) {
        findOnDemand(certificates, OnDemandContexts.Bounds.DEFAULT);
    }

    /**
     * Uses ticket keys that are derived from secrets of a cluster, as soon as there are any. Called before the first
     * connection.
     *
     * @param secrets returns hexadecimal digits, as {@link TicketKeys#share} expects; changes apply within seconds
     */
    public void shareTicketSecrets(Supplier<List<String>> secrets) {
        ticketSecrets = secrets;
        if (tickets.share(secrets.get(), parameters.fingerprint())) {
            allContexts().forEach(TlsContext::installTicketKeys);
        }
    }

    void findOnDemand(Supplier<HostCertificates> certificates, OnDemandContexts.Bounds bounds) {
        onDemand = new OnDemandContexts(certificates, this::open, bounds);
    }

    /**
     * Returns the certificate for a client with TLS 1.3 that accepts every kind of RSA and ECDSA signature, for handshakes
     * that are not made by {@link #newHandler()}. Certificates on demand are not included.
     *
     * @param host the requested host (SNI); null for none
     */
    public TlsIdentity identityFor(@Nullable String host) {
        return table.find(ClientHelloOffer.acceptingAll(host)).identity();
    }

    private TlsContext open(TlsFiles files) throws IOException {
        return new TlsContext(files, provider, applicationProtocols, parameters, tickets, clock);
    }

    /** The contexts, each with its current certificate, in the order of the configuration. */
    public List<TlsContext> contexts() {
        return List.copyOf(contexts);
    }

    @Override
    public void refresh() {
        boolean changed = false;
        for (TlsContext context : contexts) {
            changed |= context.tryRefresh();
        }
        if (changed) {
            table = new SniTable(contexts);
        }
        if (clientIssuers.haveChanged()) {
            replaceClientIssuers();
        }
        boolean isRenewed = tickets.renewIfDue();
        if (tickets.share(ticketSecrets.get(), parameters.fingerprint()) || isRenewed) {
            allContexts().forEach(TlsContext::installTicketKeys);
        }
        OnDemandContexts others = onDemand;
        if (others != null) {
            others.refresh();
        }
    }

    private List<TlsContext> allContexts() {
        OnDemandContexts others = onDemand;
        List<TlsContext> all = new ArrayList<>(contexts);
        if (others != null) {
            all.addAll(others.contexts());
        }
        return all;
    }

    /** Loads the new issuers and invalidates earlier sessions, because their clients may no longer be trusted. */
    private void replaceClientIssuers() {
        try {
            ServerParameters next = readParameters();
            parameters = next;
            tickets.forget();
            for (TlsContext context : allContexts()) {
                context.parameters(next);
            }
            LOG.info("msg=\"reloaded changed CA certificates for client certificates\"");
        } catch (IOException e) {
            LOG.warn(
                    "msg=\"cannot load changed CA certificates for client certificates; the previous ones stay active\""
                            + " cause=\"{}\"",
                    ErrorText.of(e));
        }
    }

    private ServerParameters readParameters() throws IOException {
        Optional<ClientCertificates> clients = config.clientCertificates();
        List<X509Certificate> issuers =
                clients.isPresent() ? CertificateFile.read(clients.get().ca()) : List.of();
        return new ServerParameters(config.profile(), clients.map(ClientCertificates::mode), issuers);
    }

    /**
     * Closes this object: no handlers may be created afterwards. Existing handlers continue, and the contexts are
     * released as soon as no pending handshake needs them.
     */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            release();
        }
    }

    private void release() {
        if (uses.decrementAndGet() == 0) {
            contexts.forEach(TlsContext::close);
            OnDemandContexts others = onDemand;
            if (others != null) {
                others.close();
            }
        }
    }
}
