package io.ballast.http.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.CheckTls;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.net.config.TransportKind;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests all protocol checks with peers that use another protocol. */
class ServiceCheckTest {

    private static final Duration SHORT = Duration.ofMillis(200);

    static Stream<HealthCheck> checks() {
        return Stream.of(
                new HealthCheck.Mysql("ballast", CheckTls.NEVER),
                new HealthCheck.Postgres("ballast", "postgres", CheckTls.NEVER),
                new HealthCheck.Redis(CheckTls.OF_POOL),
                new HealthCheck.Smtp("localhost", CheckTls.OF_POOL));
    }

    @ParameterizedTest
    @MethodSource("checks")
    void silenceFailsAtDeadline(HealthCheck check) throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> connection.awaitClose())) {
            ProbeResult result = CheckRun.of(TransportKind.NIO, backend.address(), check, SHORT);

            assertThat(result.ok()).isFalse();
            assertThat(result.text()).isEqualTo("no answer within 200 ms");
            backend.awaitConnectionEnd();
        }
    }

    @ParameterizedTest
    @MethodSource("checks")
    void garbageFailsImmediately(HealthCheck check) throws Exception {
        ProbeResult result = check(
                check,
                connection ->
                        connection.send("HTTP/1.1 400 Bad Request\r\n\r\n").awaitClose());

        assertThat(result.ok()).isFalse();
        assertThat(result.text()).startsWith("not a");
    }

    @ParameterizedTest
    @MethodSource("checks")
    void closeWithoutAnswerFails(HealthCheck check) throws Exception {
        ProbeResult result =
                check(check, connection -> connection.finishSending().awaitClose());

        assertThat(result.ok()).isFalse();
        assertThat(result.text()).isEqualTo("connection closed without an answer");
    }

    @ParameterizedTest
    @MethodSource("checks")
    void endlessPeerIsDisconnected(HealthCheck check) throws Exception {
        String first =
                switch (check.label()) {
                    case "mysql" -> "\0@\0\0\n"; // a 16 KiB packet with its header, so that the limit is reached first
                    case "postgres" -> "N\0\0@\0";
                    case "redis" -> "+";
                    default -> "220-";
                };
        Script chatter = connection -> {
            connection.send(first);
            while (true) {
                connection.send("x".repeat(4096));
            }
        };

        ProbeResult result = check(check, chatter);

        assertThat(result.ok()).isFalse();
        assertThat(result.text()).isEqualTo("received more than 16 KiB without a result");
    }

    private static ProbeResult check(HealthCheck check, Script script) throws Exception {
        try (TestBackend backend = TestBackend.accepting(script)) {
            return CheckRun.of(backend.address(), check);
        }
    }
}
