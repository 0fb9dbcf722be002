package io.ballast.dns.net.doh;

import io.ballast.dns.net.stream.StreamConnection;
import io.ballast.dns.net.stream.StreamProtocol;
import io.ballast.dns.net.stream.TlsHandshake;
import io.ballast.net.tls.PlainHttpHandler;
import io.ballast.net.tls.ServerTls;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.ApplicationProtocolNames;
import java.util.List;

/**
 * DNS over HTTPS, with HTTP/2 or HTTP/1.1 over TLS; the client's preference decides between the two. A client that
 * sends HTTP without TLS gets status 400.
 */
public final class DohProtocol implements StreamProtocol {

    /** The application protocols that are offered by ALPN. */
    public static final List<String> APPLICATION_PROTOCOLS =
            List.of(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1);

    private final ServerTls tls;

    /** @param tls TLS settings that offer {@link #APPLICATION_PROTOCOLS} */
    public DohProtocol(ServerTls tls) {
        this.tls = tls;
    }

    @Override
    public void start(ChannelPipeline pipeline, StreamConnection connection) {
        TlsHandshake handshake = new TlsHandshake(connection);
        PlainHttpHandler plain = context -> {
            handshake.countFailure();
            return PlainHttpHandler.REFUSAL.serve(context);
        };
        pipeline.addLast(tls.newHandler(plain), handshake, new HttpNegotiation(connection));
    }
}
