package io.ballast.net.transport;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.nio.channels.NotYetConnectedException;

/**
 * Ends what is sent on a connection, whose peer may go on sending.
 *
 * <p>Netty makes an exception with its stack each time, some 2 µs, in case something waits to be written or is written later.
 * Here nothing does, so on epoll and io_uring the system is told directly.
 */
public final class OutputShutdown {

    private OutputShutdown() {}

    /**
     * Tells the peer that no more comes, unless it is gone. To be called on the event loop when the system has taken all that
     * was written; nothing must be written afterwards.
     */
    public static void tell(Channel channel) {
        if (channel instanceof UnixChannel unix && unix.fd() instanceof Socket socket) {
            tell(socket);
        } else {
            ((DuplexChannel) channel).shutdownOutput();
        }
    }

    @SuppressWarnings("EmptyCatch") // its peer is gone
    private static void tell(Socket socket) {
        try {
            socket.shutdown(/* read= */ false, /* write= */ true);
        } catch (IOException | NotYetConnectedException e) {
            // Reading and writing tell why.
        }
    }
}
