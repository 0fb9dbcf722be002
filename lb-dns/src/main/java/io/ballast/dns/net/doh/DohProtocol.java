package io.ballast.dns.net.doh;

import io.ballast.dns.net.stream.StreamConnection;
import io.ballast.dns.net.stream.StreamProtocol;
import io.ballast.dns.net.stream.TlsHandshake;
import io.ballast.net.tls.TlsContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.ApplicationProtocolNames;
import java.util.List;

/** DNS over HTTPS, with HTTP/2 or HTTP/1.1 over TLS; the client's preference decides between the two. */
public final class DohProtocol implements StreamProtocol {

    /** The application protocols that are offered by ALPN. */
    public static final List<String> APPLICATION_PROTOCOLS =
            List.of(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1);

    private final TlsContext tls;

    /** @param tls TLS settings that offer {@link #APPLICATION_PROTOCOLS} */
    public DohProtocol(TlsContext tls) {
        this.tls = tls;
    }

    @Override
    public void start(ChannelPipeline pipeline, StreamConnection connection) {
        pipeline.addLast(
                tls.newHandler(pipeline.channel().alloc()),
                new TlsHandshake(connection),
                new HttpNegotiation(connection));
    }
}
