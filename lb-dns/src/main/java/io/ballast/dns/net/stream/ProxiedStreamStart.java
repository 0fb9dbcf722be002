package io.ballast.dns.net.stream;

import io.ballast.dns.stats.DnsCounter;
import io.ballast.net.proxyprotocol.ProxyHeaderReader;
import io.netty.channel.ChannelPipeline;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Starts a connection after its PROXY header has been received. Confined to the connection's event loop. */
record ProxiedStreamStart(StreamConnection connection, StreamProtocol protocol, InetSocketAddress proxy)
        implements ProxyHeaderReader.Recipient {

    @Override
    public boolean onClientIdentified(
            @Nullable InetSocketAddress client, @Nullable InetSocketAddress destination, ChannelPipeline pipeline) {
        if (!connection.admitClient(client == null ? proxy : client)) {
            return false;
        }
        connection.onMessageComplete();
        protocol.start(pipeline, connection);
        return true;
    }

    @Override
    public void onInvalidHeader() {
        connection.count(DnsCounter.PROXY_REFUSED);
    }

    @Override
    public void onFailure(Throwable cause) {
        connection.recordError(cause);
    }
}
