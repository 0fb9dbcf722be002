package io.ballast.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests syslog over TLS with a server that accepts connections, but does not take part in the TLS handshake. */
@Timeout(60)
class SilentTlsServerTest {

    private static final byte[] LINE = ("x".repeat(1000) + "\n").getBytes(StandardCharsets.US_ASCII);

    private final AtomicLong nanos = new AtomicLong();
    private ServerSocket server;
    private TcpSyslogTarget target;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        target = new TcpSyslogTarget(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()),
                SilentTlsServerTest::engine,
                nanos::get);
    }

    private static SSLEngine engine() {
        try {
            SSLEngine engine = SSLContext.getDefault().createSSLEngine("127.0.0.1", 6514);
            engine.setUseClientMode(true);
            return engine;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() throws IOException {
        target.close();
        server.close();
    }

    /** Calls the target until the first part of the handshake has arrived. */
    private Socket accept() throws IOException {
        target.write(LINE, LINE.length);
        Socket accepted = server.accept();
        InputStream in = accepted.getInputStream();
        while (in.available() == 0) {
            target.flush();
        }
        assertThat(in.read()).as("type of a handshake record").isEqualTo(22);
        return accepted;
    }

    @Test
    void handshakeHasADeadline() throws Exception {
        try (Socket accepted = accept()) {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(TlsSyslogConnection.HANDSHAKE_SECONDS));
            target.refresh();
            nanos.addAndGet(1);

            assertThatThrownBy(target::refresh)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the TLS handshake has not ended within 10 s");
            assertThat(accepted.getInputStream().readAllBytes()).isNotEmpty(); // returns at the end of the connection
        }
    }

    @Test
    void messagesAboveTheBoundAreLost() throws Exception {
        try (Socket accepted = accept()) {
            assertThat(accepted.isConnected()).isTrue();
            int lost = 0;
            int written = 1;
            while (lost == 0) {
                target.write(LINE, LINE.length);
                written++;
                lost += target.takeLost();
            }
            assertThat(written).isEqualTo(TcpSyslogTarget.MAX_QUEUED_BYTES / (LINE.length + 4) + 1);
        }
    }

    @Test
    void otherProtocolThanTlsIsAFailure() throws Exception {
        try (Socket accepted = accept()) {
            accepted.getOutputStream().write("220 ready\r\n".repeat(1000).getBytes(StandardCharsets.US_ASCII));

            assertThatThrownBy(() -> {
                        while (true) {
                            target.refresh();
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertThat(target.takeLost()).isZero(); // the message waits for the next connection
        }
    }
}
