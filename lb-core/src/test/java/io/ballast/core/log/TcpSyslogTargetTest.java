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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TcpSyslogTargetTest {

    private final AtomicLong nanos = new AtomicLong();
    private ServerSocket server;
    private TcpSyslogTarget target;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        target = target(server.getLocalPort());
    }

    private TcpSyslogTarget target(int port) {
        return new TcpSyslogTarget(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), nanos::get);
    }

    @AfterEach
    void close() throws IOException {
        target.close();
        server.close();
    }

    private void write(String lines) {
        byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
        target.write(bytes, bytes.length);
    }

    private static String read(InputStream in, int length) throws IOException {
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    /** Accepts the connection, and lets the target continue to connect and send. */
    private Socket accept() throws IOException {
        Socket accepted = server.accept();
        target.flush();
        return accepted;
    }

    @Test
    void eachMessageFollowsItsLength() throws Exception {
        write("<134>1 first\n<134>1 sécond\n");
        try (Socket accepted = accept()) {
            assertThat(read(accepted.getInputStream(), 32)).isEqualTo("12 <134>1 first14 <134>1 sécond");
            write("x\n");
            assertThat(read(accepted.getInputStream(), 3)).isEqualTo("1 x");
            assertThat(target.takeLost()).isZero();
        }
    }

    @Test
    void messagesWaitForAnUnreachableServer() throws Exception {
        int port = server.getLocalPort();
        server.close();
        write("a\n");
        assertThatThrownBy(() -> {
                    while (true) {
                        target.refresh();
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("syslog server 127.0.0.1:" + port + ": ");
        write("b\n");
        assertThat(target.takeLost()).isZero();

        try (ServerSocket again = new ServerSocket()) {
            again.setReuseAddress(true);
            again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
            write("c\n");
            try (Socket accepted = again.accept()) {
                target.flush();
                assertThat(read(accepted.getInputStream(), 9)).isEqualTo("1 a1 b1 c");
            }
        }
    }

    @Test
    void connectionIsNotRetriedBeforeTheDelay() throws Exception {
        server.close();
        write("a\n");
        assertThatThrownBy(() -> {
                    while (true) {
                        target.refresh();
                    }
                })
                .isInstanceOf(IOException.class);

        target.refresh(); // reports no further failure, because it does not connect again yet
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        assertThatThrownBy(() -> {
                    while (true) {
                        target.refresh();
                    }
                })
                .isInstanceOf(IOException.class);
    }

    @Test
    void closedConnectionIsNoticedBeforeTheNextMessage() throws Exception {
        write("a\n");
        try (Socket accepted = accept()) {
            assertThat(read(accepted.getInputStream(), 3)).isEqualTo("1 a");
        }
        assertThatThrownBy(() -> {
                    while (true) { // until the target detects the end of the connection
                        write("b\n");
                        target.refresh();
                    }
                })
                .isInstanceOf(IOException.class);
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        write("c\n");

        try (Socket accepted = accept()) {
            target.close();
            assertThat(new String(accepted.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .matches("(1 b)*1 c");
        }
    }

    @Test
    void unreadDataFromTheServerDoesNotResetTheConnection() throws Exception {
        write("a\n");
        try (Socket accepted = accept()) {
            accepted.getOutputStream().write("not expected".getBytes(StandardCharsets.US_ASCII));
            target.close();
            assertThat(read(accepted.getInputStream(), 3)).isEqualTo("1 a");
            assertThat(accepted.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void slowServerLosesOnlyWhatDoesNotFit() throws Exception {
        String line = "x".repeat(1000) + "\n";
        write(line);
        try (Socket accepted = accept()) {
            int lost = 0;
            int written = 1;
            while (lost == 0) {
                write(line.repeat(100));
                written += 100;
                lost += target.takeLost();
            }
            int kept = written - lost;
            Thread closing = new Thread(target::close);
            closing.start();
            for (int i = 0; i < kept; i++) {
                assertThat(read(accepted.getInputStream(), 1005)).isEqualTo("1000 " + "x".repeat(1000));
            }
            closing.join();
            assertThat(accepted.getInputStream().read()).isEqualTo(-1);
        }
    }
}
