package io.ballast.dns;

import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.net.Answerers;
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
 * @param hasDatagrams whether it serves UDP, too
 */
record SocketOpener(
        UdpChoice udp,
        FrontendLoops<AnswerLoop> loops,
        Answerers answerers,
        StreamAcceptor acceptor,
        boolean hasDatagrams) {

    /** Whether a socket that is bound to the wildcard answers from the address that was asked, and of its family alone. */
    boolean servesWildcard(InetAddress wildcard) {
        boolean ofItsFamily = !(wildcard instanceof Inet6Address) || StreamAcceptor.keepsToIpv6(loops);
        return ofItsFamily && (!hasDatagrams || udp.isDirect());
    }

    /** Whether a socket can be bound beside another of this process that has the same address or a part of it. */
    boolean sharesPort() {
        return loops.transport().sharesPort();
    }

    /** Binds an address, which serves when it is started; throws like {@link #open}. */
    UdpServer openDatagrams(InetSocketAddress address) throws IOException {
        return udp.prepare(address, loops, answerers);
    }

    /**
     * Binds an address, which serves when it is started.
     *
     * @throws IOException if the address cannot be bound; then nothing stays open
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
