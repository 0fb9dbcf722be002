package io.ballast.net.testing;

import io.ballast.net.config.TransportKind;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.uring.IoUring;
import java.util.ArrayList;
import java.util.List;

/** Lists the transports available on this machine. */
public final class Transports {

    private Transports() {}

    public static List<TransportKind> available() {
        List<TransportKind> kinds = new ArrayList<>();
        if (Epoll.isAvailable()) {
            kinds.add(TransportKind.EPOLL);
        }
        if (IoUring.isAvailable()) {
            kinds.add(TransportKind.IO_URING);
        }
        kinds.add(TransportKind.NIO);
        return kinds;
    }
}
