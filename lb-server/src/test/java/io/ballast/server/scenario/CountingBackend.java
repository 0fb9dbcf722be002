package io.ballast.server.scenario;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** A backend that counts its requests. It answers immediately, or when the test releases the answers. */
final class CountingBackend implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong requests = new AtomicLong();
    private volatile CountDownLatch answers = new CountDownLatch(0);

    private CountingBackend(HttpServer server) {
        this.server = server;
    }

    static CountingBackend start() throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        CountingBackend backend = new CountingBackend(HttpServer.create(address, 128));
        backend.server.createContext("/", backend::answer);
        backend.server.setExecutor(backend.threads);
        backend.server.start();
        return backend;
    }

    /** Holds all answers until {@link #release} is called. */
    void holdRequests() {
        answers = new CountDownLatch(1);
    }

    void release() {
        answers.countDown();
    }

    int port() {
        return server.getAddress().getPort();
    }

    long requests() {
        return requests.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        try {
            answers.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
