package io.ballast.http.udp;

import io.ballast.http.exchange.Listener;
import io.netty.channel.group.ChannelGroup;

/**
 * A listener whose clients come by datagrams.
 *
 * @param sockets those of its sessions to backends, closed when all is to end
 */
public record UdpListener(Listener listener, ChannelGroup sockets) {}
