package io.ballast.http.h3;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RetryTokensTest {

    private static final InetSocketAddress CLIENT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 5000);
    private static final byte[] ID = {1, 2, 3, 4, 5, 6, 7, 8};

    private long now = -5;
    private boolean required = true;
    private final RetryTokens tokens = tokens(/* key= */ 1);

    private RetryTokens tokens(int key) {
        byte[] bytes = new byte[RetryTokens.KEY_BYTES];
        Arrays.fill(bytes, (byte) key);
        return new RetryTokens(bytes, () -> now, () -> required);
    }

    private ByteBuf token() {
        ByteBuf token = Unpooled.buffer(tokens.maxTokenLength());
        assertThat(tokens.writeToken(token, Unpooled.wrappedBuffer(ID), CLIENT)).isTrue();
        return token;
    }

    @Test
    void tokenContainsConnectionId() {
        ByteBuf token = token();

        int at = tokens.validateToken(token, CLIENT);

        byte[] id = new byte[token.readableBytes() - at];
        token.getBytes(at, id);
        assertThat(id).isEqualTo(ID);
    }

    @Test
    void noTokenIsRequiredWithoutLoad() {
        required = false;

        assertThat(tokens.writeToken(Unpooled.buffer(), Unpooled.wrappedBuffer(ID), CLIENT))
                .isFalse();
    }

    @Test
    void tokenExpires() {
        ByteBuf token = token();

        now += RetryTokens.LIFE.toNanos();
        assertThat(tokens.validateToken(token, CLIENT)).isPositive();
        now += Duration.ofNanos(1).toNanos();
        assertThat(tokens.validateToken(token, CLIENT)).isNegative();
    }

    @Test
    void tokenIsValidForOneAddress() {
        ByteBuf token = token();

        assertThat(tokens.validateToken(token, new InetSocketAddress("127.0.0.2", CLIENT.getPort())))
                .isNegative();
        assertThat(tokens.validateToken(
                        token, new InetSocketAddress(InetAddress.getLoopbackAddress(), CLIENT.getPort() + 1)))
                .isNegative();
    }

    @Test
    void everyChangedByteInvalidatesToken() {
        ByteBuf token = token();
        for (int i = 0; i < token.readableBytes(); i++) {
            ByteBuf changed = token.copy();
            changed.setByte(i, changed.getByte(i) ^ 1);

            assertThat(tokens.validateToken(changed, CLIENT)).as("byte %d", i).isNegative();
        }
    }

    @Test
    void shortTokensAreInvalid() {
        ByteBuf token = token();
        for (int length = 0; length < token.readableBytes(); length++) {
            assertThat(tokens.validateToken(token.slice(0, length), CLIENT))
                    .as("length %d", length)
                    .isNegative();
        }
    }

    @Test
    void tokenOfAnotherKeyIsInvalid() {
        assertThat(tokens(/* key= */ 2).validateToken(token(), CLIENT)).isNegative();
    }
}
