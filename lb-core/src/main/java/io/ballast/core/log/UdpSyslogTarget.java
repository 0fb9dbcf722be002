package io.ballast.core.log;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** Sends each syslog message in a datagram (RFC 5426). Confined to the writer thread. */
public final class UdpSyslogTarget extends SyslogTarget {

    private final DatagramChannel channel;
    private final InetSocketAddress server;

    private UdpSyslogTarget(DatagramChannel channel, InetSocketAddress server) {
        this.channel = channel;
        this.server = server;
    }

    /** @throws IOException if there is no socket for the address */
    public static UdpSyslogTarget open(InetSocketAddress server) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        try {
            channel.configureBlocking(/* block= */ false);
            channel.connect(server);
            return new UdpSyslogTarget(channel, server);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    boolean send(byte[] bytes, int from, int to) {
        try {
            return channel.write(ByteBuffer.wrap(bytes, from, to - from)) > 0; // 0 if the socket's buffer is full
        } catch (IOException e) { // for example PortUnreachableException, caused by an earlier datagram
            fail(e);
            return false;
        }
    }

    @Override
    void flush() {}

    @Override
    String address() {
        return server.getAddress().getHostAddress() + ":" + server.getPort();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
