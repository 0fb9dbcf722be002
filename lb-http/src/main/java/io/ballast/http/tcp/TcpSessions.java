package io.ballast.http.tcp;

import io.ballast.http.exchange.Listener;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Worker;
import io.ballast.http.session.SessionRoutes;
import io.ballast.net.tls.ClientHello;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What the sessions of one listener have in common. Immutable.
 *
 * @param routes which pool a session goes to
 * @param backends the TLS of connections to backends
 */
public record TcpSessions(SessionRoutes routes, PoolTls backends) {

    /** Has a client's connection served, of which nothing was read yet; what serves it stands last in the pipeline. */
    public void begin(Worker worker, Listener listener, Channel channel, SocketAddress client, SocketAddress local) {
        begin(worker, listener, channel, client, local, /* hello= */ null);
    }

    /**
     * The same for a client whose TLS ends here.
     *
     * @param hello what the handshake told; null if it is to be read from the client, as far as routes ask for it
     */
    public void begin(
            Worker worker,
            Listener listener,
            Channel channel,
            SocketAddress client,
            SocketAddress local,
            @Nullable ClientHello hello) {
        TcpSession session = new TcpSession(worker, listener, this, channel, client, local, hello);
        channel.pipeline().addLast(session.clientLeg());
    }
}
