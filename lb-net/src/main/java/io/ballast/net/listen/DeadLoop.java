package io.ballast.net.listen;

import io.netty.channel.Channel;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does for a channel what its event loop, which has ended or hangs, cannot do any more. Any thread may call it. */
public final class DeadLoop {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLoop.class);

    private DeadLoop() {}

    /**
     * Gives a listening socket back to the system, past Netty, whose own {@code close} is a task for the loop. Several
     * sockets share a port, and the system would go on handing the dead loop its share of the clients. The socket of the
     * NIO transport is left alone: it is the only one of its port, and goes with the process.
     */
    public static void close(Channel listening) {
        if (!(listening instanceof UnixChannel socket)) {
            return;
        }
        try {
            socket.fd().close();
        } catch (IOException e) {
            LOG.warn("msg=\"could not close the socket of a dead event loop\" address={}", listening.localAddress(), e);
        }
    }
}
