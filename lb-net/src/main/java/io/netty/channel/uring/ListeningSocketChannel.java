package io.netty.channel.uring;

import io.netty.channel.Channel;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.ServerSocketChannelConfig;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * Accepts connections on a TCP socket that listens already, which it owns from then on. {@link IoUringServerSocketChannel}
 * cannot: unlike those of epoll it has no constructor for a file descriptor, and what it is made of is seen in this package
 * alone.
 */
public final class ListeningSocketChannel extends AbstractIoUringServerChannel implements ServerSocketChannel {

    private final IoUringServerSocketChannelConfig config;

    /** @param fd of the socket, which does not block */
    public ListeningSocketChannel(int fd) {
        super(new LinuxSocket(fd), /* active= */ true);
        this.config = new IoUringServerSocketChannelConfig(this);
    }

    @Override
    public ServerSocketChannelConfig config() {
        return config;
    }

    /** Where accepting yields no address, the connection asks for it, as the other class has it. */
    @Override
    Channel newChildChannel(int fd, ByteBuffer acceptedAddressMemory) {
        return new IoUringSocketChannel(this, new LinuxSocket(fd));
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return (InetSocketAddress) super.remoteAddress();
    }

    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) super.localAddress();
    }

    @Override
    public void doBind(SocketAddress localAddress) {
        throw new UnsupportedOperationException("it is bound already");
    }
}
