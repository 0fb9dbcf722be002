package io.ballast.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.net.config.ListenerTls;
import io.ballast.net.testing.TestCertificate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientHelloHandlerTest {

    private static final String HANDSHAKE_FAILURE = "15030300020228";
    /** The cipher suites ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 and ECDHE_RSA_WITH_AES_128_GCM_SHA256 in hexadecimal. */
    private static final String CIPHERS = "c02bc02f";
    /** The extension supported_groups with the group secp256r1, in hexadecimal. */
    private static final String GROUPS = "000a000400020017";

    @TempDir
    private Path directory;

    private ServerTls tls;

    @BeforeEach
    void open() throws Exception {
        tls = ServerTls.open(
                ListenerTls.of(TestCertificate.create().write(directory)),
                SslProvider.OPENSSL_REFCNT,
                List.of("http/1.1"));
    }

    @AfterEach
    void close() {
        tls.close();
    }

    /**
     * Tests that no signature with SHA-1 or MD5 is made (RFC 9155 section 4), not even for a client that sends no list
     * of signature algorithms.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                GROUPS + "000d0004" + "00020203", // ecdsa_sha1
                GROUPS + "000d0006" + "000402030201", // plus rsa_pkcs1_sha1
                GROUPS + "000d0006" + "000402030401", // RSA with SHA-256, which does not match this certificate
                GROUPS
            })
    void rejectsTls12ClientWithSha1Only(String extensions) {
        Outcome outcome = send(record("0303", extensions));

        assertThat(outcome.sent()).isEqualTo(HANDSHAKE_FAILURE);
        assertThat(outcome.failure()).isNotNull();
        assertThat(outcome.isOpen()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                GROUPS + "000d0006" + "000402030403", // ECDSA with SHA-1 and SHA-256
                GROUPS + "000d0004" + "00020603", // ECDSA with SHA-512
            })
    void servesTls12ClientWithStrongerSignatures(String extensions) {
        Outcome outcome = send(record("0303", extensions));

        assertThat(outcome.failure()).isNull();
        assertThat(outcome.sent()).as("a ServerHello").startsWith("160303");
    }

    @Test
    void rejectsOldVersionsWithProtocolVersionAlert() {
        assertThat(send(record("0301", GROUPS)).sent())
                .as("protocol_version")
                .startsWith("15")
                .endsWith("0246");
    }

    @Test
    void rejectsMalformedMessage() {
        assertThat(send(HexFormat.of().parseHex("16030300080100000403030000")).isOpen())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "P"})
    void plainHttpGetsErrorResponse(String text) {
        Outcome outcome = send(text.getBytes(StandardCharsets.US_ASCII), PlainHttpHandler.REFUSAL);

        assertThat(new String(HexFormat.of().parseHex(outcome.sent()), StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 400 Bad Request\r\n")
                .contains("\r\nConnection: close\r\n")
                .endsWith(PlainHttpHandler.ERROR_MESSAGE + "\n");
        assertThat(outcome.isOpen()).isFalse();
        assertThat(outcome.passed()).as("handlers behind get nothing").isEmpty();
    }

    @Test
    void plainHttpIsForwardedToPlainHandler() {
        Outcome outcome = send("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII), context -> true);

        assertThat(outcome.passed()).isEqualTo("GET / HTTP/1.1\r\n\r\n");
        assertThat(outcome.isOpen()).isTrue();
    }

    @Test
    void plainHttpIsClosedOnTcpListener() {
        Outcome outcome = send("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII), /* plain= */ null);

        assertThat(outcome.isOpen()).isFalse();
        assertThat(outcome.passed()).isEmpty();
    }

    /** The result of a connection. */
    private record Outcome(String sent, @Nullable Throwable failure, boolean isOpen, String passed) {}

    private Outcome send(byte[] bytes) {
        return send(bytes, /* plain= */ null);
    }

    private Outcome send(byte[] bytes, @Nullable PlainHttpHandler plain) {
        Behind behind = new Behind();
        EmbeddedChannel channel = new EmbeddedChannel(tls.newHandler(plain), behind);
        channel.writeInbound((Object) Unpooled.wrappedBuffer(bytes));
        channel.runPendingTasks();
        StringBuilder sent = new StringBuilder();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            sent.append(ByteBufUtil.hexDump(out));
            out.release();
        }
        boolean open = channel.isOpen();
        Throwable failure = behind.failure;
        if (open && channel.pipeline().get(SslHandler.class) != null) {
            channel.pipeline().remove(SslHandler.class); // otherwise the handler reports an incomplete handshake
        }
        channel.close();
        return new Outcome(sent.toString(), failure, open, behind.passed.toString());
    }

    /** Records the data and failures that earlier handlers pass on. */
    private static final class Behind extends ChannelInboundHandlerAdapter {

        private final StringBuilder passed = new StringBuilder();
        private @Nullable Throwable failure;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf received = (ByteBuf) message;
            passed.append(received.toString(StandardCharsets.US_ASCII));
            received.release();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof SslHandshakeCompletionEvent handshake && failure == null) {
                failure = handshake.cause();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (failure == null) {
                failure = cause;
            }
        }
    }

    /** A ClientHello in one record, from a client without TLS 1.3. */
    private static byte[] record(String version, String extensions) {
        String body =
                version + "00".repeat(32) + "00" + length(CIPHERS) + CIPHERS + "0100" + length(extensions) + extensions;
        String message = "01" + "00" + length(body) + body;
        return HexFormat.of().parseHex("16" + "0301" + length(message) + message);
    }

    private static String length(String hex) {
        return String.format("%04x", hex.length() / 2);
    }
}
