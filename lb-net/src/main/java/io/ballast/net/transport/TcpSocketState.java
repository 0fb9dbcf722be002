package io.ballast.net.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringSocketChannel;

/**
 * Reads and sets TCP socket state that Netty does not expose portably. Requires epoll or io_uring on Linux; limited on
 * NIO. Cost: one system call per call.
 */
public final class TcpSocketState {

    /** TCP states in {@code netinet/tcp.h} in which the peer sends no more: CLOSE, CLOSE_WAIT and LAST_ACK. */
    private static final int CLOSE = 7;

    private static final int LAST_ACK = 9;

    private TcpSocketState() {}

    /** Whether the peer has closed its side; its last data may still be unread. False if unknown. */
    public static boolean hasPeerClosed(Channel channel) {
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
     * Limits the unsent data in the kernel to {@code bytes} bytes ({@code TCP_NOTSENT_LOWAT}), instead of its
     * send buffer of up to some MiB. The rate of writes then shows how fast the peer acknowledges. NIO has no
     * such option. There the send buffer itself is reduced. This slows distant peers, so it is only done while
     * memory is short.
     */
    public static void limitUnsent(Channel channel, int bytes, boolean memoryIsShort) {
        if (!channel.isActive()) {
            return; // closed, though its handlers have not been notified yet
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
