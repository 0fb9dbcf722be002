package io.ballast.dashboard.server;

import io.ballast.core.ErrorText;
import io.ballast.core.config.HostPort;
import io.ballast.core.control.PreparedChange;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.listen.BindFailure;
import io.ballast.net.tls.ServerTls;
import io.ballast.net.tls.TlsReload;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One address of a server, with its own limits for connections and long responses. While the server runs, an
 * endpoint can be added, removed, moved to another address, or switched to other TLS files.
 *
 * <p>Thread safety: only one thread at a time may call start and prepare; any thread may read the address.
 */
public final class Endpoint {

    /**
     * Default maximum number of connections in total; {@code MAX_PER_ADDRESS} is the limit for one client address.
     */
    static final int MAX_CONNECTIONS = 256;

    static final int MAX_PER_ADDRESS = 192;

    /** Maximum number of long responses at a time. Each holds about 100 KiB, a compressed one about 400 KiB. */
    static final int MAX_DOCUMENTS = 4;

    /** Maximum time to complete pending responses at the old address after this endpoint changed its address. */
    static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);

    private static final List<String> APPLICATION_PROTOCOLS = List.of("http/1.1");

    private final AdminServer server;
    private final Router router;
    private final Authenticator authenticator;
    private final Runnable onReconnectNeeded;
    private final OpenConnections connections;
    private final DocumentLimit documents = new DocumentLimit(MAX_DOCUMENTS);
    private Optional<EndpointConfig> config = Optional.empty();
    private volatile @Nullable AdminSocket activeSocket;
    private volatile @Nullable ServerTls tls;
    private final TlsReload tlsReload = TlsReload.start(List.of());

    /**
     * @param onMove run on the event loop when connected clients should reconnect
     */
    Endpoint(
            AdminServer server,
            Router router,
            Authenticator authenticator,
            Runnable onMove,
            OpenConnections connections) {
        this.connections = connections;
        this.server = server;
        this.router = router;
        this.authenticator = authenticator;
        this.onReconnectNeeded = onMove;
    }

    /**
     * Starts to listen and to answer.
     *
     * @throws IllegalArgumentException if the address is not allowed for the audience
     * @throws IOException if the address cannot be bound, or a TLS file cannot be used
     */
    public void start(EndpointConfig first) throws IOException {
        prepare(Optional.of(first)).commit();
    }

    /**
     * Prepares a move to another address or a shutdown. A new address is bound now and served after the commit.
     * Pending responses at the old address get {@link #DRAIN_TIMEOUT} to complete. Must not be called on the
     * event loop; only one change may be prepared at a time.
     *
     * @param next the next configuration; absent to stop listening
     * @throws IllegalArgumentException if the address is not allowed for the audience
     * @throws IOException if the address cannot be bound, or a TLS file cannot be used
     */
    public PreparedChange prepare(Optional<EndpointConfig> next) throws IOException {
        if (next.equals(config)) {
            return PreparedChange.NOTHING;
        }
        Optional<ListenerTls> wanted = next.flatMap(EndpointConfig::tls);
        boolean sameTls = wanted.equals(config.flatMap(EndpointConfig::tls));
        ServerTls present = tls;
        ServerTls opened = sameTls || next.isEmpty() ? present : openTls(next.get());
        try {
            boolean stays = next.isPresent() && listensAt(next.get());
            AdminSocket socket = next.isEmpty() || stays ? null : bind(next.get());
            return new Change(next, socket, opened);
        } catch (IOException | RuntimeException e) {
            if (opened != null && opened != present) {
                opened.close();
            }
            throw e;
        }
    }

    /** Returns the bound address with the real port; empty if the endpoint does not listen. */
    public Optional<InetSocketAddress> address() {
        return Optional.ofNullable(activeSocket).map(AdminSocket::address);
    }

    private static @Nullable ServerTls openTls(EndpointConfig config) throws IOException {
        if (config.tls().isEmpty()) {
            return null;
        }
        try {
            return ServerTls.open(config.tls().get(), APPLICATION_PROTOCOLS);
        } catch (IOException e) {
            throw new IOException(config.configKey() + ".tls: " + ErrorText.of(e), e);
        }
    }

    private boolean listensAt(EndpointConfig next) {
        AdminSocket present = activeSocket;
        return present != null && present.isBoundTo(next.bind(), resolveAddress(next));
    }

    private AdminSocket bind(EndpointConfig next) throws IOException {
        InetSocketAddress wanted = resolveAddress(next);
        HostPort bind = next.bind();
        RequestGuard guard = new RequestGuard(next, wanted.getAddress());
        SocketConnections through = new SocketConnections();
        ChannelFuture bound = server.bind(wanted, new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                ConnectionGuard connection = new ConnectionGuard(connections, server.requestDeadlineMillis());
                ServerTls present = tls;
                Dispatcher dispatcher = new Dispatcher(
                        router, guard, authenticator, /* isSecure= */ present != null, connection, documents);
                server.initialize(channel, connection, present, dispatcher);
                through.add(channel, connection);
            }
        });
        if (!bound.isSuccess()) {
            BindException failure = BindFailure.at(bind.toString(), bind.port(), bound.cause());
            throw new IOException(next.configKey() + ": " + ErrorText.of(failure), failure);
        }
        return new AdminSocket(bound.channel(), bind, guard, through);
    }

    private static InetSocketAddress resolveAddress(EndpointConfig config) {
        String key = config.configKey() + ".bind";
        try {
            InetAddress address = InetAddress.getByName(config.bind().host());
            if (address.isLoopbackAddress() || config.audience() != EndpointConfig.Audience.THIS_MACHINE) {
                return new InetSocketAddress(address, config.bind().port());
            }
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    key + ": " + config.bind() + " (expected: a host name that can be resolved)", e);
        }
        throw new IllegalArgumentException(
                key + ": " + config.bind() + " (expected: a loopback address such as 127.0.0.1, or users or tokens)");
    }

    /** Releases the TLS files. Call it after all connections are closed. */
    void close() {
        tlsReload.close();
        ServerTls last = tls;
        if (last != null) {
            last.close();
        }
    }

    /** A prepared change, with the new socket and TLS context. */
    private final class Change implements PreparedChange {

        private final Optional<EndpointConfig> next;
        private final @Nullable AdminSocket socket;
        private final @Nullable ServerTls newTls;
        private final @Nullable ServerTls oldTls = tls;
        private boolean committed;

        Change(Optional<EndpointConfig> next, @Nullable AdminSocket socket, @Nullable ServerTls nextTls) {
            this.next = next;
            this.socket = socket;
            this.newTls = nextTls;
        }

        @Override
        public void commit() {
            committed = true;
            config = next;
            tls = newTls;
            tlsReload.watch(newTls == null ? List.of() : List.of(newTls));
            AdminSocket former = activeSocket;
            if (next.isEmpty() || socket != null) {
                activeSocket = socket;
                executeOnLoop(() -> switchSocket(former));
            } else if (former != null) {
                former.guard().updateConfig(next.get());
                if (newTls != oldTls) {
                    executeOnLoop(() -> {
                        former.drainConnections();
                        onReconnectNeeded.run();
                    });
                }
            }
        }

        private void switchSocket(@Nullable AdminSocket former) {
            if (socket != null) {
                socket.accept();
            }
            if (former != null) {
                former.drain(DRAIN_TIMEOUT);
                onReconnectNeeded.run();
            }
        }

        @Override
        public void releasePrevious() {
            ServerTls former = oldTls;
            if (former != null && former != newTls) {
                executeOnLoop(() -> tlsReload.closeLater(former));
            }
        }

        private void executeOnLoop(Runnable task) {
            try {
                server.loop().execute(task);
            } catch (RejectedExecutionException e) {
                LOG.debug("the server was closed before it could change to {}", next);
            }
        }

        @Override
        public void close() {
            if (committed) {
                return;
            }
            if (socket != null) {
                socket.close();
            }
            if (newTls != null && newTls != oldTls) {
                newTls.close();
            }
        }
    }
}
