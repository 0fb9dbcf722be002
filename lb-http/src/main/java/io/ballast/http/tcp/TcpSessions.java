package io.ballast.http.tcp;

import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Worker;
import io.ballast.net.tls.ClientHello;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What the sessions of one listener have in common. Immutable.
 *
 * @param backends the TLS of connections to backends
 */
public record TcpSessions(PoolTls backends) {

    /**
     * Has a client's connection served, of which nothing was read yet; what serves it stands last in the pipeline.
     *
     * @param settings of the listener, which the session keeps
     */
    public void begin(
            Worker worker,
            Listener listener,
            ConnectionSettings settings,
            Channel channel,
            SocketAddress client,
            SocketAddress local) {
        begin(worker, listener, settings, channel, client, local, /* hello= */ null);
    }

    /**
     * The same for a client whose TLS ends here.
     *
     * @param hello what the handshake told; null if it is to be read from the client, as far as routes ask for it
     */
    public void begin(
            Worker worker,
            Listener listener,
            ConnectionSettings settings,
            Channel channel,
            SocketAddress client,
            SocketAddress local,
            @Nullable ClientHello hello) {
        TcpSession session = new TcpSession(worker, listener, settings, this, channel, client, local, hello);
        channel.pipeline().addLast(session.clientLeg());
    }
}
