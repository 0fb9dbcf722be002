package io.ballast.net.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringSocketChannel;

/**
 * What the system knows of the peer of a TCP connection, beyond what reading and writing tell. On Linux with epoll or
 * io_uring; NIO knows nothing of it. Cost: a system call each.
 */
public final class PeerState {

    /** States of {@code netinet/tcp.h} in which the peer sends no more: CLOSE, CLOSE_WAIT and LAST_ACK. */
    private static final int CLOSE = 7;

    private static final int LAST_ACK = 9;

    private PeerState() {}

    /** Whether the peer has closed its side, though what it sent before may not have been read; false if not known. */
    public static boolean hasFinished(Channel channel) {
        int state;
        if (!channel.isActive()) {
            return true;
        }
        if (channel instanceof IoUringSocketChannel uring) {
            state = uring.tcpInfo().state();
        } else if (channel instanceof EpollSocketChannel epoll) {
            state = epoll.tcpInfo().state();
        } else {
            return false;
        }
        return state >= CLOSE && state <= LAST_ACK;
    }

    /**
     * Has the system take no more than {@code bytes} octets ahead of what it has sent ({@code TCP_NOTSENT_LOWAT}), rather than
     * as its own buffer, of up to some MiB, has room. What it takes from then on shows how fast the peer acknowledges. NIO has
     * no such option: there the buffer itself is made small, which slows distant peers, and only while memory is short.
     */
    public static void limitUnsent(Channel channel, int bytes, boolean memoryIsShort) {
        if (!channel.isActive()) {
            return; // closed, though its handlers have not been told yet
        }
        if (channel instanceof IoUringSocketChannel) {
            channel.config().setOption(IoUringChannelOption.TCP_NOTSENT_LOWAT, (long) bytes);
        } else if (channel instanceof EpollSocketChannel) {
            channel.config().setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, (long) bytes);
        } else if (memoryIsShort) {
            channel.config().setOption(ChannelOption.SO_SNDBUF, bytes);
        }
    }
}
