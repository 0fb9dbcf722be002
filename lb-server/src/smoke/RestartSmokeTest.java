import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Restarts the packaged jar by {@code lb restart} while clients send requests continuously. Checks that every request is
 * answered, that requests in flight end in the old process, and that a new process that cannot start does no harm. Usage:
 * {@code RestartSmokeTest <java> <lb.jar> <transport>}
 */
public class RestartSmokeTest {

    /** A loopback address that only this process uses, so that a free port stays free until it is bound. */
    private static final String HOST = host(ProcessHandle.current().pid());
    private static final Set<Integer> USED_PORTS = new HashSet<>();
    private static final int CLIENTS = 8;
    private static final int PAUSE_MILLIS = 40;
    private static final int RESTARTS = 3;

    /** Halves the CPU time of a process that lives for a few seconds. */
    private static final String QUICK = "-XX:TieredStopAtLevel=1";

    private final String java;
    private final String jar;
    private final String transport;
    private final Path work;
    private final int http = freePort();
    private final int tcp = freePort();
    private final int dns = freePort();
    private final int dashboard = freePort();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicLong answers = new AtomicLong();
    private final Semaphore newAnswers = new Semaphore(0);
    private final Semaphore successorEndLogged = new Semaphore(0);
    private volatile long successorPid;

    RestartSmokeTest(String java, String jar, String transport) throws IOException {
        this.java = java;
        this.jar = jar;
        this.transport = transport;
        this.work = Files.createTempDirectory("lb-restart");
    }

    public static void main(String[] args) throws Exception {
        new RestartSmokeTest(args[0], args[1], args[2]).run();
        System.exit(0);
    }

    private void run() throws Exception {
        Backend backend = new Backend();
        Path file = write(backend.port(), "");
        Process first = start("run", file.toString());
        awaitLine(first, "ready");
        ExecutorService clients = Executors.newCachedThreadPool();
        List<Future<Void>> all = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            all.add(clients.submit(repeat(() -> requestOnce(http))));
            all.add(clients.submit(repeat(() -> requestOnce(tcp))));
            all.add(clients.submit(repeatOnConnection()));
            all.add(clients.submit(repeat(this::queryUdp)));
        }
        all.add(clients.submit(repeat(this::queryTcp)));
        Future<String> slow = clients.submit(() -> exchange(http, "/slow"));
        backend.entered.await();
        awaitAnswers(500);

        ProcessHandle now = first.toHandle();
        Result restarted = end(start("restart", file.toString()));
        expect(restarted.code == 0, "exit code 0 of lb restart", restarted);
        now = successor(restarted, now);
        write(backend.port(), "bogus: 1\n");
        Result refused = end(start("restart", file.toString()));
        expect(refused.code == 2 && refused.output.contains("bogus"), "the error in the file to be reported with its key", refused);
        expect(now.isAlive(), "the old process to keep running", refused);
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            write(backend.port(), "", "  - {name: more, bind: \"127.0.0.1:" + taken.getLocalPort() + "\", pool: web}\n");
            Result failed = end(start("restart", file.toString()));
            expect(failed.code == 2 && failed.output.contains("the port is already in use"), "the reason of a failed start", failed);
            expect(now.isAlive(), "the old process to keep running", failed);
        }
        write(backend.port(), "");
        for (int i = 1; i < RESTARTS; i++) {
            awaitAnswers(500);
            Result result = end(start("restart", file.toString()));
            expect(result.code == 0, "exit code 0 of lb restart", result);
            now = successor(result, now);
        }
        awaitAnswers(500);
        expect(first.isAlive(), "the first process to keep running while it has a request in flight", null);
        backend.release.countDown();
        expect(slow.get(1, TimeUnit.MINUTES).endsWith("answer"), "the request in flight in the first process to complete", null);
        expect(first.waitFor(1, TimeUnit.MINUTES) && first.exitValue() == 0, "the first process to end with 0", null);
        stopped.set(true);
        for (Future<Void> each : all) {
            each.get(1, TimeUnit.MINUTES);
        }
        String ready = exchange(dashboard, "/readyz");
        expect(ready.startsWith("HTTP/1.1 200"), "the last process to be ready: " + ready, null);
        now.destroy();
        now.onExit().get(1, TimeUnit.MINUTES);
        successorEnds(backend);
        System.out.println("restarts=" + RESTARTS + " transport=" + transport + " answers=" + answers + " failed=0");
    }

    /** Ends the new process while the old one waits for a backend: first by SIGTERM, then by SIGKILL. */
    private void successorEnds(Backend backend) throws Exception {
        for (boolean isKilled : new boolean[] {false, true}) {
            backend.block();
            Path file = write(backend.port(), "");
            Process old = start("run", file.toString());
            awaitLine(old, "ready");
            ExecutorService client = Executors.newSingleThreadExecutor();
            Future<String> slow = client.submit(() -> exchange(http, "/slow"));
            backend.entered.await();
            Result restarted = end(start("restart", file.toString()));
            ProcessHandle next = successor(restarted, old.toHandle());
            if (isKilled) {
                next.destroyForcibly();
                expect(old.waitFor(1, TimeUnit.MINUTES), "the old process to end although it waits for a backend", null);
                expect(old.exitValue() == 70, "exit code 70 of the old process, not " + old.exitValue(), null);
            } else {
                successorPid = next.pid();
                next.destroy();
                expect(successorEndLogged.tryAcquire(1, TimeUnit.MINUTES), "the old process to log that the new one ended", null);
            }
            backend.release.countDown();
            if (!isKilled) {
                expect(slow.get(1, TimeUnit.MINUTES).endsWith("answer"), "the request in flight in the old process to complete", null);
                expect(old.waitFor(1, TimeUnit.MINUTES) && old.exitValue() == 0, "exit code 0", null);
            }
            client.shutdownNow();
        }
    }

    /** Returns the process that the command reports as the new process; it must differ from the old process. */
    private ProcessHandle successor(Result result, ProcessHandle before) {
        long pid = Long.parseLong(result.output.replaceAll("(?s).*process (\\d+) has taken over.*", "$1").strip());
        expect(pid != before.pid(), "a new process", result);
        ProcessHandle next = ProcessHandle.of(pid).orElseThrow();
        Runtime.getRuntime().addShutdownHook(new Thread(next::destroyForcibly));
        return next;
    }

    private void awaitAnswers(int count) throws InterruptedException {
        newAnswers.drainPermits();
        expect(newAnswers.tryAcquire(count, 2, TimeUnit.MINUTES), "more answers, after " + answers, null);
    }

    // ---- clients; the first failure ends the test

    private Callable<Void> repeat(Callable<Void> once) {
        return () -> {
            while (!stopped.get()) {
                try {
                    once.call();
                } catch (IOException e) {
                    expect(false, "an answer after " + answers + " answers, not " + e, null);
                }
                answered();
            }
            return null;
        };
    }

    /** Counts an answer, then pauses so that starting processes get CPU time. */
    private void answered() throws InterruptedException {
        answers.incrementAndGet();
        newAnswers.release();
        Thread.sleep(PAUSE_MILLIS);
    }

    private Void requestOnce(int port) throws IOException {
        String answer = exchange(port, "/");
        expect(answer.startsWith("HTTP/1.1 200") && answer.endsWith("answer"), "an answer: " + answer, null);
        return null;
    }

    private static String exchange(int port, String path) throws IOException {
        try (Socket socket = new Socket(HOST, port)) {
            socket.setSoTimeout(600_000); // the time limit of the whole test
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    /**
     * Sends requests on one connection until a response contains {@code Connection: close}; then opens a new
     * connection.
     */
    private Callable<Void> repeatOnConnection() {
        return repeat(() -> {
            try (Socket socket = new Socket(HOST, http)) {
                socket.setSoTimeout(60_000);
                InputStream in = socket.getInputStream();
                OutputStream out = socket.getOutputStream();
                for (boolean last = false; !last && !stopped.get(); answered()) {
                    out.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    StringBuilder head = new StringBuilder();
                    while (head.indexOf("\r\n\r\n") < 0) {
                        int next = in.read();
                        if (next < 0) {
                            throw new SocketException("closed without notice, after: " + head);
                        }
                        head.append((char) next);
                    }
                    in.readNBytes("answer".length());
                    last = head.toString().toLowerCase().contains("connection: close");
                }
            }
            return null;
        });
    }

    private static final byte[] QUERY = {0, 7, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 'a', 'p', 'p', 1, 'a',
        7, 'e', 'x', 'a', 'm', 'p', 'l', 'e', 0, 0, 1, 0, 1};

    private Void queryUdp() throws IOException {
        try (DatagramSocket client = new DatagramSocket()) {
            client.setSoTimeout(60_000);
            client.connect(InetAddress.getByName(HOST), dns);
            client.send(new DatagramPacket(QUERY, QUERY.length));
            DatagramPacket response = new DatagramPacket(new byte[512], 512);
            try {
                client.receive(response);
            } catch (SocketTimeoutException e) {
                throw new IOException("no answer to a query", e);
            }
            expect(response.getData()[1] == 7 && response.getData()[7] == 1, "one address by DNS", null);
        }
        return null;
    }

    private Void queryTcp() throws IOException {
        try (Socket socket = new Socket(HOST, dns)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(0);
            socket.getOutputStream().write(QUERY.length);
            socket.getOutputStream().write(QUERY);
            byte[] length = socket.getInputStream().readNBytes(2);
            if (length.length < 2) {
                throw new SocketException("no answer to a query over TCP");
            }
            socket.getInputStream().readNBytes(length[0] << 8 | length[1] & 0xff);
        }
        return null;
    }

    // ---- processes

    private String config(int backend, String extraKeys, String listeners) {
        return """
                %stransport: %s
                grace: 10m
                data_dir: %s
                listeners:
                  - {name: web, bind: "HOST:%d", pool: web}
                  - {name: raw, bind: "HOST:%d", protocol: tcp, pool: web}
                %spools:
                  web:
                    backends: ["127.0.0.1:%d"]
                    health: {timeout: 1m}
                    connections: {connect_timeout: 1m, response_timeout: 10m}
                dns:
                  listeners: [{bind: "HOST:%d"}]
                  zones: [{name: a.example, services: [{name: app, pool: web}]}]
                dashboard: {bind: "HOST:%d"}
                """.formatted(extraKeys, transport, work.resolve("data"), http, tcp, listeners, backend, dns, dashboard)
                .replace("HOST", HOST);
    }

    private Path write(int backend, String extraKeys, String listeners) throws IOException {
        return write("restart.yaml", config(backend, extraKeys, listeners));
    }

    private Path write(int backend, String extraKeys) throws IOException {
        return write("restart.yaml", config(backend, extraKeys, ""));
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(work.resolve(name), text);
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(java, QUICK, "-jar", jar));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return process;
    }

    /** Waits for a line; afterwards, copies the output of the process to stdout. */
    private void awaitLine(Process process, String text) throws IOException {
        BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream()));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.contains(text)) {
                Thread rest = new Thread(() -> output.lines().forEach(this::copy));
                rest.setDaemon(true);
                rest.start();
                return;
            }
            System.out.println(line);
        }
        expect(false, "the process to log " + text, null);
    }

    private void copy(String line) {
        System.out.println(line);
        if (line.contains("process " + successorPid + ", which took over, ended with exit code 0")) {
            successorEndLogged.release();
        }
    }

    private static Result end(Process process) throws Exception {
        String output = new String(process.getInputStream().readAllBytes());
        expect(process.waitFor(2, TimeUnit.MINUTES), "the command to end", null);
        return new Result(process.exitValue(), output);
    }

    record Result(int code, String output) {}

    private static String host(long pid) {
        return "127." + (64 | (pid >> 16 & 0x3f)) + "." + (pid >> 8 & 0xff) + "." + (pid & 0xff);
    }

    /** Returns a different free port each time. */
    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            int port = socket.getLocalPort();
            return USED_PORTS.add(port) ? port : freePort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void expect(boolean holds, String expected, Result result) {
        if (!holds) {
            System.out.println("expected " + expected + (result == null ? "" : ", but: " + result.code + "\n" + result.output));
            System.exit(1);
        }
    }

    /**
     * A backend that answers requests at once, except for requests for /slow, which wait until the test releases them.
     */
    static final class Backend {
        volatile CountDownLatch entered;
        volatile CountDownLatch release;
        private final HttpServer server;

        Backend() throws IOException {
            block();
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
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

        /** Blocks requests for /slow until the next release. */
        final void block() {
            entered = new CountDownLatch(1);
            release = new CountDownLatch(1);
        }

        int port() {
            return server.getAddress().getPort();
        }
    }
}
