package io.ballast.net.tls;

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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS on the connections of a listener: several identities, of which each client gets the one for its host, and what is
 * asked of clients.
 *
 * <p>Thread safety: any thread may make handlers and ask for identities; one thread refreshes, and closes when it refreshes
 * no more.
 */
public final class ServerTls implements WatchedTls {

    private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);

    private final ListenerTls config;
    private final TicketKeys tickets;
    private final WatchedFiles clientIssuers;
    private final List<TlsContext> contexts = new ArrayList<>();
    /** One for itself, and one for each client that has not said yet for which host it comes. */
    private final AtomicInteger uses = new AtomicInteger(1);

    private volatile SniTable table;
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
        ServerParameters parameters = parameters();
        try {
            for (TlsFiles files : config.certificates()) {
                contexts.add(new TlsContext(files, provider, applicationProtocols, parameters, tickets, clock));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
        this.table = new SniTable(contexts);
        if (!TlsProvider.isOpenSsl(provider)
                && config.certificates().stream().anyMatch(files -> files.ocsp().isPresent())) {
            LOG.warn("msg=\"Java's own TLS sends no OCSP responses from files; ocsp has no effect\"");
        }
    }

    /**
     * Reads the files.
     *
     * @param applicationProtocols what may be spoken inside (ALPN), the preferred one first
     * @throws IOException if one cannot be read or used; the message names the file
     */
    public static ServerTls open(ListenerTls config, List<String> applicationProtocols) throws IOException {
        return reporting(open(config, providerFor(config), applicationProtocols));
    }

    /**
     * For connections that are relayed whatever is spoken on them, by an implementation of TLS with which either side may end
     * its sending while the other goes on, as far as the version of TLS allows it ({@link TlsEnd#allowHalfClosure}).
     *
     * @throws IOException if a file cannot be read or used; the message names it
     */
    public static ServerTls forSessions(ListenerTls config) throws IOException {
        return reporting(open(config, TlsProvider.halfClosing(), config.alpn()));
    }

    private static SslProvider providerFor(ListenerTls config) throws IOException {
        SslProvider preferred = TlsProvider.choose();
        Optional<String> whyJava = TlsProvider.isOpenSsl(preferred) ? KeySupport.whyJava(config) : Optional.empty();
        whyJava.ifPresent(reason -> LOG.info("tls=jdk reason=\"{}\"", reason));
        return whyJava.isPresent() ? SslProvider.JDK : preferred;
    }

    private static ServerTls reporting(ServerTls tls) {
        tls.contexts.forEach(TlsContext::reportDates);
        return tls;
    }

    /** Like the first, with an implementation of TLS that is not the preferred one. */
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
     * Makes the handler of a new connection, which becomes an {@link io.netty.handler.ssl.SslHandler} once the client has
     * said what it wants. How long the handshake may take is for others to decide.
     */
    public ChannelHandler newHandler() {
        return newHandler(/* plainHttp= */ null);
    }

    /**
     * The same for HTTP.
     *
     * @param plainHttp serves clients that send HTTP without TLS; null if their connections just end
     */
    public ChannelHandler newHandler(@Nullable PlainHttp plainHttp) {
        uses.incrementAndGet();
        return new ClientHelloHandler(() -> table, plainHttp, this::release);
    }

    /** What it is made of, each with the identity in force, in the order of the configuration. */
    public List<TlsContext> contexts() {
        return List.copyOf(contexts);
    }

    @Override
    public void refresh() {
        boolean changed = false;
        for (TlsContext context : contexts) {
            changed |= context.refreshed();
        }
        if (changed) {
            table = new SniTable(contexts);
        }
        if (clientIssuers.haveChanged()) {
            replaceClientIssuers();
        }
        if (tickets.renewed()) {
            contexts.forEach(TlsContext::ticketsRenewed);
        }
    }

    /** Sessions that began with those of before do not go on: their clients may not be believed any more. */
    private void replaceClientIssuers() {
        try {
            ServerParameters next = parameters();
            tickets.forget();
            for (TlsContext context : contexts) {
                context.parameters(next);
            }
            LOG.info("msg=\"issuers of client certificates have changed and are in force\"");
        } catch (IOException e) {
            LOG.warn(
                    "msg=\"issuers of client certificates have changed but cannot be used; the old ones stay in force\""
                            + " cause=\"{}\"",
                    e.getMessage());
        }
    }

    private ServerParameters parameters() throws IOException {
        Optional<ClientCertificates> clients = config.clientCertificates();
        List<X509Certificate> issuers =
                clients.isPresent() ? CertificateFile.read(clients.get().ca()) : List.of();
        return new ServerParameters(config.profile(), clients.map(ClientCertificates::mode), issuers);
    }

    /** No handler may be made any more; those that were made go on, and when they have what they need, the rest is freed. */
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
        }
    }
}
