package io.ballast.server.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ballast.core.ErrorText;
import io.ballast.core.config.HostPort;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A small web server for demonstrations. {@code /} returns the backend's name, {@code /health} its health, and {@code
 * /break} and {@code /repair} change it, so that a backend can go down without being stopped.
 */
public final class DemoBackend implements AutoCloseable {

    private static final int THREADS = 4;
    private static final int BACKLOG = 1024;

    static {
        // Without this property, each response would wait for the client's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final int number;
    private final HttpServer server;
    private final ExecutorService threads;
    private volatile boolean broken;

    private DemoBackend(int number, HttpServer server, ExecutorService threads) {
        this.number = number;
        this.server = server;
        this.threads = threads;
    }

    /** Starts backend {@code number} on 127.0.0.1, at port 9000 + number or, if that is in use, at any free port. */
    public static DemoBackend start(int number) throws IOException {
        return start(number, InetAddress.getLoopbackAddress(), new DemoPort(9000 + number, /* exact= */ false));
    }

    /**
     * Starts backend {@code number} on an address of this machine.
     *
     * @throws IOException if the address does not belong to this machine, or the port is in use and {@code
     *     port} does not allow another one
     */
    static DemoBackend start(int number, InetAddress host, DemoPort port) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "demo-backend-" + number);
            thread.setDaemon(true);
            return thread;
        });
        DemoBackend backend = new DemoBackend(number, bindServer(host, port), threads);
        backend.server.setExecutor(threads);
        backend.server.createContext("/", exchange -> backend.answer(exchange, 200, "hello from backend " + number));
        backend.server.createContext("/health", backend::health);
        backend.server.createContext("/break", exchange -> backend.setBroken(exchange, true));
        backend.server.createContext("/repair", exchange -> backend.setBroken(exchange, false));
        backend.server.start();
        return backend;
    }

    private static HttpServer bindServer(InetAddress host, DemoPort port) throws IOException {
        try {
            return HttpServer.create(new InetSocketAddress(host, port.number()), BACKLOG);
        } catch (BindException e) {
            if (port.exact()) {
                throw new IOException(host.getHostAddress() + ":" + port.number() + ": " + ErrorText.reason(e), e);
            }
            return HttpServer.create(new InetSocketAddress(host, 0), BACKLOG);
        }
    }

    public HostPort address() {
        return new HostPort(
                server.getAddress().getAddress().getHostAddress(),
                server.getAddress().getPort());
    }

    private void health(HttpExchange exchange) throws IOException {
        answer(exchange, broken ? 503 : 200, broken ? "broken" : "well");
    }

    private void setBroken(HttpExchange exchange, boolean down) throws IOException {
        broken = down;
        answer(exchange, 200, "backend " + number + (down ? " is failing now" : " is healthy again"));
    }

    private void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        boolean head = "HEAD".equals(exchange.getRequestMethod());
        exchange.sendResponseHeaders(status, head ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
