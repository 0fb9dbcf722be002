import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Runs Ballast in a control group with little memory. Usage: {@code MemorySmokeTest <lb> <control group>
 * serves|refuses}. With {@code serves}, slow readers of long responses and ordinary clients must not cause the kernel
 * to kill Ballast.
 */
public class MemorySmokeTest {

    private static final int SLOW_READERS = 500;
    private static final int REQUESTS = 2000;
    private static final int PIECE_BYTES = 16 * 1024;
    private static final int LONG_PIECES = 256;
    private static final int TIMEOUT_MILLIS = 300_000;
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    public static void main(String[] args) throws Exception {
        Path group = Path.of(args[1]);
        HttpServer backend = backend();
        int port = freePort();
        Path work = Files.createTempDirectory("lb-memory");
        Path log = work.resolve("log");
        Path file = Files.writeString(work.resolve("ballast.yaml"), """
                data_dir: %s
                listeners: [{bind: "127.0.0.1:%d", pool: web}]
                pools: {web: {backends: ["127.0.0.1:%d"], health: {type: none}}}
                dashboard: {enabled: false}
                """.formatted(work.resolve("data"), port, backend.getAddress().getPort()));
        Process lb = new ProcessBuilder(
                        "sh", "-c", "echo $$ >\"$0\" && exec \"$@\"", group.resolve("cgroup.procs").toString(),
                        args[0], "run", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(lb::destroyForcibly));
        if (args[2].equals("refuses")) {
            expect(lb.waitFor(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS) && lb.exitValue() == 1, "exit code 1", log);
            expect(Files.readString(log).contains("too little memory: "), "the reason", log);
        } else {
            awaitReady(lb, log);
            serve(port, lb, group, log);
            lb.toHandle().destroy(); // SIGTERM
            expect(lb.waitFor(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS) && lb.exitValue() == 0, "exit code 0", log);
        }
        System.exit(0);
    }

    private static void serve(int port, Process lb, Path group, Path log) throws Exception {
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < SLOW_READERS; i++) {
            Socket reader = new Socket(LOOPBACK, port);
            reader.setSoTimeout(TIMEOUT_MILLIS);
            reader.getOutputStream().write(request("/long"));
            slow.add(reader);
        }
        for (Socket reader : slow) {
            expect(reader.getInputStream().read() == 'H', "the beginning of a long response", log);
        }
        for (int i = 0; i < REQUESTS; i++) {
            try (Socket client = new Socket(LOOPBACK, port)) {
                client.setSoTimeout(TIMEOUT_MILLIS);
                client.getOutputStream().write(request("/short"));
                String response = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                expect(response.startsWith("HTTP/1.1 200 ") && response.endsWith("short"), "a response", log);
            }
        }
        expect(lb.isAlive(), "a running process", log);
        List<String> processes = Files.readAllLines(group.resolve("cgroup.procs"));
        expect(processes.equals(List.of(String.valueOf(lb.pid()))), "no second Java, but there are " + processes, log);
        for (Socket reader : slow) {
            reader.close();
        }
    }

    private static void awaitReady(Process lb, Path log) throws Exception {
        while (!Files.readString(log).contains("ready all_backends_checked=")) {
            expect(lb.isAlive(), "a start", log);
            Thread.sleep(50);
        }
    }

    private static byte[] request(String path) {
        return ("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static HttpServer backend() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 1024);
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        }));
        server.createContext("/", exchange -> {
            boolean isLong = exchange.getRequestURI().getPath().equals("/long");
            byte[] piece = isLong ? new byte[PIECE_BYTES] : "short".getBytes(StandardCharsets.US_ASCII);
            int pieces = isLong ? LONG_PIECES : 1;
            try (InputStream received = exchange.getRequestBody()) {
                received.readAllBytes();
            }
            exchange.sendResponseHeaders(200, (long) piece.length * pieces);
            for (int i = 0; i < pieces; i++) {
                exchange.getResponseBody().write(piece);
            }
            exchange.close();
        });
        server.start();
        return server;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, LOOPBACK)) {
            return socket.getLocalPort();
        }
    }

    private static void expect(boolean holds, String expected, Path log) throws IOException {
        if (!holds) {
            System.out.println("expected " + expected + "; the log:\n" + Files.readString(log));
            System.exit(1);
        }
    }
}
