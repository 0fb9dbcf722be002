package io.ballast.http.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Client sockets for tests. */
public final class ClientSocket {

    private ClientSocket() {}

    /** Connects to a port of this machine. */
    public static Socket connect(int port, int receiveBuffer) {
        try {
            Socket socket = new Socket();
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TestTimeout.LIMIT_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TestTimeout.LIMIT_MILLIS);
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closes the connection with a reset, like a process that crashes with unread data. */
    public static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
