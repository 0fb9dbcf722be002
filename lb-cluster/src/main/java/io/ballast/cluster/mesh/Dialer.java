package io.ballast.cluster.mesh;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a connection to one address: requests a turn of the {@link DialQueue} again {@value #MIN_PAUSE_MILLIS} to
 * {@value #MAX_PAUSE_MILLIS} ms after each failure. An address of a node that is already connected is tried again when
 * the connection to this node is lost, and after {@value #DUPLICATE_PAUSE_MILLIS} ms. Confined to the mesh thread.
 */
final class Dialer {

    private static final int CONNECT_MILLIS = 1000;
    private static final int MIN_PAUSE_MILLIS = 200;
    private static final int MAX_PAUSE_MILLIS = 2000;
    private static final int DUPLICATE_PAUSE_MILLIS = 60_000;
    private static final int MAX_DOUBLINGS = 4;

    /** An address counts as unreachable after this number of consecutive failures, which take at least five minutes. */
    private static final int UNREACHABLE_FAILURES = 300;

    private final InetSocketAddress address;
    private final Greeting greeting;
    private final EventLoop loop;
    private final MeshTls tls;
    private final Roster roster;
    private final DialQueue unheard;
    private final DialQueue heard;
    private final Runnable connect = this::connect;
    private @Nullable Outgoing current;
    private @Nullable ScheduledFuture<?> pause;

    /** The node at this address, if it is connected at another address. */
    private @Nullable String duplicateOf;

    private int failures;
    private @Nullable DialQueue turn;
    private boolean stopped;

    Dialer(
            InetSocketAddress address,
            Greeting greeting,
            EventLoop loop,
            MeshTls tls,
            Roster roster,
            DialQueue unheard,
            DialQueue heard) {
        this.address = address;
        this.greeting = greeting;
        this.loop = loop;
        this.tls = tls;
        this.roster = roster;
        this.unheard = unheard;
        this.heard = heard;
    }

    void dial() {
        pause = null;
        if (!stopped) {
            enter(unheard);
        }
    }

    private void enter(DialQueue queue) {
        turn = queue;
        queue.request(connect, failures);
    }

    /** Opens the connection. Called by the {@link DialQueue}. */
    private void connect() {
        Outgoing handler = new Outgoing(greeting, this);
        current = handler;
        duplicateOf = null;
        new Bootstrap()
                .group(loop)
                .channel(Mesh.TRANSPORT.channel())
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

    /** Connects as soon as possible, because the node has opened a connection to this node. */
    void hurry() {
        failures = 0;
        boolean paused = pause != null && pause.cancel(/* mayInterruptIfRunning= */ false);
        if (paused || unheard.withdraw(connect)) {
            pause = null;
            enter(heard);
        }
    }

    boolean isUnreachable() {
        return failures >= UNREACHABLE_FAILURES;
    }

    /** The number of connected nodes. */
    int connections() {
        return roster.connections();
    }

    void ready(Outgoing connection) {
        failures = 0;
        endTurn();
        if (!roster.ready(connection)) {
            duplicateOf = connection.peer().node();
            connection.close();
        }
    }

    /** Called when the connection to a node is lost. If this address leads to that node too, it is dialed at once. */
    void lostNode(String node) {
        if (node.equals(duplicateOf)) {
            hurry();
        }
    }

    private void endTurn() {
        DialQueue used = turn;
        if (used != null) {
            turn = null;
            used.end();
        }
    }

    void lost(Outgoing connection) {
        if (current != connection) {
            return;
        }
        current = null;
        endTurn();
        roster.lost(connection);
        if (!stopped) {
            int millis = duplicateOf == null
                    ? Math.min(MAX_PAUSE_MILLIS, MIN_PAUSE_MILLIS << Math.min(failures, MAX_DOUBLINGS))
                    : DUPLICATE_PAUSE_MILLIS;
            int jitter = ThreadLocalRandom.current().nextInt(millis / 2 + 1);
            failures++;
            pause = loop.schedule(this::dial, millis - jitter, TimeUnit.MILLISECONDS);
        }
    }

    /** Stops dialing permanently. */
    void stop() {
        stopped = true;
        unheard.withdraw(connect);
        heard.withdraw(connect);
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
