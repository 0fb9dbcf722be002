package io.ballast.http.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.net.config.TransportKind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Tests checks of type {@code tcp} with {@code send} or {@code expect}. */
class TcpCheckTest {

    @Test
    void expectedTextMayBeFragmented() throws Exception {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        Script redis = connection -> {
            received.add(new String(connection.readExactly(7), StandardCharsets.ISO_8859_1));
            connection.send("-LOADING +PO").send("NG\r\n").awaitClose();
        };

        ProbeResult result = check(redis, Optional.of("PING\u00ff\r\n"), Optional.of("+PONG"));

        assertThat(result.ok()).as(result.text()).isTrue();
        assertThat(result.text()).isEqualTo("connected, expected answer received");
        assertThat(received).as("a character is a byte").containsExactly("PING\u00ff\r\n");
    }

    @Test
    void evaluatesGreetingWithoutSending() throws Exception {
        Script greeting = connection -> connection.send("220 mail ready\r\n").awaitClose();

        assertThat(check(greeting, Optional.empty(), Optional.of("220 ")).ok()).isTrue();
        assertThat(check(connection -> connection.send("554 busy\r\n").close(), Optional.empty(), Optional.of("220 "))
                        .text())
                .isEqualTo("connection closed before the expected text was received");
        assertThat(check(connection -> connection.close(), Optional.empty(), Optional.of("220 "))
                        .text())
                .isEqualTo("connection closed without an answer");
    }

    @Test
    void sendWithoutExpectationPasses() throws Exception {
        ProbeResult result = check(connection -> connection.readToEnd(), Optional.of("QUIT\r\n"), Optional.empty());

        assertThat(result.text()).isEqualTo("connected, data sent");
        assertThat(result.ok()).isTrue();
    }

    @Test
    void endlessMismatchFails() throws Exception {
        Script chatter = connection -> {
            while (true) {
                connection.send("x".repeat(4096));
            }
        };

        assertThat(check(chatter, Optional.empty(), Optional.of("+PONG")).text())
                .isEqualTo("the first 16 KiB do not contain the expected text");
    }

    @Test
    void silenceFailsAtDeadline() throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> connection.awaitClose())) {
            ProbeResult result = CheckRun.of(
                    TransportKind.NIO,
                    backend.address(),
                    new HealthCheck.Tcp(Optional.empty(), Optional.of("220 ")),
                    Duration.ofMillis(200));

            assertThat(result.text()).isEqualTo("no answer within 200 ms");
            backend.awaitConnectionEnd();
        }
    }

    private static ProbeResult check(Script script, Optional<String> send, Optional<String> expected) throws Exception {
        try (TestBackend backend = TestBackend.accepting(script)) {
            return CheckRun.of(backend.address(), new HealthCheck.Tcp(send, expected));
        }
    }
}
