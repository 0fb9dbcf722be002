package io.ballast.cluster.mesh;

import io.ballast.core.ErrorText;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelPipeline;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Validates the {@link Hello} messages from other nodes. Confined to the mesh thread. */
final class Greeting {

    private final Map<String, Long> incarnations = new HashMap<>();
    private final String cluster;
    private final ClusterNode self;
    private final MeshCounters counters;
    private final RefusalLog refusals = new RefusalLog("refused", System::nanoTime);
    private final RefusalLog failedHandshakes = new RefusalLog("handshake_failed", System::nanoTime);

    Greeting(String cluster, ClusterNode self, MeshCounters counters) {
        this.cluster = cluster;
        this.self = self;
        this.counters = counters;
    }

    ClusterNode self() {
        return self;
    }

    MeshCounters counters() {
        return counters;
    }

    ByteBuf own() {
        return Hello.of(cluster, self).encode();
    }

    /**
     * Returns the node that sent the message.
     *
     * @throws RefusedPeerException if the sender cannot be a member, or is this process itself
     */
    ClusterNode read(ByteBuf message, ChannelPipeline pipeline) throws RefusedPeerException {
        Hello hello = decode(message);
        ClusterNode peer = hello.peer();
        if (peer.node().equals(self.node()) && peer.incarnation() == self.incarnation()) {
            throw new RefusedPeerException("self", /* isSelf= */ true);
        }
        String reason = reason(hello, pipeline);
        if (reason != null) {
            refused(pipeline.channel().remoteAddress(), reason);
            throw new RefusedPeerException(reason, /* isSelf= */ false);
        }
        incarnations.merge(peer.node(), peer.incarnation(), Math::max);
        return reachable(peer, (InetSocketAddress) pipeline.channel().remoteAddress());
    }

    private static Hello decode(ByteBuf message) throws RefusedPeerException {
        try {
            return Hello.decode(message);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new RefusedPeerException("the first message is malformed", /* isSelf= */ false);
        }
    }

    private @Nullable String reason(Hello hello, ChannelPipeline pipeline) {
        ClusterNode peer = hello.peer();
        if (hello.lowest() > Hello.VERSION || hello.highest() < Hello.VERSION) {
            return "the node supports protocol versions " + hello.lowest() + " to " + hello.highest() + " (expected: "
                    + Hello.VERSION + ")";
        }
        if (!hello.cluster().equals(cluster)) {
            return "the node belongs to cluster " + hello.cluster() + " (expected: " + cluster + ")";
        }
        if (!CertifiedNames.contain(pipeline, peer.node())) {
            return "the certificate does not contain the name " + peer.node();
        }
        if (peer.node().equals(self.node())) {
            return "another process has the name of this node, " + peer.node();
        }
        if (incarnations.getOrDefault(peer.node(), Long.MIN_VALUE) > peer.incarnation()) {
            return "a newer process of node " + peer.node() + " is known";
        }
        return null;
    }

    /**
     * Lets a process of the node connect even if it looks older, which happens if the clock was set back before a
     * restart.
     */
    void forget(ClusterNode node) {
        incarnations.remove(node.node(), node.incarnation());
    }

    /** Replaces a wildcard address of the peer by the address from which the peer has connected. */
    private static ClusterNode reachable(ClusterNode peer, InetSocketAddress remote) {
        return peer.address().getAddress().isAnyLocalAddress()
                ? new ClusterNode(
                        peer.node(),
                        peer.incarnation(),
                        new InetSocketAddress(
                                remote.getAddress(), peer.address().getPort()))
                : peer;
    }

    /** Counts and logs a connection that this node or the other node refused. */
    void refused(@Nullable SocketAddress peer, String reason) {
        counters.countRefused();
        refusals.log(peer, reason);
    }

    /** Counts and logs a connection whose TLS handshake failed. */
    void handshakeFailed(@Nullable SocketAddress peer, Throwable cause) {
        counters.countFailedHandshake();
        failedHandshakes.log(peer, ErrorText.of(cause));
    }
}
