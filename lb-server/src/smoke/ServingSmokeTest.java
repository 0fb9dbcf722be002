import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;

/**
 * Runs the packaged jar in its own process. Checks that the process serves and ends gracefully, and checks its error
 * message and exit code if it cannot start. Usage: {@code ServingSmokeTest <java> <lb.jar>}
 */
public class ServingSmokeTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** A loopback address that only this process uses, so that a free port stays free until it is bound. */
    private static final String HOST = host(ProcessHandle.current().pid());
    private static final Set<Integer> USED_PORTS = new HashSet<>();

    /** Halves the CPU time of a process that lives for a few seconds. */
    private static final String QUICK = "-XX:TieredStopAtLevel=1";

    private final String java;
    private final String jar;
    private final Path work;

    ServingSmokeTest(String java, String jar, Path work) {
        this.java = java;
        this.jar = jar;
        this.work = work;
    }

    public static void main(String[] args) throws Exception {
        ServingSmokeTest test = new ServingSmokeTest(
                args[0],
                Path.of(args[1]).toAbsolutePath().toString(),
                Files.createTempDirectory("lb-smoke"));
        test.badFileIsRefused();
        test.missingFileIsRefused();
        test.servesAndEndsGracefully();
        test.answersDns();
        test.secondSignalEndsAtOnce();
        test.otherSignalsKeepProcessRunning();
        test.descriptorShortageKeepsBackendsUp();
        test.portInUseIsReported();
        System.exit(0);
    }

    private void badFileIsRefused() throws Exception {
        Path file = write("bad.yaml", "listners: []\npools: {web: {strategy: fastest, backends: []}}\n");
        Result result = run("run", file.toString()).end();
        expect(result.code == 2, "exit code 2 for a bad file", result);
        expect(result.output.contains("bad.yaml:1:1") && result.output.contains("listeners"), "place and suggestion", result);
    }

    private void missingFileIsRefused() throws Exception {
        Result result = run("run", work.resolve("none.yaml").toString()).end();
        expect(result.code == 2, "exit code 2 for a missing file", result);
    }

    private void servesAndEndsGracefully() throws Exception {
        try (SlowBackend backend = new SlowBackend()) {
            int port = freePort();
            int dashboard = freePort();
            Running lb = runAsShipped("run", config(port, dashboard, backend.port()).toString()).await("ready");
            Result second = run("run", config(port, freePort(), backend.port()).toString()).end();
            expect(second.code == 1 && second.output.contains("the port is already in use"), "no second process", second);
            expect(get(port, "/quick").body().equals("answer"), "an answer from the backend", null);
            expect(get(dashboard, "/readyz").statusCode() == 200, "readiness", null);
            expect(get(dashboard, "/stats").body().contains("\"total_req_count\":1"), "one request counted", null);
            CompletableFuture<HttpResponse<String>> slow = CLIENT.sendAsync(request(port, "/slow"), body());
            backend.entered.await();
            lb.terminate();
            lb.await("draining");
            backend.release.countDown();
            expect(slow.get(2, TimeUnit.MINUTES).body().equals("answer"), "the running exchange to complete", null);
            Result result = lb.end();
            expect(result.code == 0, "exit code 0 after SIGTERM", result);
            expect(!result.output.contains("WARNING"), "no warning of the JVM", result);
        }
    }

    /**
     * Java 22 and newer load the classes for direct system calls, if the jar contains them; older versions ignore these
     * classes.
     */
    private void answersDns() throws Exception {
        int port = freePort();
        Path file = write("dns.yaml", """
                pools: {web: {backends: ["127.0.0.1:%d"], health: {type: none}}}
                dns:
                  listeners: [{bind: "%s:%d"}]
                  zones: [{name: a.example, services: [{name: app, pool: web}]}]
                dashboard: {enabled: false}
                """.formatted(freePort(), HOST, port));
        Running lb = runAsShipped("run", file.toString()).await("ready");
        boolean direct = Runtime.version().feature() >= 22 && hasEntry("META-INF/versions/22/io/ballast/dns/net/direct/");
        try (DatagramSocket client = new DatagramSocket()) {
            client.setSoTimeout(60_000);
            client.connect(InetAddress.getByName(HOST), port);
            byte[] query = {0, 7, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 'a', 'p', 'p', 1, 'a',
                7, 'e', 'x', 'a', 'm', 'p', 'l', 'e', 0, 0, 1, 0, 1};
            client.send(new DatagramPacket(query, query.length));
            DatagramPacket response = new DatagramPacket(new byte[512], 512);
            client.receive(response);
            expect(response.getData()[1] == 7 && response.getData()[7] == 1, "one address by DNS", null);
        }
        lb.terminate();
        Result result = lb.end();
        expect(result.code == 0, "exit code 0 after SIGTERM", result);
        expect(result.output.contains("dns_udp=direct") == direct, "direct system calls: " + direct, result);
        expect(!result.output.contains("WARNING"), "no warning of the JVM", result);
    }

    private boolean hasEntry(String prefix) throws IOException {
        try (JarFile file = new JarFile(jar)) {
            return file.stream().anyMatch(entry -> entry.getName().startsWith(prefix));
        }
    }

    private void secondSignalEndsAtOnce() throws Exception {
        try (SlowBackend backend = new SlowBackend()) {
            int port = freePort();
            Running lb = run("run", config(port, freePort(), backend.port()).toString()).await("ready");
            CompletableFuture<HttpResponse<String>> slow = CLIENT.sendAsync(request(port, "/slow"), body());
            backend.entered.await();
            lb.terminate();
            lb.await("draining");
            lb.terminate();
            expect(lb.end().code == 1, "exit code 1 after a second signal", null);
            slow.cancel(true);
            backend.release.countDown();
        }
    }

    /** SIGHUP reloads, SIGUSR1 is only logged; requests in flight continue, and SIGTERM still ends the process gracefully. */
    private void otherSignalsKeepProcessRunning() throws Exception {
        try (SlowBackend backend = new SlowBackend()) {
            int port = freePort();
            Path file = config(port, freePort(), backend.port());
            Running lb = run("run", file.toString()).await("ready");
            CompletableFuture<HttpResponse<String>> slow = CLIENT.sendAsync(request(port, "/slow"), body());
            backend.entered.await();
            Files.writeString(file, Files.readString(file).replace("grace: 5m", "grace: 4m"));
            lb.signal("HUP");
            if (!lb.ignoresHangUp()) {
                lb.await("reload=applied by=SIGHUP");
            }
            lb.signal("USR1");
            lb.await("signal=USR1");
            lb.signal("USR2");
            lb.signal("USR2");
            expect(get(port, "/quick").body().equals("answer"), "an answer after the signals", null);
            backend.release.countDown();
            expect(slow.get(2, TimeUnit.MINUTES).body().equals("answer"), "the running exchange to complete", null);
            lb.terminate();
            Result result = lb.end();
            expect(result.code == 0, "exit code 0 after SIGHUP, SIGUSR1, SIGUSR2 and SIGTERM", result);
        }
    }

    /**
     * Connects more clients than there are file descriptors. The clients must wait, the log must report the shortage,
     * and the backend must stay up. All deadlines are so long that a slow machine meets them.
     */
    private void descriptorShortageKeepsBackendsUp() throws Exception {
        for (String transport : List.of("auto", "epoll", "nio")) {
            descriptorShortageKeepsBackendsUp(transport);
        }
    }

    private void descriptorShortageKeepsBackendsUp(String transport) throws Exception {
        List<Socket> idle = new ArrayList<>();
        try (SlowBackend backend = new SlowBackend()) {
            int port = freePort();
            int dashboard = freePort();
            Path file = write("few.yaml", """
                    transport: %s
                    listeners:
                      - {bind: "%s:%d", pool: web, deadlines: {request_head: 10m}}
                    pools: {web: {backends: ["127.0.0.1:%d"], health: {type: tcp, interval: 100ms, timeout: 1m, fall: 1}}}
                    dashboard: {bind: "%s:%d"}
                    """.formatted(transport, HOST, port, backend.port(), HOST, dashboard));
            Running lb = new Running(new ProcessBuilder("bash", "-c",
                            "ulimit -n 300; exec \"$0\" " + QUICK + " -jar \"$1\" run \"$2\"", java, jar, file.toString())
                    .directory(work.toFile())
                    .redirectErrorStream(true)
                    .start());
            lb.await("open_files_limit=300");
            lb.await("ready");
            for (int i = 0; i < 400; i++) {
                idle.add(new Socket(HOST, port));
            }
            lb.await("no file descriptor left");
            for (int i = 0; i < 300; i++) {
                HttpResponse<String> stats = get(dashboard, "/stats");
                expect(stats.statusCode() == 200 && !stats.body().contains("\"state\":\"down\""),
                        "the backend to stay up: " + stats.body(), null);
            }
            Socket first = idle.get(0);
            first.setSoTimeout(60_000);
            first.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".getBytes());
            String answer = new String(first.getInputStream().readAllBytes());
            expect(answer.startsWith("HTTP/1.1 200"), "an answer for a connected client: " + answer, null);
            for (Socket socket : idle) {
                socket.close();
            }
            expect(get(port, "/").body().equals("answer"), "an answer when descriptors are free again", null);
            lb.terminate();
            Result result = lb.end();
            expect(result.code == 0, "exit code 0", result);
            expect(result.output.lines().count() < 100, "a short log on " + transport, result);
        }
    }

    private void portInUseIsReported() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            Result result = run("run", config(taken.getLocalPort(), freePort(), freePort()).toString()).end();
            expect(result.code == 1, "exit code 1 for a port in use", result);
            expect(result.output.contains(HOST + ":" + taken.getLocalPort() + ": the port is already in use"), "the port", result);
        }
    }

    /** Writes a configuration whose deadlines are so long that a slow machine meets them. */
    private Path config(int port, int dashboard, int backend) throws IOException {
        return write("serve.yaml", """
                grace: 5m
                listeners: [{bind: "%s:%d", pool: web}]
                pools:
                  web: {backends: ["127.0.0.1:%d"], health: {timeout: 1m}, connections: {connect_timeout: 1m}}
                dashboard: {bind: "%s:%d"}
                """.formatted(HOST, port, backend, HOST, dashboard));
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(work.resolve(name), text);
    }

    private Running run(String... arguments) throws IOException {
        return start(List.of(java, QUICK, "-jar", jar), arguments);
    }

    /** Starts the program without JVM options, as a user would. */
    private Running runAsShipped(String... arguments) throws IOException {
        return start(List.of(java, "-jar", jar), arguments);
    }

    private Running start(List<String> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(arguments));
        return new Running(new ProcessBuilder(command).directory(work.toFile()).redirectErrorStream(true).start());
    }

    private static HttpResponse<String> get(int port, String path) throws Exception {
        return CLIENT.send(request(port, path), body());
    }

    private static HttpRequest request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://" + HOST + ":" + port + path))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    private static HttpResponse.BodyHandler<String> body() {
        return HttpResponse.BodyHandlers.ofString();
    }

    private static String host(long pid) {
        return "127." + (64 | (pid >> 16 & 0x3f)) + "." + (pid >> 8 & 0xff) + "." + (pid & 0xff);
    }

    /** Returns a different free port each time. */
    private static int freePort() throws IOException {
        int port;
        do {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
                port = socket.getLocalPort();
            }
        } while (!USED_PORTS.add(port));
        return port;
    }

    private static void expect(boolean holds, String expected, Result result) {
        if (!holds) {
            System.out.println("expected " + expected + (result == null ? "" : ", but: " + result.code + "\n" + result.output));
            System.exit(1);
        }
    }

    record Result(int code, String output) {}

    /** A process and its output so far. */
    static final class Running {
        final Process process;
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        private final StringBuilder output = new StringBuilder();
        private final Thread reader;

        Running(Process process) {
            this.process = process;
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            reader = new Thread(() -> {
                try (BufferedReader in = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
                    in.lines().forEach(lines::add);
                } catch (IOException e) {
                    lines.add(e.toString());
                }
            });
            reader.start();
        }

        Running await(String text) throws InterruptedException {
            String line = "";
            while (!line.contains(text)) {
                line = lines.poll(5, TimeUnit.MINUTES);
                if (line == null) {
                    System.out.println("timeout while waiting for: " + text + "\n" + output);
                    System.exit(1);
                }
                output.append(line).append('\n');
            }
            return this;
        }

        /** Sends SIGTERM. Unlike after {@link Process#destroy()}, the output stays readable. */
        void terminate() {
            process.toHandle().destroy();
        }

        void signal(String name) throws Exception {
            new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).inheritIO().start().waitFor();
        }

        /** Whether the process was started with SIGHUP ignored, as by nohup; the JVM then keeps ignoring the signal. */
        boolean ignoresHangUp() throws IOException {
            String ignored = Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                    .filter(line -> line.startsWith("SigIgn:"))
                    .findFirst()
                    .orElseThrow();
            return (Long.parseUnsignedLong(ignored.split("\\s+")[1], 16) & 1) != 0;
        }

        Result end() throws InterruptedException {
            if (!process.waitFor(5, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                return new Result(-1, output + "did not end");
            }
            reader.join();
            lines.forEach(line -> output.append(line).append('\n'));
            return new Result(process.exitValue(), output.toString());
        }
    }

    /**
     * A backend that answers requests at once, except for requests for /slow, which wait until the test releases them.
     */
    static final class SlowBackend implements AutoCloseable {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch release = new CountDownLatch(1);
        private final HttpServer server;

        SlowBackend() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
            server.setExecutor(Executors.newCachedThreadPool());
            server.createContext("/", exchange -> {
                if (exchange.getRequestURI().getPath().equals("/slow")) {
                    entered.countDown();
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
                byte[] body = "answer".getBytes();
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
        }

        int port() {
            return server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }
}
