package io.ballast.http.check;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.ScriptedConnection;
import io.ballast.http.testing.TestBackend;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests checks of databases that negotiate TLS in their protocol. */
class NegotiatedTlsTest {

    private static final TestCertificate CERTIFICATE = TestCertificate.create();
    private static final String SSL_REQUEST = "0000000804d2162f";
    private static final String OK = "\0\0\0\2\0\0\0";

    /** A client's TLS request: capabilities with CLIENT_SSL, maximum packet size, character set, and zeros. */
    private static final String MYSQL_SSL_REQUEST = "1: \1\252\10\0" + "\0\0\0\1" + "\41" + "\0".repeat(23);

    @Test
    void postgresRequestsTlsFirst() throws Exception {
        ProbeResult result = postgres(connection -> {
            assertSslRequest(connection);
            connection.send("S");
            ScriptedConnection secured = connection.secure(CERTIFICATE.server());
            assertThat(PostgresCheckTest.startup(secured)).contains("user\0app\0");
            secured.send(PostgresCheckTest.authentication(10, "SCRAM-SHA-256\0\0"));
            assertThat(secured.readToEnd()).isEmpty();
        });

        assertThat(result.text()).isEqualTo("the backend responds, and requires a password");
        assertThat(result.ok()).isTrue();
    }

    @Test
    void postgresWithoutTlsIsDown() throws Exception {
        assertThat(postgres(connection -> {
                            assertSslRequest(connection);
                            connection.send("N").awaitClose();
                        })
                        .text())
                .isEqualTo("the backend does not support TLS");
    }

    /** CVE-2021-23222: data before the handshake may come from an attacker. */
    @Test
    void bytesBeforeHandshakeAreRejected() throws Exception {
        assertThat(postgres(connection -> {
                            assertSslRequest(connection);
                            connection.send("SR\0\0\0\10\0\0\0\12").awaitClose();
                        })
                        .text())
                .isEqualTo("not a PostgreSQL answer");
        byte[] injected = (new String(MysqlCheckTest.packet(0, MysqlCheckTest.greeting("x")), ISO_8859_1)
                        + new String(MysqlCheckTest.packet(2, OK), ISO_8859_1))
                .getBytes(ISO_8859_1);
        assertThat(mysql(connection -> connection.send(injected).awaitClose()).text())
                .isEqualTo("not a MySQL greeting");
    }

    @Test
    void mysqlSwitchesToTlsAfterGreeting() throws Exception {
        ProbeResult result = mysql(connection -> {
            connection.send(MysqlCheckTest.packet(0, MysqlCheckTest.greeting("caching_sha2_password")));
            assertThat(MysqlCheckTest.read(connection)).isEqualTo(MYSQL_SSL_REQUEST);
            ScriptedConnection secured = connection.secure(CERTIFICATE.server());
            assertThat(MysqlCheckTest.read(secured)).startsWith("2: ").contains("monitor\0\0caching_sha2_password");
            secured.send(MysqlCheckTest.packet(3, OK));
            assertThat(MysqlCheckTest.read(secured)).isEqualTo("0: \1");
            secured.close();
        });

        assertThat(result.text()).isEqualTo("logged in");
        assertThat(result.ok()).isTrue();
    }

    @Test
    void mysqlWithoutTlsIsDown() throws Exception {
        String greeting = MysqlCheckTest.greeting("x").replaceFirst("\377\377", "\377\367");

        assertThat(mysql(connection -> connection
                                .send(MysqlCheckTest.packet(0, greeting))
                                .awaitClose())
                        .text())
                .isEqualTo("the backend does not support TLS");
    }

    private static void assertSslRequest(ScriptedConnection connection) throws IOException {
        assertThat(HexFormat.of().formatHex(connection.readExactly(8))).isEqualTo(SSL_REQUEST);
    }

    private static ProbeResult postgres(Script script) throws Exception {
        try (TestBackend backend = TestBackend.accepting(script)) {
            return CheckRun.secured(
                    backend.address(),
                    tls -> new HealthCheck.Postgres("app", "shop", tls),
                    UnaryOperator.identity(),
                    () -> {});
        }
    }

    private static ProbeResult mysql(Script script) throws Exception {
        try (TestBackend backend = TestBackend.accepting(script)) {
            return CheckRun.secured(
                    backend.address(),
                    tls -> new HealthCheck.Mysql("monitor", tls),
                    UnaryOperator.identity(),
                    () -> {});
        }
    }
}
