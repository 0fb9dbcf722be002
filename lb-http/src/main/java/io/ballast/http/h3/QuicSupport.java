package io.ballast.http.h3;

import io.ballast.core.ErrorText;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http3.Http3;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import java.util.Optional;

/** Checks whether the native library of QUIC works on this system. Stateless. */
public final class QuicSupport {

    private QuicSupport() {}

    /**
     * Returns the reason why QUIC is not available; empty if it is. Builds a codec and a TLS context, because {@code
     * Quic.isAvailable} is also true for a native library of another version, whose methods do not link. Loads the
     * library, and blocks.
     */
    public static Optional<String> unavailabilityReason() {
        try {
            QuicSslContextBuilder.buildForServerWithSni(host -> null);
            EmbeddedChannel channel = new EmbeddedChannel(Http3.newQuicServerCodecBuilder()
                    .sslEngineProvider(connection -> null)
                    .tokenHandler(new RetryTokens(new byte[RetryTokens.KEY_BYTES], () -> 0, () -> false))
                    .handler(new ChannelInboundHandlerAdapter())
                    .build());
            channel.finishAndReleaseAll();
            return Optional.empty();
        } catch (LinkageError | RuntimeException e) {
            return Optional.of(ErrorText.of(e));
        }
    }
}
