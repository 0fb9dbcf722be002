package io.ballast.http.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.ballast.core.config.BackendTls;
import io.ballast.core.config.HostPort;
import io.ballast.net.tls.ClientTls;
import io.ballast.net.tls.TlsContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BackendTlsHandshakeTest {

    /** A connection may be established long after its request, when the TLS context is already closed. */
    @Test
    void failsWhenTlsWasClosed() throws Exception {
        // the JDK's provider has nothing to close
        assumeThat(TlsContext.preferredProvider()).isNotEqualTo(SslProvider.JDK);
        ClientTls tls = ClientTls.open(
                new BackendTls(Optional.empty(), Optional.empty(), Optional.empty(), /* insecure= */ true),
                List.of(BackendTlsHandshake.HTTP_1_1));
        ChannelInboundHandlerAdapter behind = new ChannelInboundHandlerAdapter();
        EmbeddedChannel channel = new EmbeddedChannel(behind);
        List<@Nullable Throwable> notified = new ArrayList<>();

        tls.close();
        BackendTlsHandshake.begin(channel, behind, tls, new HostPort("localhost", 1), notified::add);

        assertThat(notified).singleElement().isInstanceOf(IllegalStateException.class);
        assertThat(channel.isOpen()).isFalse();
    }
}
