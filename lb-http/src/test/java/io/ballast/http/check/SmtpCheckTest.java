package io.ballast.http.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.CheckTls;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.ScriptedConnection;
import io.ballast.http.testing.TestBackend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Tests checks of type {@code smtp}. */
class SmtpCheckTest {

    private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();

    @Test
    void acceptsMultilineGreetingThenEhloAndQuit() throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> {
            connection.send("220-mx.example ESMTP\r\n220 rea").send("dy\r\n");
            command(connection);
            connection.send("250-mx.example\r\n250-PIPELINING\r\n250 8BITMIME\r\n");
            command(connection);
            connection.send("221 Bye\r\n").finishSending();
            commands.add("end " + connection.readToEnd().length);
        })) {
            ProbeResult result = CheckRun.of(backend.address(), smtp("lb.example"), () -> {
                assertThat(commands.take()).isEqualTo("EHLO lb.example");
                assertThat(commands.take()).isEqualTo("QUIT");
                assertThat(commands.take()).as("no reset").isEqualTo("end 0");
            });

            assertThat(result.text()).isEqualTo("250 8BITMIME");
            assertThat(result.ok()).isTrue();
        }
    }

    @Test
    void usesHeloWithoutExtensions() throws Exception {
        ProbeResult result = check(connection -> {
            connection.send("220 old\r\n");
            command(connection);
            connection.send("502 what?\r\n");
            command(connection);
            connection.send("250 hello\r\n");
            command(connection);
            connection.send("221\r\n").close();
        });

        assertThat(result.text()).isEqualTo("250 hello");
        assertThat(commands).startsWith("EHLO localhost", "HELO localhost");
    }

    @Test
    void rejectionsAreDownAndQuoted() throws Exception {
        assertDown(connection -> connection.send("554 no service here\r\n").awaitClose(), "554 no service here");
        assertDown(connection -> connection.send("421 try later\r\n").awaitClose(), "421 try later");
        assertDown(
                connection -> {
                    connection.send("220 ready\r\n");
                    command(connection);
                    connection.send("421 too busy\r\n").awaitClose();
                },
                "421 too busy");
        assertDown(
                connection -> {
                    connection.send("220 ready\r\n");
                    command(connection);
                    connection.send("550 no\r\n");
                    command(connection);
                    connection.send("550 not by HELO either\r\n").awaitClose();
                },
                "550 not by HELO either");
        assertDown(connection -> connection.send("22O ready\r\n").awaitClose(), "not an SMTP reply");
    }

    private void command(ScriptedConnection connection) throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.indexOf("\r\n") < 0) {
            line.append(new String(connection.readExactly(1), StandardCharsets.ISO_8859_1));
        }
        commands.add(line.substring(0, line.length() - 2));
    }

    private static void assertDown(Script script, String reason) throws Exception {
        ProbeResult result = check(script);

        assertThat(result.text()).isEqualTo(reason);
        assertThat(result.ok()).isFalse();
    }

    private static ProbeResult check(Script script) throws Exception {
        try (TestBackend backend = TestBackend.accepting(script)) {
            return CheckRun.of(backend.address(), smtp("localhost"));
        }
    }

    private static HealthCheck smtp(String host) {
        return new HealthCheck.Smtp(host, CheckTls.OF_POOL);
    }
}
