package io.ballast.http.testing;

import io.ballast.core.config.UnixSocket;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A server on a Unix socket, for fixtures that use streams; closing it removes the file. */
public final class UnixServer extends ServerSocket {

    private final ServerSocketChannel channel;
    private final UnixSocket address;

    public UnixServer(UnixSocket address) throws IOException {
        this.address = address;
        this.channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        channel.bind(UnixDomainSocketAddress.of(address.path()), /* backlog= */ 1024);
    }

    UnixSocket address() {
        return address;
    }

    @Override
    public Socket accept() throws IOException {
        return new UnixStream(channel.accept());
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(Path.of(address.path()));
    }
}
