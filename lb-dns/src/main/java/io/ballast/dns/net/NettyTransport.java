package io.ballast.dns.net;

import io.ballast.core.config.TransportKind;
import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;

/** The system's interfaces that can carry DNS. */
public enum NettyTransport {
    /** One socket for each event loop and address, datagrams in batches. */
    EPOLL(EpollDatagramChannel::new, EpollServerSocketChannel::new),
    /** What is there everywhere: one socket for each address, one datagram at a time. */
    NIO(NioDatagramChannel::new, NioServerSocketChannel::new);

    private final ChannelFactory<DatagramChannel> datagrams;
    private final ChannelFactory<ServerChannel> servers;

    NettyTransport(ChannelFactory<DatagramChannel> datagrams, ChannelFactory<ServerChannel> servers) {
        this.datagrams = datagrams;
        this.servers = servers;
    }

    /**
     * The transport for what the configuration asks for. DNS uses epoll also where HTTP uses io_uring, which has no
     * system call for a batch of datagrams.
     */
    public static NettyTransport of(TransportKind kind) {
        return kind != TransportKind.NIO && Epoll.isAvailable() ? EPOLL : NIO;
    }

    /** The name that logs and users see. */
    public String label() {
        return this == EPOLL ? "epoll" : "nio";
    }

    IoHandlerFactory handlers() {
        return this == EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    }

    ChannelFactory<DatagramChannel> datagrams() {
        return datagrams;
    }

    public ChannelFactory<ServerChannel> servers() {
        return servers;
    }

    /** Whether every event loop can have a socket of its own on the same address, among which the kernel shares out. */
    public boolean sharesPort() {
        return this == EPOLL;
    }
}
