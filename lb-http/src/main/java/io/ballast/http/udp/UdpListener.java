package io.ballast.http.udp;

import io.ballast.http.exchange.Listener;
import io.netty.channel.group.ChannelGroup;

/**
 * A listener that receives datagrams.
 *
 * @param sockets the sockets of its sessions to backends, closed at shutdown
 */
public record UdpListener(Listener listener, ChannelGroup sockets) {}
