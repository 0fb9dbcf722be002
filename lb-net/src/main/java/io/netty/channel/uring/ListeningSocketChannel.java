package io.netty.channel.uring;

import io.netty.channel.Channel;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.ServerSocketChannelConfig;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * A server channel that owns an existing listening TCP socket. {@link IoUringServerSocketChannel} has no
 * constructor for a file descriptor, unlike its epoll counterpart, and the classes that it uses are only
 * visible in this package.
 */
public final class ListeningSocketChannel extends AbstractIoUringServerChannel implements ServerSocketChannel {

    private final IoUringServerSocketChannelConfig config;

    /** @param fd the descriptor of the socket, which is non-blocking */
    public ListeningSocketChannel(int fd) {
        super(new LinuxSocket(fd), /* active= */ true);
        this.config = new IoUringServerSocketChannelConfig(this);
    }

    @Override
    public ServerSocketChannelConfig config() {
        return config;
    }

    /**
     * Ignores the given address: the new channel queries its remote address, as in {@link
     * IoUringServerSocketChannel}.
     */
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
        throw new UnsupportedOperationException("the socket is already bound");
    }
}
