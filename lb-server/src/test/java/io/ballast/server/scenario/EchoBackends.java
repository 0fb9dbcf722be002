package io.ballast.server.scenario;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Backends that respond with the number of their pool and the received request. */
final class EchoBackends implements AutoCloseable {

    /** Headers that describe a single connection, or that depend on the program that makes the connection. */
    private static final Set<String> NOT_COMPARED =
            Set.of("connection", "keep-alive", "proxy-connection", "te", "content-length", "transfer-encoding");

    private final Map<Integer, HttpServer> servers = new TreeMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /**
     * Returns the real port of the backend that has port {@code named} in the file: {@code 9021} is in pool 2.
     */
    int port(int named) throws IOException {
        HttpServer server = servers.get(named);
        if (server == null) {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
            server.setExecutor(threads);
            server.createContext("/", exchange -> answer(exchange, named / 10 % 10));
            server.start();
            servers.put(named, server);
        }
        return server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, int pool) throws IOException {
        exchange.getRequestBody().readAllBytes();
        StringBuilder echo = new StringBuilder();
        echo.append("pool ").append(pool).append(": ").append(exchange.getRequestMethod());
        echo.append(' ').append(exchange.getRequestURI());
        Map<String, List<String>> headers = new TreeMap<>();
        exchange.getRequestHeaders().forEach((name, lines) -> headers.put(name.toLowerCase(Locale.ROOT), lines));
        headers.keySet().removeAll(NOT_COMPARED);
        headers.replaceAll((name, lines) -> name.equals("x-request-id") ? List.of("an id") : lines);
        headers.forEach(
                (name, lines) -> echo.append('\n').append(name).append(": ").append(String.join(", ", lines)));
        byte[] body = echo.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("X-Powered-By", "echo");
        exchange.getResponseHeaders().set("Connection", "close");
        boolean hasBody = !exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(200, hasBody ? body.length : -1);
        if (hasBody) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @Override
    public void close() {
        servers.values().forEach(server -> server.stop(0));
        threads.shutdownNow();
    }
}
