package io.ballast.http.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.CheckTls;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.testing.TestBackend;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Tests checks of type {@code redis}. */
class RedisCheckTest {

    private static final String PING = "*1\r\n$4\r\nPING\r\n";

    @Test
    void fragmentedPongIsUpAndConnectionClosesCleanly() throws Exception {
        BlockingQueue<Integer> rest = new LinkedBlockingQueue<>();
        try (TestBackend backend = TestBackend.accepting(connection -> {
            assertThat(connection.readExactly(PING.length())).asString().isEqualTo(PING);
            connection.send("+PO").send("NG\r\n");
            rest.add(connection.readToEnd().length); // a reset would throw an exception
        })) {
            ProbeResult result = CheckRun.of(
                    backend.address(), redis(), () -> assertThat(rest.take()).isZero());

            assertThat(result.text()).isEqualTo("PONG");
            assertThat(result.ok()).isTrue();
        }
    }

    @Test
    void serverRequiringPasswordIsUp() throws Exception {
        ProbeResult result = answering("-NOAUTH Authentication required.\r\n");

        assertThat(result.ok()).isTrue();
        assertThat(result.text()).isEqualTo("the backend responds, and requires a password");
    }

    @Test
    void otherErrorIsDownAndQuoted() throws Exception {
        assertDown(
                "-LOADING Redis is loading the dataset in memory\r\n",
                "LOADING Redis is loading the dataset in memory");
        assertDown("-MASTERDOWN Link with MASTER is down\r\n", "MASTERDOWN Link with MASTER is down");
        assertDown("-NOAUTHORITY x\r\n", "NOAUTHORITY x");
        assertDown("+OK\r\n", "unexpected answer to PING: +OK");
        assertDown(":1\r\n", "not a Redis answer to PING");
    }

    private static void assertDown(String answer, String reason) throws Exception {
        ProbeResult result = answering(answer);

        assertThat(result.text()).isEqualTo(reason);
        assertThat(result.ok()).isFalse();
    }

    private static ProbeResult answering(String answer) throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> {
            connection.readExactly(PING.length());
            connection.send(answer.getBytes(StandardCharsets.US_ASCII)).awaitClose();
        })) {
            return CheckRun.of(backend.address(), redis());
        }
    }

    private static HealthCheck redis() {
        return new HealthCheck.Redis(CheckTls.OF_POOL);
    }
}
