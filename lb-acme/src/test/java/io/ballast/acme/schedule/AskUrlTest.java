package io.ballast.acme.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AskUrlTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private volatile int status = 200;
    private volatile int bodyLength;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().toString());
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(status, bodyLength == 0 ? -1 : bodyLength);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(new byte[bodyLength]);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(/* delay= */ 0);
    }

    @ParameterizedTest
    @CsvSource({"200,true", "201,false", "204,false", "302,false", "403,false", "404,false", "500,false"})
    void onlyStatus200Permits(int given, boolean isPermitted) {
        status = given;

        assertThat(ask("/ok", LONG).isPermitted("a.example").join()).isEqualTo(isPermitted);
        assertThat(asked).containsExactly("/ok?domain=a.example");
    }

    @Test
    void keepsTheQueryOfTheUrl() {
        assertThat(ask("/ok?key=a%20b", LONG).isPermitted("a.example").join()).isTrue();
        assertThat(asked).containsExactly("/ok?key=a%20b&domain=a.example");
    }

    @Test
    void longAnswerIsNoPermission() {
        bodyLength = 100_000;

        assertThatThrownBy(() -> ask("/ok", LONG).isPermitted("a.example").join())
                .hasStackTraceContaining("larger than");
    }

    @Test
    void missingAnswerIsNoPermission() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI url = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");

            assertThatThrownBy(() -> new AskUrl(url, Duration.ofMillis(50))
                            .isPermitted("a.example")
                            .join())
                    .satisfiesAnyOf(
                            failure -> assertThat(failure).hasRootCauseInstanceOf(TimeoutException.class),
                            failure -> assertThat(failure).hasStackTraceContaining("timed out"));
        }
    }

    private AskUrl ask(String path, Duration timeout) {
        return new AskUrl(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path), timeout);
    }
}
