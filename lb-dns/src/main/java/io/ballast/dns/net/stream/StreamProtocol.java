package io.ballast.dns.net.stream;

import io.ballast.dns.answer.Transport;
import io.ballast.net.tls.ServerTls;
import io.netty.channel.ChannelPipeline;

/** The protocol on the connections of a listener. */
@FunctionalInterface
public interface StreamProtocol {

    /** DNS over TCP: each message is preceded by its length. */
    StreamProtocol TCP = (pipeline, connection) -> pipeline.addLast(new FramedMessages(connection, Transport.TCP));

    /**
     * Adds the protocol's handlers to a new connection, after its existing handlers. Called after the address of the
     * client was set in {@code connection}.
     */
    void start(ChannelPipeline pipeline, StreamConnection connection);

    /** DNS over TLS (<a href="https://datatracker.ietf.org/doc/html/rfc7858">RFC 7858</a>). */
    static StreamProtocol dot(ServerTls tls) {
        return (pipeline, connection) -> pipeline.addLast(
                tls.newHandler(), new TlsHandshake(connection), new FramedMessages(connection, Transport.DOT));
    }
}
