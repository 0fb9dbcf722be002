package io.ballast.http.check;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.CheckTls;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.ScriptedConnection;
import io.ballast.http.testing.TestBackend;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Tests checks of type {@code mysql} without TLS. */
class MysqlCheckTest {

    private static final HealthCheck CHECK = new HealthCheck.Mysql("monitor", CheckTls.NEVER);
    private static final String OK = "\0\0\0\2\0\0\0";

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    @Test
    void logsInWithoutPasswordAndQuits() throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> {
            byte[] greeting = packet(0, greeting("caching_sha2_password"));
            for (byte each : greeting) {
                connection.send(new byte[] {each});
            }
            received.add(read(connection));
            connection.send(packet(2, OK));
            received.add(read(connection));
            connection.finishSending();
            received.add("end " + connection.readToEnd().length);
        })) {
            ProbeResult result = CheckRun.of(backend.address(), CHECK, () -> {
                assertThat(received.take())
                        .startsWith("1: ")
                        .endsWith("\41" + "\0".repeat(23) + "monitor\0\0caching_sha2_password\0");
                assertThat(received.take()).isEqualTo("0: \1");
                assertThat(received.take()).as("no reset").isEqualTo("end 0");
            });

            assertThat(result.text()).isEqualTo("logged in");
            assertThat(result.ok()).isTrue();
        }
    }

    @Test
    void followsAuthenticationSwitch() throws Exception {
        ProbeResult result = check(connection -> {
            connection.send(packet(0, greeting("mysql_native_password")));
            received.add(read(connection));
            connection.send(packet(2, "\u00fecaching_sha2_password\0" + "x".repeat(20) + "\0"));
            received.add(read(connection));
            connection.send(packet(4, "\1\3")).send(packet(5, OK)).awaitClose();
        });

        assertThat(result.text()).isEqualTo("logged in");
        received.take();
        assertThat(received.take()).isEqualTo("3: \0");
    }

    @Test
    void acceptsServerWithoutPluginName() throws Exception {
        ProbeResult result = check(connection -> {
            connection.send(packet(0, "\n5.5\0" + "1234" + "12345678" + "\0" + "\377\367"));
            received.add(read(connection));
            connection.send(packet(2, OK)).awaitClose();
        });

        assertThat(result.text()).isEqualTo("logged in");
        assertThat(received.take()).endsWith("monitor\0\0mysql_native_password\0");
    }

    @Test
    void loginErrorsAreDownAndQuoted() throws Exception {
        assertThat(check(connection -> connection
                                .send(packet(0, "\377\20\4Too many connections"))
                                .awaitClose())
                        .text())
                .isEqualTo("Too many connections (1040)");
        assertDown("\377\25\4#28000Access denied for user 'monitor'", "Access denied for user 'monitor' (1045)");
        assertDown("\1\4", "the account requires a password, or a plugin that needs one");
        assertDown("\376", "the account requires a password, or a plugin that needs one");
        assertDown("\377", "not a MySQL greeting");
        assertDown("\3", "the account requires a password, or a plugin that needs one");
    }

    @Test
    void authenticationSwitchesAreLimited() throws Exception {
        ProbeResult result = check(connection -> {
            connection.send(packet(0, greeting("a")));
            for (int i = 2; ; i += 2) {
                read(connection);
                connection.send(packet(i, "\376b\0"));
            }
        });

        assertThat(result.text()).isEqualTo("the account requires a password, or a plugin that needs one");
    }

    private void assertDown(String answer, String reason) throws Exception {
        ProbeResult result = check(connection -> {
            connection.send(packet(0, greeting("mysql_native_password")));
            read(connection);
            connection.send(packet(2, answer)).awaitClose();
        });

        assertThat(result.text()).isEqualTo(reason);
        assertThat(result.ok()).isFalse();
    }

    private static ProbeResult check(Script script) throws Exception {
        try (TestBackend backend = TestBackend.accepting(script)) {
            return CheckRun.of(backend.address(), CHECK);
        }
    }

    /** Returns the packet number and body. */
    static String read(ScriptedConnection connection) throws IOException {
        byte[] head = connection.readExactly(4);
        int length = (head[0] & 0xFF) | (head[1] & 0xFF) << 8 | (head[2] & 0xFF) << 16;
        return head[3] + ": " + new String(connection.readExactly(length), ISO_8859_1);
    }

    static byte[] packet(int number, String body) {
        String head =
                new String(new char[] {(char) (body.length() & 0xFF), (char) (body.length() >> 8), 0, (char) number});
        return (head + body).getBytes(ISO_8859_1);
    }

    /** A greeting with all capabilities. */
    static String greeting(String plugin) {
        return "\n8.4.3\0" + "1234" + "12345678" + "\0" + "\377\377" + "\41" + "\2\0" + "\377\377" + "\25"
                + "\0".repeat(10) + "123456789012\0" + plugin + "\0";
    }
}
