package io.ballast.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;

/** Tests that a syslog server cannot keep the thread of all logs busy by sending data without end. */
class HostileSyslogServerTest {

    private static final int LIMIT_SECONDS = 60;
    private static final int RECORDS = 1000;
    /** A TLS record with the warning {@code user_canceled}, which clients ignore. */
    private static final byte[] WARNING = {0x15, 3, 3, 0, 2, 1, 90};

    private static void flood(ServerSocket server, CountDownLatch flooded) {
        byte[] many = new byte[RECORDS * WARNING.length];
        for (int i = 0; i < RECORDS; i++) {
            System.arraycopy(WARNING, 0, many, i * WARNING.length, WARNING.length);
        }
        try (Socket client = server.accept()) {
            OutputStream out = client.getOutputStream();
            while (!server.isClosed()) {
                out.write(many);
                flooded.countDown();
            }
        } catch (IOException e) {
            // the client has disconnected, or the test has ended
        }
    }

    private static SSLEngine engine() {
        try {
            SSLEngine engine = SSLContext.getDefault().createSSLEngine("localhost", 6514);
            engine.setUseClientMode(true);
            return engine;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void endlessRecordsDuringTheHandshakeDoNotOccupyTheThread() throws Exception {
        CountDownLatch flooded = new CountDownLatch(1);
        CountDownLatch flushed = new CountDownLatch(3);
        try (ServerSocket server = new ServerSocket(0, /* backlog= */ 1, InetAddress.getLoopbackAddress())) {
            Thread attacker = new Thread(() -> flood(server, flooded));
            attacker.setDaemon(true);
            attacker.start();
            InetSocketAddress address = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
            TcpSyslogTarget target = new TcpSyslogTarget(address, HostileSyslogServerTest::engine, () -> 0);
            Thread writer = new Thread(() -> {
                while (flushed.getCount() > 0) {
                    target.flush();
                    if (flooded.getCount() == 0) {
                        flushed.countDown();
                    }
                }
            });
            writer.setDaemon(true);
            writer.start();

            assertThat(flushed.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }
}
