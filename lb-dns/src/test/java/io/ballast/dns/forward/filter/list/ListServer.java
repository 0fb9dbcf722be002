package io.ballast.dns.forward.filter.list;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A web server with one list that tests change. */
final class ListServer implements AutoCloseable {

    private final HttpServer server;
    private final List<String> conditions = Collections.synchronizedList(new ArrayList<>());
    private volatile byte[] body = {};
    private volatile String etag = "";
    private volatile int status = 200;

    ListServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    URI url(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    void serve(String version, byte[] bytes) {
        status = 200;
        etag = version;
        body = bytes;
    }

    void serve(String version, String... lines) {
        serve(version, String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    }

    void fail(int with) {
        status = with;
    }

    /** The {@code If-None-Match} header of each request, or {@code -}. */
    List<String> conditions() {
        return List.copyOf(conditions);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String condition = exchange.getRequestHeaders().getFirst("If-None-Match");
            conditions.add(condition == null ? "-" : condition);
            if (exchange.getRequestURI().getPath().startsWith("/moved")) {
                exchange.getResponseHeaders().set("Location", "/list");
                exchange.sendResponseHeaders(302, -1);
            } else if (status != 200) {
                exchange.sendResponseHeaders(status, -1);
            } else if (etag.equals(condition)) {
                exchange.sendResponseHeaders(304, -1);
            } else {
                exchange.getResponseHeaders().set("ETag", etag);
                exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
