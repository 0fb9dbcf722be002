package io.ballast.http.testing;

import io.ballast.core.config.UnixSocket;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A Unix socket connection for fixtures that use streams. TCP options have no effect; there is no timeout. */
public final class UnixStream extends Socket {

    private final SocketChannel channel;

    UnixStream(SocketChannel channel) {
        this.channel = channel;
    }

    public static UnixStream connect(UnixSocket address) throws IOException {
        return new UnixStream(SocketChannel.open(UnixDomainSocketAddress.of(address.path())));
    }

    @Override
    public InputStream getInputStream() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] target, int from, int length) throws IOException {
                try {
                    return channel.read(ByteBuffer.wrap(target, from, length));
                } catch (SocketException e) {
                    throw e;
                } catch (IOException e) {
                    // Socket throws this type of exception
                    throw (SocketException) new SocketException(e.getMessage()).initCause(e);
                }
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    @Override
    public OutputStream getOutputStream() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] source, int from, int length) throws IOException {
                ByteBuffer rest = ByteBuffer.wrap(source, from, length);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
        return null;
    }

    @Override
    public int getPort() {
        return 0;
    }

    @Override
    public int getSoTimeout() {
        return 0;
    }

    @Override
    public int getSoLinger() {
        return -1;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public void setTcpNoDelay(boolean on) {}

    @Override
    public void setSoTimeout(int millis) {}

    @Override
    public void setSoLinger(boolean on, int seconds) {}

    @Override
    public synchronized void close() throws IOException {
        channel.close();
    }
}
