package io.ballast.cluster.mesh;

import io.ballast.core.ErrorText;
import io.ballast.net.config.TransportKind;
import io.ballast.net.transport.NettyTransport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a node to all other nodes of its cluster. Thread-safe; starts one thread, and does not use the
 * threads that serve clients.
 *
 * <p>A node connects to each address that it knows from its configuration or from other nodes. It repeats failed
 * attempts, and reconnects when a connection is lost. It sends only on connections that it has opened, and receives
 * only on connections that it has accepted. Both sides must have the same cluster name, and a certificate of a trusted
 * authority that contains their node name.
 *
 * <p>Bounds: {@value Roster#MAX_ADDRESSES} addresses, messages of {@value Frames#MAX_BYTES} bytes, and {@value
 * Outgoing#MAX_BACKLOG_BYTES} bytes of unsent messages for each node.
 */
public final class Mesh implements AutoCloseable {

    /** The lowest value for the kind of a message. */
    public static final int FIRST_KIND = Frames.FIRST_USER_KIND;

    static final NettyTransport TRANSPORT = NettyTransport.choose(TransportKind.NIO);

    private static final int BACKLOG = 1024;
    private static final int CLOSE_SECONDS = 5;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1,
            new DefaultThreadFactory("cluster-mesh", /* daemon= */ true),
            TRANSPORT.ioHandler().get());
    private final EventLoop loop = group.next();
    private final Map<String, Outgoing> ready = new ConcurrentHashMap<>();
    private final MeshCounters counters = new MeshCounters();
    private final MeshConfig config;
    private final ClusterNode self;
    private final MeshListeners listeners;
    private final Roster roster;
    private @Nullable Channel server;

    /**
     * @param incarnation the time at which this process started, in milliseconds since 1970
     * @param listeners are notified of connections and messages
     */
    public Mesh(MeshConfig config, long incarnation, List<MeshListener> listeners) {
        this.config = config;
        this.self = new ClusterNode(config.node(), incarnation, config.bind());
        this.listeners = new MeshListeners(listeners);
        this.roster = new Roster(
                new Greeting(config.cluster(), self, counters), loop, new MeshTls(config.tls()), ready, this.listeners);
    }

    /**
     * Starts to accept connections and to connect to other nodes.
     *
     * @throws MeshException if the address cannot be used
     */
    public void start() {
        try {
            server = new ServerBootstrap()
                    .group(group)
                    .channel(TRANSPORT.serverChannel())
                    .option(ChannelOption.SO_BACKLOG, BACKLOG)
                    .option(ChannelOption.SO_REUSEADDR, true)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childHandler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel channel) {
                            roster.accept(channel);
                        }
                    })
                    .bind(config.bind())
                    .sync()
                    .channel();
        } catch (Exception e) {
            throw new MeshException(
                    "cannot accept connections of other nodes on " + config.bind() + ": " + ErrorText.of(e), e);
        }
        loop.execute(() -> roster.start(config.peers()));
    }

    /**
     * Replaces the addresses of {@link MeshConfig#peers}, because a look-up of their names has found other addresses.
     */
    public void dial(List<InetSocketAddress> peers) {
        loop.execute(() -> roster.dial(peers));
    }

    /** Returns the identity of this process. */
    public ClusterNode self() {
        return self;
    }

    /**
     * Sends a message without waiting.
     *
     * @param kind a number from {@link #FIRST_KIND} to 255, which is passed to the receiver
     * @param message slightly less than {@value Frames#MAX_BYTES} bytes at most; must not be changed afterwards
     * @return false if the message was dropped, because the node is not connected or has too many unsent bytes.
     *     Otherwise, the message arrives unless the connection is lost
     */
    public boolean send(String node, int kind, byte[] message) {
        Outgoing connection = ready.get(node);
        return connection != null && connection.send(kind, message);
    }

    /** Sends a message to all connected nodes, as with {@link #send}. */
    public void broadcast(int kind, byte[] message) {
        for (Outgoing connection : ready.values()) {
            connection.send(kind, message);
        }
    }

    public boolean isConnected(String node) {
        return ready.containsKey(node);
    }

    /** The connected nodes with the time of the last round trip in nanoseconds; 0 before the first round trip. */
    public Map<ClusterNode, Long> connected() {
        Map<ClusterNode, Long> connected = new HashMap<>();
        ready.values().forEach(connection -> connected.put(connection.peer(), connection.roundTripNanos()));
        return connected;
    }

    public MeshCounters counters() {
        return counters;
    }

    /** Closes all connections; waits for at most {@value #CLOSE_SECONDS} s. */
    @Override
    public void close() {
        if (group.isShuttingDown()) {
            return;
        }
        if (server != null) {
            server.close();
        }
        loop.execute(roster::close);
        group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
