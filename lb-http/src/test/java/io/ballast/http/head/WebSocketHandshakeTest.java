package io.ballast.http.head;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WebSocketHandshakeTest {

    @Test
    void matchesExampleOfRfc6455() {
        assertThat(WebSocketHandshake.accept(ByteClasses.ascii("dGhlIHNhbXBsZSBub25jZQ==")))
                .asString()
                .isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    @Test
    void keysHaveSixteenBytesAndDiffer() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] first = WebSocketHandshake.newKey(random);
        byte[] second = WebSocketHandshake.newKey(random);

        assertThat(Base64.getDecoder().decode(first)).hasSize(16);
        assertThat(first).hasSize(24).isNotEqualTo(second);
    }
}
