package io.ballast.dns.net.stream;

import io.ballast.core.config.ProxyProtocolConfig;
import io.ballast.core.net.CidrSet;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.net.proxyprotocol.ProxyHeaderReader;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelInitializer;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes on the connections of a listener. Thread safety: shared by all event loops. */
@Sharable
public final class StreamAcceptor extends ChannelInitializer<Channel> {

    private final StreamLoops loops;
    private final StreamProtocol protocol;
    private final @Nullable CidrSet proxies;

    /**
     * @param loops those of the frontend: its limits hold for all listeners together
     * @param proxyProtocol who connects, if it is not the clients themselves
     */
    public StreamAcceptor(StreamLoops loops, StreamProtocol protocol, Optional<ProxyProtocolConfig> proxyProtocol) {
        this.loops = loops;
        this.protocol = protocol;
        this.proxies = proxyProtocol.map(config -> CidrSet.of(config.trusted())).orElse(null);
    }

    @Override
    protected void initChannel(Channel channel) {
        StreamLoop loop = loops.of(channel.eventLoop());
        StreamConnection connection = new StreamConnection(loop);
        if (!(channel.remoteAddress() instanceof InetSocketAddress peer)) {
            channel.close(); // It has gone already.
        } else if (proxies == null) {
            startDirect(channel, peer, connection);
        } else if (proxies.contains(peer.getAddress())) {
            startProxied(channel, peer, connection);
        } else {
            loop.answers().count(DnsCounter.PROXY_REFUSED);
            channel.close();
        }
    }

    private void startProxied(Channel channel, InetSocketAddress proxy, StreamConnection connection) {
        ProxiedStart start = new ProxiedStart(connection, protocol);
        channel.pipeline().addLast(connection, new ProxyHeaderReader(proxy, start));
        connection.begun(); // The proxy sends its header unasked: it is due from now on.
    }

    private void startDirect(Channel channel, InetSocketAddress peer, StreamConnection connection) {
        if (!connection.identify(peer)) {
            channel.close();
            return;
        }
        channel.pipeline().addLast(connection);
        protocol.start(channel.pipeline(), connection);
    }
}
