package io.ballast.dns;

import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.net.AnswererFactory;
import io.ballast.dns.net.UdpServer;
import io.ballast.dns.net.stream.StreamAcceptor;
import io.ballast.net.loop.FrontendLoops;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Opens the sockets of one listener.
 *
 * @param hasDatagrams whether the listener also serves UDP
 */
record SocketOpener(
        UdpTransport udp,
        FrontendLoops<AnswerLoop> loops,
        AnswererFactory answerers,
        StreamAcceptor acceptor,
        boolean hasDatagrams) {

    /**
     * Returns whether a wildcard socket can serve this listener: it receives only its own address family, and a
     * UDP response leaves from the address that received the query.
     */
    boolean servesWildcard(InetAddress wildcard) {
        boolean ofItsFamily = !(wildcard instanceof Inet6Address) || StreamAcceptor.isIpv6Only(loops);
        return ofItsFamily && (!hasDatagrams || udp.isDirect());
    }

    /**
     * Returns whether a socket can be bound although another socket of this process is bound to the same or an
     * overlapping address.
     */
    boolean sharesPort() {
        return loops.transport().sharesPort();
    }

    /**
     * Binds a datagram socket. The socket serves clients only after the returned server is started. Throws the
     * same exceptions as {@link #open}.
     */
    UdpServer openDatagrams(InetSocketAddress address) throws IOException {
        return udp.prepare(address, loops, answerers);
    }

    /**
     * Binds the sockets of an address. They serve clients only after the returned object is started.
     *
     * @throws IOException if the address cannot be bound; in this case no socket stays open
     */
    ServedAddress open(InetSocketAddress address) throws IOException {
        UdpServer datagrams = hasDatagrams ? openDatagrams(address) : null;
        try {
            return new ServedAddress(datagrams, acceptor.prepare(address, loops));
        } catch (IOException | RuntimeException | Error e) {
            if (datagrams != null) {
                datagrams.close();
            }
            throw e;
        }
    }
}
