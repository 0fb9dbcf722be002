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
 * Restarts the packaged jar by {@code lb restart} while clients ask without a pause, and looks at it from outside: that
 * each of them gets its answer, that requests in flight end in the former process, and that a new process that fails to
 * start does no harm. {@code Restarting <java> <lb.jar> <transport>}
 */
public class Restarting {

    /** A loopback address of this process alone: a port that is free there stays free until it is bound. */
    private static final String HOST = host(ProcessHandle.current().pid());
    private static final Set<Integer> GIVEN_PORTS = new HashSet<>();
    private static final int CLIENTS = 8;
    private static final int PAUSE_MILLIS = 40;
    private static final int RESTARTS = 3;

    private final String java;
    private final String jar;
    private final String transport;
    private final Path work;
    private final int http = freePort();
    private final int tcp = freePort();
    private final int dns = freePort();
    private final int dashboard = freePort();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong answers = new AtomicLong();
    private final Semaphore fresh = new Semaphore(0);
    private final Semaphore endSeen = new Semaphore(0);
    private volatile long watched;

    Restarting(String java, String jar, String transport) throws IOException {
        this.java = java;
        this.jar = jar;
        this.transport = transport;
        this.work = Files.createTempDirectory("lb-restart");
    }

    public static void main(String[] args) throws Exception {
        new Restarting(args[0], args[1], args[2]).run();
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
            all.add(clients.submit(asking(() -> askAndClose(http))));
            all.add(clients.submit(asking(() -> askAndClose(tcp))));
            all.add(clients.submit(keptConnection()));
            all.add(clients.submit(asking(this::askUdp)));
        }
        all.add(clients.submit(asking(this::askTcp)));
        Future<String> slow = clients.submit(() -> exchange(http, "/slow"));
        backend.entered.await();
        awaitAnswers(500);

        ProcessHandle now = first.toHandle();
        Ended done = end(start("restart", file.toString()));
        expect(done.code == 0, "exit code 0 of lb restart", done);
        now = successor(done, now);
        write(backend.port(), "bogus: 1\n");
        Ended refused = end(start("restart", file.toString()));
        expect(refused.code == 2 && refused.said.contains("bogus"), "a file at fault to be refused by its place", refused);
        expect(now.isAlive(), "the former process to go on", refused);
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            write(backend.port(), "", "  - {name: more, bind: \"127.0.0.1:" + taken.getLocalPort() + "\", pool: web}\n");
            Ended failed = end(start("restart", file.toString()));
            expect(failed.code == 2 && failed.said.contains("the port is already in use"), "the reason of a failed start", failed);
            expect(now.isAlive(), "the former process to go on", failed);
        }
        write(backend.port(), "");
        for (int i = 1; i < RESTARTS; i++) {
            awaitAnswers(500);
            Ended ended = end(start("restart", file.toString()));
            expect(ended.code == 0, "exit code 0 of lb restart", ended);
            now = successor(ended, now);
        }
        awaitAnswers(500);
        expect(first.isAlive(), "the first process to live for what runs there", null);
        backend.release.countDown();
        expect(slow.get(1, TimeUnit.MINUTES).endsWith("answer"), "what ran in the first process to be finished", null);
        expect(first.waitFor(1, TimeUnit.MINUTES) && first.exitValue() == 0, "the first process to end with 0", null);
        over.set(true);
        for (Future<Void> each : all) {
            each.get(1, TimeUnit.MINUTES);
        }
        String ready = exchange(dashboard, "/readyz");
        expect(ready.startsWith("HTTP/1.1 200"), "the last process to be ready: " + ready, null);
        now.destroy();
        now.onExit().get(1, TimeUnit.MINUTES);
        losing(backend);
        System.out.println("restarts=" + RESTARTS + " transport=" + transport + " answers=" + answers + " failed=0");
    }

    /** The process that took over ends while the one before it waits for a backend: as told, and then by its death. */
    private void losing(Backend backend) throws Exception {
        for (boolean dies : new boolean[] {false, true}) {
            backend.hold();
            Path file = write(backend.port(), "");
            Process former = start("run", file.toString());
            awaitLine(former, "ready");
            ExecutorService client = Executors.newSingleThreadExecutor();
            Future<String> slow = client.submit(() -> exchange(http, "/slow"));
            backend.entered.await();
            Ended done = end(start("restart", file.toString()));
            ProcessHandle next = successor(done, former.toHandle());
            if (dies) {
                next.destroyForcibly();
                expect(former.waitFor(1, TimeUnit.MINUTES), "the former process to end though it waits for a backend", null);
                expect(former.exitValue() == 70, "exit code 70 of the former process, not " + former.exitValue(), null);
            } else {
                watched = next.pid();
                next.destroy();
                expect(endSeen.tryAcquire(1, TimeUnit.MINUTES), "the former process to see that the other one ended", null);
            }
            backend.release.countDown();
            if (!dies) {
                expect(slow.get(1, TimeUnit.MINUTES).endsWith("answer"), "what ran in the former process to be finished", null);
                expect(former.waitFor(1, TimeUnit.MINUTES) && former.exitValue() == 0, "exit code 0", null);
            }
            client.shutdownNow();
        }
    }

    /** The process that the command names, which is another one than before. */
    private ProcessHandle successor(Ended ended, ProcessHandle before) {
        long pid = Long.parseLong(ended.said.replaceAll("(?s).*process (\\d+) has taken over.*", "$1").strip());
        expect(pid != before.pid(), "another process", ended);
        ProcessHandle next = ProcessHandle.of(pid).orElseThrow();
        Runtime.getRuntime().addShutdownHook(new Thread(next::destroyForcibly));
        return next;
    }

    private void awaitAnswers(int more) throws InterruptedException {
        fresh.drainPermits();
        expect(fresh.tryAcquire(more, 2, TimeUnit.MINUTES), "answers to go on, after " + answers, null);
    }

    // ---- clients; the first failure ends all

    private Callable<Void> asking(Callable<Void> once) {
        return () -> {
            while (!over.get()) {
                try {
                    once.call();
                } catch (IOException e) {
                    expect(false, "an answer after " + answers + " of them, not " + e, null);
                }
                answered();
            }
            return null;
        };
    }

    /** With a pause, so that the processes that start have a part of the machine. */
    private void answered() throws InterruptedException {
        answers.incrementAndGet();
        fresh.release();
        Thread.sleep(PAUSE_MILLIS);
    }

    private Void askAndClose(int port) throws IOException {
        String answer = exchange(port, "/");
        expect(answer.startsWith("HTTP/1.1 200") && answer.endsWith("answer"), "an answer: " + answer, null);
        return null;
    }

    private static String exchange(int port, String path) throws IOException {
        try (Socket socket = new Socket(HOST, port)) {
            socket.setSoTimeout(600_000); // as long as all of it may take
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    /** Asks again and again on a connection, until it is told that no more may be asked there. */
    private Callable<Void> keptConnection() {
        return asking(() -> {
            try (Socket socket = new Socket(HOST, http)) {
                socket.setSoTimeout(60_000);
                InputStream in = socket.getInputStream();
                OutputStream out = socket.getOutputStream();
                for (boolean last = false; !last && !over.get(); answered()) {
                    out.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    StringBuilder head = new StringBuilder();
                    while (head.indexOf("\r\n\r\n") < 0) {
                        int next = in.read();
                        if (next < 0) {
                            throw new SocketException("closed without a word, after: " + head);
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

    private Void askUdp() throws IOException {
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

    private Void askTcp() throws IOException {
        try (Socket socket = new Socket(HOST, dns)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(0);
            socket.getOutputStream().write(QUERY.length);
            socket.getOutputStream().write(QUERY);
            byte[] length = socket.getInputStream().readNBytes(2);
            if (length.length < 2) {
                throw new SocketException("no answer to a query by TCP");
            }
            socket.getInputStream().readNBytes(length[0] << 8 | length[1] & 0xff);
        }
        return null;
    }

    // ---- processes

    private String config(int backend, String more, String listeners) {
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
                """.formatted(more, transport, work.resolve("data"), http, tcp, listeners, backend, dns, dashboard)
                .replace("HOST", HOST);
    }

    private Path write(int backend, String more, String listeners) throws IOException {
        return write("restart.yaml", config(backend, more, listeners));
    }

    private Path write(int backend, String more) throws IOException {
        return write("restart.yaml", config(backend, more, ""));
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(work.resolve(name), text);
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(java, "-jar", jar));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return process;
    }

    /** Waits for a line, and copies what comes after it to a file. */
    private void awaitLine(Process process, String text) throws IOException {
        BufferedReader said = new BufferedReader(new InputStreamReader(process.getInputStream()));
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.contains(text)) {
                Thread rest = new Thread(() -> said.lines().forEach(this::copy));
                rest.setDaemon(true);
                rest.start();
                return;
            }
            System.out.println(line);
        }
        expect(false, "the process to say " + text, null);
    }

    private void copy(String line) {
        System.out.println(line);
        if (line.contains("process " + watched + ", which took over, ended with exit code 0")) {
            endSeen.release();
        }
    }

    private static Ended end(Process process) throws Exception {
        String said = new String(process.getInputStream().readAllBytes());
        expect(process.waitFor(2, TimeUnit.MINUTES), "the command to end", null);
        return new Ended(process.exitValue(), said);
    }

    record Ended(int code, String said) {}

    private static String host(long pid) {
        return "127." + (64 | (pid >> 16 & 0x3f)) + "." + (pid >> 8 & 0xff) + "." + (pid & 0xff);
    }

    /** Another one each time. */
    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            int port = socket.getLocalPort();
            return GIVEN_PORTS.add(port) ? port : freePort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void expect(boolean holds, String what, Ended ended) {
        if (!holds) {
            System.out.println("expected " + what + (ended == null ? "" : ", but: " + ended.code + "\n" + ended.said));
            System.exit(1);
        }
    }

    /** Answers at once, except under /slow, where it waits to be released. */
    static final class Backend {
        volatile CountDownLatch entered;
        volatile CountDownLatch release;
        private final HttpServer server;

        Backend() throws IOException {
            hold();
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

        /** Until it is released again. */
        final void hold() {
            entered = new CountDownLatch(1);
            release = new CountDownLatch(1);
        }

        int port() {
            return server.getAddress().getPort();
        }
    }
}
