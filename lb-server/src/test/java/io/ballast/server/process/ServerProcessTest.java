package io.ballast.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final String ZONE = ", zones: [{name: example.com}]}\ndashboard: {enabled: false}\n";

    @TempDir
    private Path directory;

    private final StringWriter err = new StringWriter();

    @Test
    void dnsPortInUseEndsProcessWithAddress() throws Exception {
        try (DatagramSocket taken = new DatagramSocket(ANY_PORT)) {
            String address = "127.0.0.1:" + taken.getLocalPort();

            int exitCode = run("dns: {listeners: [{bind: \"" + address + "\"}]" + ZONE);

            assertThat(exitCode).isEqualTo(1);
            assertThat(err.toString()).startsWith("lb: ").contains(address);
        }
    }

    @Test
    void httpPortInUseEndsProcessWithAddress() throws Exception {
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(ANY_PORT);
            String address = "127.0.0.1:" + taken.getLocalPort();

            int exitCode = run("listeners: [{bind: \"" + address + "\", routes: [{respond: {status: 200}}]}]\n"
                    + "dashboard: {enabled: false}\n");

            assertThat(exitCode).isEqualTo(1);
            assertThat(err.toString()).startsWith("lb: ").contains(address);
        }
    }

    @Test
    void invalidFileEndsProcessWithPlace() throws Exception {
        int exitCode = run("listners: []\n");

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).contains("lb.yaml:1:1", "listners");
    }

    private int run(String config) throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("lb.yaml"), config);
        return ServerProcess.run(file, /* watch= */ false, new PrintWriter(err, true), new CountDownLatch(0));
    }
}
