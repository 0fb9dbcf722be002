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
 * The shared state of the sessions of one listener. Immutable.
 *
 * @param backends the TLS settings of backend connections
 */
public record TcpSessions(PoolTls backends) {

    /**
     * Starts a session for a client's connection from which nothing was read yet. Adds the session's handler at
     * the end of the pipeline.
     *
     * @param settings the settings of the listener, which the session keeps
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
     * Starts a session for a client whose TLS is terminated here.
     *
     * @param hello the result of the handshake; null if the session reads the ClientHello itself when routes need
     *     it
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
        channel.pipeline().addLast(session.clientHandler());
    }
}
