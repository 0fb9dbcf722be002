package io.ballast.http.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.CheckTls;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.ScriptedConnection;
import io.ballast.http.testing.TestBackend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Tests checks of type {@code postgres} without TLS. */
class PostgresCheckTest {

    private static final HealthCheck CHECK = new HealthCheck.Postgres("app", "shop", CheckTls.NEVER);
    private static final int AUTHENTICATED = 0;
    private static final int SASL = 10;

    @Test
    void passwordRequestIsUpAndConnectionClosesCleanly() throws Exception {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        try (TestBackend backend = TestBackend.accepting(connection -> {
            received.add(startup(connection));
            byte[] answer = authentication(SASL, "SCRAM-SHA-256\0\0");
            for (byte each : answer) {
                connection.send(new byte[] {each});
            }
            received.add("end " + connection.readToEnd().length);
        })) {
            ProbeResult result = CheckRun.of(backend.address(), CHECK, () -> {
                assertThat(received.take())
                        .isEqualTo("\0\3\0\0user\0app\0database\0shop\0application_name\0ballast-health-check\0\0");
                assertThat(received.take())
                        .as("nothing is said, as by clients that ask their user")
                        .isEqualTo("end 0");
            });

            assertThat(result.text()).isEqualTo("the backend responds, and requires a password");
            assertThat(result.ok()).isTrue();
        }
    }

    @Test
    void startedSessionIsTerminated() throws Exception {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        try (TestBackend backend = TestBackend.accepting(connection -> {
            startup(connection);
            connection
                    .send(authentication(AUTHENTICATED, ""))
                    .send(message('S', "server_version\00017\0"))
                    .send(message('K', "12345678"))
                    .send(message('Z', "I"));
            received.add(new String(connection.readToEnd(), StandardCharsets.ISO_8859_1));
        })) {
            ProbeResult result = CheckRun.of(
                    backend.address(), CHECK, () -> assertThat(received.take()).isEqualTo("X\0\0\0\4"));

            assertThat(result.text()).isEqualTo("ready for queries");
            assertThat(result.ok()).isTrue();
        }
    }

    @Test
    void errorsAreDownAndQuoted() throws Exception {
        assertDown(
                message('E', "SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0"),
                "the database system is starting up (57P03)");
        assertDown(message('E', "\0"), "error without a text");
        assertDown(message('E', "Munterminated"), "error without a text");
        assertDown(message('R', "x"), "not a PostgreSQL answer");
        assertDown(message('D', "rows"), "not a PostgreSQL answer");
        assertDown(new byte[] {'R', 0, 0, 0, 3}, "not a PostgreSQL answer");
        assertDown(new byte[] {'R', (byte) 0xff, 0, 0, 3}, "not a PostgreSQL answer");
    }

    private static void assertDown(byte[] answer, String reason) throws Exception {
        Script script = connection -> {
            startup(connection);
            connection.send(answer).awaitClose();
        };
        try (TestBackend backend = TestBackend.accepting(script)) {
            ProbeResult result = CheckRun.of(backend.address(), CHECK);

            assertThat(result.text()).isEqualTo(reason);
            assertThat(result.ok()).isFalse();
        }
    }

    /** Returns the parameters of a startup message. */
    static String startup(ScriptedConnection connection) throws IOException {
        int length = ByteBuffer.wrap(connection.readExactly(Integer.BYTES)).getInt();
        return new String(connection.readExactly(length - Integer.BYTES), StandardCharsets.ISO_8859_1);
    }

    static byte[] authentication(int code, String rest) {
        return message('R', new String(new char[] {0, 0, 0, (char) code}) + rest);
    }

    static byte[] message(char type, String body) {
        ByteBuffer message = ByteBuffer.allocate(1 + Integer.BYTES + body.length());
        message.put((byte) type).putInt(Integer.BYTES + body.length());
        return message.put(body.getBytes(StandardCharsets.ISO_8859_1)).array();
    }
}
