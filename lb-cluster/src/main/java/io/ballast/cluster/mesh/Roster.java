package io.ballast.cluster.mesh;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The addresses that this node connects to, and the connected nodes. Each node sends the addresses of all its connected
 * nodes to each of these nodes. Confined to the mesh thread.
 */
final class Roster {

    static final int MAX_ADDRESSES = 256;

    private static final int MAX_INCOMING = 2 * MAX_ADDRESSES;
    private static final int SILENCE_SECONDS = 10;
    private static final int ADDRESSES_SECONDS = 5;

    private final Map<InetSocketAddress, Dialer> dialers = new HashMap<>();
    private final Map<String, Channel> incoming = new HashMap<>();
    private Set<InetSocketAddress> configured = Set.of();
    private final DialQueue unheard = new DialQueue();
    private final DialQueue heard = new DialQueue();
    private final Greeting greeting;
    private final EventLoop loop;
    private final MeshTls tls;
    private final Map<String, Outgoing> ready;
    private final MeshListeners listeners;
    private int accepted;

    Roster(Greeting greeting, EventLoop loop, MeshTls tls, Map<String, Outgoing> ready, MeshListeners listeners) {
        this.greeting = greeting;
        this.loop = loop;
        this.tls = tls;
        this.ready = ready;
        this.listeners = listeners;
    }

    MeshListeners listeners() {
        return listeners;
    }

    void start(List<InetSocketAddress> peers) {
        dial(peers);
        loop.scheduleWithFixedDelay(this::tellAddresses, ADDRESSES_SECONDS, ADDRESSES_SECONDS, TimeUnit.SECONDS);
    }

    /** Replaces the configured addresses. */
    void dial(List<InetSocketAddress> peers) {
        configured = Set.copyOf(peers);
        addAll(peers);
    }

    /**
     * Adds addresses in random order, because a node could not answer in time if all other nodes connected to it first.
     */
    private void addAll(List<InetSocketAddress> addresses) {
        List<InetSocketAddress> shuffled = new ArrayList<>(addresses);
        Collections.shuffle(shuffled);
        shuffled.forEach(this::add);
    }

    /**
     * Removes addresses that are not configured and have not answered for a long time, such as those of removed nodes.
     */
    private void forgetUnreachable() {
        dialers.entrySet().removeIf(entry -> {
            boolean isForgotten = entry.getValue().isUnreachable() && !configured.contains(entry.getKey());
            if (isForgotten) {
                entry.getValue().close();
            }
            return isForgotten;
        });
    }

    private void add(InetSocketAddress address) {
        if (dialers.size() < MAX_ADDRESSES
                && !dialers.containsKey(address)
                && !address.equals(greeting.self().address())) {
            Dialer dialer = new Dialer(address, greeting, loop, tls, this, unheard, heard);
            dialers.put(address, dialer);
            dialer.dial();
        }
    }

    // ---- connections that this node has opened

    int connections() {
        return ready.size();
    }

    /**
     * Returns false if the same process is connected at another address: the caller must then close this connection.
     */
    boolean ready(Outgoing connection) {
        ClusterNode peer = connection.peer();
        Outgoing older = ready.get(peer.node());
        if (older != null && older.peer().incarnation() == peer.incarnation()) {
            return false;
        }
        ready.put(peer.node(), connection);
        if (older != null) {
            older.close();
            listeners.disconnected(older.peer());
        }
        listeners.connected(peer);
        connection.send(Frames.ADDRESSES, addresses());
        return true;
    }

    void lost(Outgoing connection) {
        boolean wasReady = ready.values().removeIf(known -> known == connection);
        if (wasReady) {
            ClusterNode peer = connection.peer();
            listeners.disconnected(peer);
            forgetIfGone(peer);
            dialers.values().forEach(dialer -> dialer.lostNode(peer.node()));
        }
    }

    private void forgetIfGone(ClusterNode node) {
        if (!ready.containsKey(node.node()) && !incoming.containsKey(node.node())) {
            greeting.forget(node);
        }
    }

    // ---- connections that other nodes have opened

    void accept(SocketChannel channel) {
        if (accepted >= MAX_INCOMING) {
            greeting.refused(channel.remoteAddress(), MAX_INCOMING + " connections are open");
            channel.close();
            return;
        }
        accepted++;
        channel.closeFuture().addListener(closed -> accepted--);
        channel.pipeline().addLast(tls.server(channel)).addLast(new IdleStateHandler(SILENCE_SECONDS, 0, 0));
        Frames.addDecoder(channel.pipeline());
        channel.pipeline().addLast(new Incoming(greeting, this));
    }

    void accepted(ClusterNode peer, Channel channel) {
        Channel older = incoming.put(peer.node(), channel);
        if (older != null) {
            older.close();
        }
        add(peer.address());
        Dialer dialer = dialers.get(peer.address());
        if (dialer != null) {
            dialer.hurry();
        }
    }

    void lost(ClusterNode peer, Channel channel) {
        incoming.remove(peer.node(), channel);
        forgetIfGone(peer);
    }

    // ---- addresses

    private void tellAddresses() {
        forgetUnreachable();
        byte[] message = addresses();
        ready.values().forEach(connection -> connection.send(Frames.ADDRESSES, message));
    }

    private byte[] addresses() {
        ByteBuf out = Unpooled.buffer();
        for (Outgoing connection : ready.values()) {
            InetSocketAddress address = connection.peer().address();
            byte[] bytes = address.getAddress().getAddress();
            out.writeByte(bytes.length).writeBytes(bytes).writeShort(address.getPort());
        }
        return ByteBufUtil.getBytes(out);
    }

    /** Connects to the addresses in a message, which may be malformed. */
    void learn(ByteBuf message) {
        List<InetSocketAddress> learned = new ArrayList<>();
        while (message.isReadable()) {
            byte[] bytes = new byte[message.readUnsignedByte()];
            if (message.readableBytes() < bytes.length + Short.BYTES) {
                break;
            }
            message.readBytes(bytes);
            int port = message.readUnsignedShort();
            try {
                learned.add(new InetSocketAddress(InetAddress.getByAddress(bytes), port));
            } catch (UnknownHostException e) {
                break;
            }
        }
        addAll(learned);
    }

    void close() {
        dialers.values().forEach(Dialer::close);
        incoming.values().forEach(Channel::close);
    }
}
