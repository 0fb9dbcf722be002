package io.ballast.http.udp;

import io.ballast.http.exchange.Listener;
import io.netty.channel.group.ChannelGroup;

/**
 * A listener that receives datagrams.
 *
 * @param sockets the sockets through which its sessions reach backends, closed at shutdown
 */
public record UdpListener(Listener listener, ChannelGroup sockets) {}
