package io.ballast.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.load.ConfigLoader;
import io.ballast.dashboard.access.Secrets;
import io.ballast.dashboard.config.PasswordHash;
import io.ballast.net.testing.TestCertificate;
import io.ballast.server.Main;
import io.ballast.server.compose.Balancer;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests commands that create credentials, and commands that show them. */
class AccessCommandsTest {

    private static final String TOKEN = Secrets.generateToken();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @Test
    void passwordsAreReadFromStandardInputAndHashed() {
        assertThat(withInput("correct horse\n", "password")).isZero();

        String hash = out.toString().trim();
        assertThat(new PasswordHash(hash).cost()).isEqualTo(Secrets.BCRYPT_COST);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void rejectsShortPasswords() {
        assertThat(withInput("short\n", "password")).isEqualTo(1);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .startsWith("lb: password: 5 bytes (expected: ")
                .doesNotContain("short");
    }

    @Test
    void tokensArePrintedWithHash() {
        assertThat(execute("token")).isZero();

        String[] lines = out.toString().split("\\R");
        String token = lines[0].replace("token: ", "");
        assertThat(token).hasSizeGreaterThan(40);
        assertThat(lines[1]).isEqualTo("token_hash: " + Secrets.hashToken(token));
    }

    @Test
    void commandsNeedToken() throws Exception {
        Path file = config("");
        Path token = Files.writeString(directory.resolve("token"), TOKEN + "\n");
        try (Balancer balancer = start(file)) {
            String url = "http://127.0.0.1:" + port(balancer);

            assertThat(execute("backends", "drain", "web", "127.0.0.1:1", "--api", url, "--yes"))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("authentication required: log in or send a valid bearer token");
            assertThat(execute("backends", "--api", url)).isEqualTo(2);
            assertThat(execute("top", "--once", "--api", url)).isEqualTo(2);
            assertThat(execute("status", "--api", url)).isEqualTo(2);
            assertThat(execute("reload", "--api", url)).isEqualTo(2);
            assertThat(out.toString()).isEmpty();

            assertThat(execute(
                            "backends",
                            "drain",
                            "web",
                            "127.0.0.1:1",
                            "--api",
                            url,
                            "--yes",
                            "--token-file",
                            token.toString()))
                    .isZero();
            assertThat(balancer.control().timeline().recent())
                    .anySatisfy(event -> assertThat(event.text()).contains("ci for "));

            assertThat(execute("reload", "--api", url, "--token-file", token.toString()))
                    .isEqualTo(2);
            assertThat(out.toString()).contains("refused");
        }
    }

    @Test
    void requiresTrustedCertificate() throws Exception {
        TestCertificate certificate = TestCertificate.create();
        certificate.write(directory);
        Path file = config("  tls: {certificate: server.crt, key: server.key}\n");
        Path token = Files.writeString(directory.resolve("token"), TOKEN);
        try (Balancer balancer = start(file)) {
            String url = "https://127.0.0.1:" + port(balancer);

            assertThat(execute("backends", "--api", url, "--token-file", token.toString()))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("see --ca");

            String ca = directory.resolve("server.crt").toString();
            assertThat(execute("backends", "--api", url, "--token-file", token.toString(), "--ca", ca))
                    .isZero();
            assertThat(out.toString()).contains("127.0.0.1:1");
        }
    }

    @Test
    void invalidTokenIsNotPrinted() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "secret with blanks\n");

        assertThat(execute("backends", "--api", "http://127.0.0.1:1", "--token-file", token.toString()))
                .isEqualTo(1);

        assertThat(err.toString()).contains("token: ").doesNotContain("secret");
    }

    @Test
    void restartReadsOnlyDataDirectoryOfFile() throws Exception {
        Path file = config("  hosts: [\"${BALLAST_TEST_ABSENT}\"]\n");

        assertThat(execute("restart", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("BALLAST_TEST_ABSENT");
        assertThat(execute("restart", file.toString(), "--data-dir", directory.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains(directory + "/control.sock: ", "expected: a running balancer");
    }

    private Path config(String more) throws Exception {
        return Files.writeString(
                directory.resolve("config.yaml"),
                """
                listeners: [{bind: "127.0.0.1:0", pool: web}]
                pools:
                  web: {backends: ["127.0.0.1:1"], health: {type: none}}
                data_dir: %s
                dashboard:
                  bind: 127.0.0.1:0
                  tokens: [{name: ci, token_hash: %s, role: operator}]
                """.formatted(directory.resolve("data"), Secrets.hashToken(TOKEN)) + more);
    }

    private static Balancer start(Path file) throws Exception {
        return Balancer.start(ConfigLoader.ofProcess().load(file).config());
    }

    private static int port(Balancer balancer) {
        return balancer.dashboardAddress().orElseThrow().getPort();
    }

    private int withInput(String input, String... args) {
        InputStream former = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            return execute(args);
        } finally {
            System.setIn(former);
        }
    }

    private int execute(String... args) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }
}
