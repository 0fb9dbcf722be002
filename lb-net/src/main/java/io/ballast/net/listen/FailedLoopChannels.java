package io.ballast.net.listen;

import io.netty.channel.Channel;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cleans up a channel whose event loop has ended or hangs. Any thread may call it. */
public final class FailedLoopChannels {

    private static final Logger LOG = LoggerFactory.getLogger(FailedLoopChannels.class);

    private FailedLoopChannels() {}

    /**
     * Closes the file descriptor of a listening socket directly, because Netty's {@code close} needs the event
     * loop, which is dead. If a shared port kept this socket open, the system would still assign clients to the
     * dead loop. NIO sockets stay open until the process ends, because each is the only socket of its port.
     */
    public static void close(Channel listening) {
        if (!(listening instanceof UnixChannel socket)) {
            return;
        }
        try {
            socket.fd().close();
        } catch (IOException e) {
            LOG.warn(
                    "msg=\"could not close the socket of a failed event loop\" address={}",
                    listening.localAddress(),
                    e);
        }
    }
}
