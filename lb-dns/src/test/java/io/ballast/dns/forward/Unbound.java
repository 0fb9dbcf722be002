package io.ballast.dns.forward;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.xbill.DNS.Message;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/** Runs Unbound, which validates the answers of a loopback resolver. Tests are skipped if Unbound is not installed. */
final class Unbound implements AutoCloseable {

    private static final int TRIES = 4;
    /** The maximum number of queries while Unbound starts. Each query takes 200 ms, or is refused immediately. */
    private static final int QUERIES = 100;

    private final Process process;
    private final SimpleResolver client;

    private Unbound(Process process, SimpleResolver client) {
        this.process = process;
        this.client = client;
    }

    /**
     * Starts Unbound. Retries on another port if it does not answer, because another process may have taken the free
     * port.
     */
    static Unbound start(Path directory, int upstream, Path anchors) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            Unbound started = startOnce(directory, upstream, anchors);
            if (started.answersInTime()) {
                return started;
            }
            started.close();
        }
        throw new AssertionError("Unbound does not answer: " + Files.readString(directory.resolve("unbound.log")));
    }

    private static Unbound startOnce(Path directory, int upstream, Path anchors) throws IOException {
        Path program = Stream.of("/usr/sbin/unbound", "/usr/bin/unbound", "/usr/local/sbin/unbound")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(program != null, "unbound is not installed");
        int port = freePort();
        String config = """
                server:
                  interface: 127.0.0.1@%d
                  do-daemonize: no
                  use-syslog: no
                  username: ""
                  chroot: ""
                  directory: "%s"
                  pidfile: ""
                  do-not-query-localhost: no
                  module-config: "validator iterator"
                  trust-anchor-file: "%s"
                  qname-minimisation: no
                  aggressive-nsec: no
                  num-threads: 1
                  so-rcvbuf: 0
                  so-reuseport: no
                  val-log-level: 1
                forward-zone:
                  name: "."
                  forward-addr: 127.0.0.1@%d
                """.formatted(port, directory, anchors, upstream);
        Path file = Files.writeString(directory.resolve("unbound.conf"), config);
        Process process = new ProcessBuilder(program.toString(), "-d", "-c", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("unbound.log").toFile())
                .start();
        SimpleResolver client = new SimpleResolver("127.0.0.1");
        client.setPort(port);
        client.setTimeout(Duration.ofSeconds(10));
        client.setIgnoreTruncation(true);
        return new Unbound(process, client);
    }

    private static int freePort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private boolean answersInTime() {
        client.setTimeout(Duration.ofMillis(200));
        for (int i = 0; i < QUERIES && process.isAlive(); i++) {
            try {
                client.send(Messages.query("version.lab", Type.A));
                client.setTimeout(Duration.ofSeconds(10));
                return true;
            } catch (IOException e) {
                LockSupport.parkNanos(10_000_000);
            }
        }
        return false;
    }

    Message query(Message query) throws IOException {
        return client.send(query);
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
