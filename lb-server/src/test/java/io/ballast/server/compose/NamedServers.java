package io.ballast.server.compose;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** Backend web servers that answer with their name; requests for {@code /slow} wait for the test. */
final class NamedServers implements AutoCloseable {

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<HttpServer> servers = new ArrayList<>();
    private final CountDownLatch slowArrived = new CountDownLatch(1);
    private final CountDownLatch slowMayEnd = new CountDownLatch(1);

    /** Starts a server on a free port of 127.0.0.1. Returns the port. */
    int add(String name) throws IOException {
        return add(name, "127.0.0.1", 0);
    }

    /** Starts a server. Returns its port. */
    int add(String name, String host, int port) throws IOException {
        return add(name, host, port, () -> 200);
    }

    /** Starts a server on a free port of 127.0.0.1 that answers with these statuses. Returns the port. */
    int answering(IntSupplier status) throws IOException {
        return add("", "127.0.0.1", 0, status);
    }

    private int add(String name, String host, int port, IntSupplier status) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(host), port), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, status.getAsInt(), name));
        server.start();
        servers.add(server);
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange, int status, String name) throws IOException {
        if (exchange.getRequestURI().getPath().equals("/slow")) {
            slowArrived.countDown();
            awaitEnd();
        }
        byte[] body = name.getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void awaitEnd() {
        try {
            slowMayEnd.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a request for {@code /slow}; returns whether it arrived in time. */
    boolean awaitSlow() throws InterruptedException {
        return slowArrived.await(StartedBalancer.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Lets the servers answer requests for {@code /slow}. */
    void answerSlow() {
        slowMayEnd.countDown();
    }

    /** Stops server number {@code index}, in the order of their start. */
    void stop(int index) {
        servers.get(index).stop(0);
    }

    @Override
    public void close() {
        answerSlow();
        servers.forEach(server -> server.stop(0));
        threads.shutdownNow();
    }
}
