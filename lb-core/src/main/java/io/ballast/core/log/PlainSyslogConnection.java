package io.ballast.core.log;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A TCP connection to a syslog server. */
final class PlainSyslogConnection implements SyslogConnection {

    private final SocketChannel channel;
    private final ByteBuffer received = ByteBuffer.allocate(512);
    private boolean connected;

    private PlainSyslogConnection(SocketChannel channel) {
        this.channel = channel;
    }

    /** Begins to connect to a server. */
    static PlainSyslogConnection open(InetSocketAddress server) throws IOException {
        PlainSyslogConnection opened = new PlainSyslogConnection(SocketChannel.open());
        try {
            opened.channel.configureBlocking(/* block= */ false);
            opened.connected = opened.channel.connect(server);
            return opened;
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        connected = connected || channel.finishConnect();
        return connected;
    }

    @Override
    public void detectEnd() throws IOException {
        received.clear();
        boolean unused = read(received);
    }

    /** Reads received bytes; returns false if there are none. */
    boolean read(ByteBuffer into) throws IOException {
        int length = channel.read(into);
        if (length < 0) {
            throw new EOFException("closed the connection");
        }
        return length > 0;
    }

    @Override
    public boolean write(ByteBuffer[] frames) throws IOException {
        return channel.write(frames) > 0;
    }

    @Override
    public boolean isFlushed() {
        return true;
    }

    @Override
    public void endOutput() throws IOException {
        SocketChannel unused = channel.shutdownOutput();
    }

    @Override
    public boolean isClosedByServer() {
        received.clear();
        try {
            return channel.read(received) < 0;
        } catch (IOException e) {
            return true; // the server has reset the connection
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // A failed close is ignored: the connection is no longer used.
        }
    }
}
