package io.ballast.dashboard.server;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The client side of a connection.
 *
 * @param address the client's address
 * @param port local port
 * @param isLocal whether only this machine can have opened the connection
 * @param isSecure whether the connection uses TLS
 */
public record Peer(InetAddress address, int port, boolean isLocal, boolean isSecure) {

    static Peer of(Channel channel, boolean isSecure) {
        InetSocketAddress local = (InetSocketAddress) channel.localAddress();
        return new Peer(
                ConnectionGuard.clientAddress(channel),
                local.getPort(),
                local.getAddress().isLoopbackAddress(),
                isSecure);
    }
}
