package io.ballast.http;

import io.ballast.core.config.HostPort;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h1.ClientConnection;
import io.ballast.http.h1.Http1Loop;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.net.listen.AcceptPause;
import io.ballast.net.listen.DeadLoop;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * One listener's sockets: one for each worker where the system can spread connections over several sockets of one port,
 * else one for all, whose connections are dealt out in turn.
 */
final class ListeningPort {

    private static final int BACKLOG = 4096;
    private static final Duration MOST_WAIT_FOR_PORT = Duration.ofSeconds(1);
    private static final Duration PORT_POLL = Duration.ofMillis(20);

    private final Listener listener;
    private final List<Channel> sockets = new ArrayList<>();
    private final ChannelGroup connections = new DefaultChannelGroup(
            GlobalEventExecutor.INSTANCE, /* stayClosed= */ true); // also those accepted while closing

    private ListeningPort(Listener listener) {
        this.listener = listener;
    }

    /** @param loops what HTTP/1.1 has on each of the workers' event loops, shared by all listeners */
    static ListeningPort bind(Listener listener, Workers workers, IdentityHashMap<EventLoop, Http1Loop> loops)
            throws BindException {
        ListeningPort port = new ListeningPort(listener);
        HostPort bind = listener.config().bind();
        InetSocketAddress address = new InetSocketAddress(bind.host(), bind.port());
        boolean sharesPort = workers.loops().transport().sharesPort();
        try {
            refuseSharing(address);
            for (Worker worker : sharesPort ? workers.all() : workers.all().subList(0, 1)) {
                ServerBootstrap bootstrap = port.bootstrap(workers, worker, loops);
                Channel socket = bootstrap.bind(address).syncUninterruptibly().channel();
                port.sockets.add(socket);
                worker.heartbeat().onDeath(() -> DeadLoop.close(socket));
                // A port chosen by the system for the first socket is the port of all.
                address = (InetSocketAddress) socket.localAddress();
            }
        } catch (RuntimeException | Error e) {
            port.close();
            throw e;
        } catch (Exception e) { // thrown by Netty without being declared
            port.close();
            throw new BindException(bind, e);
        }
        return port;
    }

    /**
     * Fails if somebody listens there already. With {@code SO_REUSEPORT} the system would let two processes of one user
     * share a port, and each would get half of the connections. Tries for a second, because the system lets go of a
     * socket of io_uring only some time after it was closed.
     */
    private static void refuseSharing(InetSocketAddress address) throws IOException {
        long end = System.nanoTime() + MOST_WAIT_FOR_PORT.toNanos();
        while (true) {
            try (ServerSocket probe = new ServerSocket()) {
                probe.setReuseAddress(true);
                probe.bind(address);
                return;
            } catch (IOException e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                LockSupport.parkNanos(PORT_POLL.toNanos());
            }
        }
    }

    private ServerBootstrap bootstrap(Workers workers, Worker worker, IdentityHashMap<EventLoop, Http1Loop> loops) {
        boolean sharesPort = workers.loops().transport().sharesPort();
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(
                        worker.eventLoop(),
                        sharesPort ? worker.eventLoop() : workers.loops().group())
                .channel(workers.loops().transport().serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .handler(AcceptPause.forClients(() ->
                        listener.counters().shard(worker.index()).increment(ListenerCounter.CONNECTIONS_NOT_ACCEPTED)))
                .childOption(ChannelOption.ALLOCATOR, workers.allocator())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        workers.loops().transport().prepare(channel.pipeline());
                        accept(channel, loops);
                    }
                });
        if (sharesPort) {
            bootstrap.option(UnixChannelOption.SO_REUSEPORT, true);
        }
        return bootstrap;
    }

    private void accept(Channel channel, IdentityHashMap<EventLoop, Http1Loop> loops) {
        Http1Loop loop = loops.get(channel.eventLoop());
        if (loop == null) {
            throw new IllegalStateException("accepted on a foreign event loop");
        }
        if (!(channel.remoteAddress() instanceof InetSocketAddress peer)
                || !(channel.localAddress() instanceof InetSocketAddress local)) {
            channel.close(); // gone already
            return;
        }
        ListenerCounter refusal = listener.admit(peer.getAddress());
        if (refusal != null) {
            // Without an answer: no request was read, and a flood of connections must cost as little as possible.
            listener.counters().shard(loop.index()).increment(refusal);
            channel.close();
            return;
        }
        connections.add(channel);
        channel.pipeline().addLast(new ClientConnection(loop, listener, channel, peer, local));
    }

    Listener listener() {
        return listener;
    }

    int port() {
        return ((InetSocketAddress) sockets.get(0).localAddress()).getPort();
    }

    void stopAccepting() {
        listener.drain();
        sockets.forEach(socket -> socket.close().awaitUninterruptibly());
        connections.stream()
                .filter(channel -> !channel.eventLoop().isShuttingDown()) // one that has ended drains nothing
                .forEach(channel -> channel.eventLoop().execute(() -> drain(channel)));
    }

    private static void drain(Channel channel) {
        ClientConnection connection = channel.pipeline().get(ClientConnection.class);
        if (connection != null) {
            connection.drain();
        }
    }

    /** Waits until no connection is left or the time is over; returns how many are left. */
    int awaitIdle(long endNanos) {
        for (Channel channel : connections) {
            long left = endNanos - System.nanoTime();
            if (left <= 0 || !channel.closeFuture().awaitUninterruptibly(Math.max(1, left / 1_000_000))) {
                break;
            }
        }
        // Not the group's size: a channel leaves it a moment after it was closed.
        return (int) connections.stream().filter(Channel::isOpen).count();
    }

    void close() {
        sockets.forEach(socket -> socket.close().awaitUninterruptibly());
        connections.close().awaitUninterruptibly();
    }
}
