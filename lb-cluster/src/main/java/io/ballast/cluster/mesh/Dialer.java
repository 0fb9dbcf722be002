package io.ballast.cluster.mesh;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a connection to one address: dials again {@value #MIN_PAUSE_MILLIS} to {@value #MAX_PAUSE_MILLIS} ms after each
 * failure. Used by the thread of the mesh.
 */
final class Dialer {

    private static final int CONNECT_MILLIS = 1000;
    private static final int MIN_PAUSE_MILLIS = 200;
    private static final int MAX_PAUSE_MILLIS = 2000;

    private final InetSocketAddress address;
    private final Greeting greeting;
    private final EventLoop loop;
    private final MeshTls tls;
    private final Roster roster;
    private @Nullable Outgoing current;
    private @Nullable ScheduledFuture<?> pause;
    private int pauseMillis = MIN_PAUSE_MILLIS;
    private boolean stopped;

    Dialer(InetSocketAddress address, Greeting greeting, EventLoop loop, MeshTls tls, Roster roster) {
        this.address = address;
        this.greeting = greeting;
        this.loop = loop;
        this.tls = tls;
        this.roster = roster;
    }

    void dial() {
        pause = null;
        if (stopped) {
            return;
        }
        Outgoing handler = new Outgoing(greeting, this);
        current = handler;
        new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, Outgoing.BACKLOG)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(tls.client(channel));
                        Frames.addDecoder(channel.pipeline());
                        channel.pipeline().addLast(handler);
                    }
                })
                .connect(address)
                .addListener(done -> {
                    if (!done.isSuccess()) {
                        lost(handler);
                    }
                });
    }

    /** Dials at once if a pause is in progress: the node was heard on another connection. */
    void hurry() {
        if (pause != null && pause.cancel(/* mayInterruptIfRunning= */ false)) {
            pauseMillis = MIN_PAUSE_MILLIS;
            dial();
        }
    }

    /** The number of connected nodes. */
    int connections() {
        return roster.connections();
    }

    void ready(Outgoing connection) {
        pauseMillis = MIN_PAUSE_MILLIS;
        roster.ready(connection);
    }

    void lost(Outgoing connection) {
        if (current != connection) {
            return;
        }
        current = null;
        roster.lost(connection);
        if (!stopped) {
            int jitter = ThreadLocalRandom.current().nextInt(pauseMillis / 2 + 1);
            pause = loop.schedule(this::dial, pauseMillis - jitter, TimeUnit.MILLISECONDS);
            pauseMillis = Math.min(MAX_PAUSE_MILLIS, 2 * pauseMillis);
        }
    }

    /** Never dials again. */
    void stop() {
        stopped = true;
        if (pause != null) {
            pause.cancel(/* mayInterruptIfRunning= */ false);
        }
    }

    void close() {
        stop();
        if (current != null) {
            current.close();
        }
    }
}
