package io.ballast.dashboard.server;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The connection that a request came on.
 *
 * @param address of the client
 * @param port at which it came in
 * @param isLocal whether only this machine can have opened it
 * @param isSecure whether it is TLS
 */
public record Peer(InetAddress address, int port, boolean isLocal, boolean isSecure) {

    static Peer of(Channel channel, boolean isSecure) {
        InetSocketAddress local = (InetSocketAddress) channel.localAddress();
        return new Peer(
                ConnectionGuard.client(channel),
                local.getPort(),
                local.getAddress().isLoopbackAddress(),
                isSecure);
    }
}
