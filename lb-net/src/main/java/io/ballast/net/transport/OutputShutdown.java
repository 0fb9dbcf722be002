package io.ballast.net.transport;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.nio.channels.NotYetConnectedException;

/**
 * Half-closes connections: ends our output, while the peer may continue to send.
 *
 * <p>For each half-close, Netty creates an exception with its stack trace, which takes some 2 µs, to fail
 * pending and later writes. Callers of this class have no pending or later writes, so on epoll and io_uring
 * it makes the system call directly.
 */
public final class OutputShutdown {

    private OutputShutdown() {}

    /**
     * Shuts down the output of {@code channel}, unless the peer is gone. Must be called on the event loop when the
     * system has accepted all output; nothing may be written afterwards.
     */
    public static void shutDownOutput(Channel channel) {
        if (channel instanceof UnixChannel unix && unix.fd() instanceof Socket socket) {
            shutDownOutput(socket);
        } else {
            ((DuplexChannel) channel).shutdownOutput();
        }
    }

    @SuppressWarnings("EmptyCatch") // the peer is gone
    private static void shutDownOutput(Socket socket) {
        try {
            socket.shutdown(/* read= */ false, /* write= */ true);
        } catch (IOException | NotYetConnectedException e) {
            // The socket is already broken; the next read or write reports the reason.
        }
    }
}
