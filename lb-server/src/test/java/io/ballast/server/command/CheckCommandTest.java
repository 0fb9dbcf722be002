package io.ballast.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.dnssec.key.KeyAlgorithm;
import io.ballast.dns.dnssec.key.KeyDirectory;
import io.ballast.dns.dnssec.key.ZoneKeySet;
import io.ballast.net.testing.TestCertificate;
import io.ballast.net.testing.TestCertificate.RareKey;
import io.ballast.server.Main;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CheckCommandTest {

    private static final String GOOD = "port: 8000\nbackends: [localhost:8080]\n";
    private static final String BAD = "prot: 8000\nbackends: []\n";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @Test
    void validFilePrintsOneLine() throws IOException {
        Path file = file(GOOD);

        int exitCode = check(file.toString());

        assertThat(exitCode).isZero();
        assertThat(out).hasToString(file + ": OK, 1 listener, 1 pool, 1 backend" + System.lineSeparator());
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void expiringCertificateIsWarning() throws IOException {
        var soon = TestCertificate.lasting(Duration.ofHours(31).plusMinutes(30), "soon.example")
                .write(directory, "soon");
        var later =
                TestCertificate.lasting(Duration.ofDays(20), "later.example").write(directory, "later");
        String text = """
                listeners:
                  - bind: 127.0.0.1:8443
                    pool: web
                    tls: {certificates: [{certificate: %s, key: %s}, {certificate: %s, key: %s}]}
                pools: {web: {backends: ["127.0.0.1:8080"]}}
                """.formatted(later.certificate(), later.key(), soon.certificate(), soon.key());
        Path file = file(text);

        int exitCode = check(file.toString());

        assertThat(exitCode).isZero();
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith(file + ": warning: listeners[0].tls: the certificate " + soon.certificate()
                        + " expires in 31 hours, at ");

        Path longer = file(text + "dashboard: {certificate_warning: 30d}\n");
        check(longer.toString());
        assertThat(err.toString()).contains("the certificate " + later.certificate() + " expires in 19 days");
    }

    @Test
    void aFileIsCheckedWithTheKeysOfANode() throws IOException {
        Path file = file("""
                nodes: {n2: {grace: soon}}
                listeners: [{bind: "127.0.0.1:0", pool: web}]
                pools: {web: {backends: ["127.0.0.1:8080"]}}
                """);

        assertThat(check(file.toString())).isZero();
        assertThat(check(file.toString(), "--node", "n1")).isZero();
        assertThat(check(file.toString(), "--node", "n2")).isEqualTo(2);

        assertThat(err.toString()).contains(file + ":1:21: nodes.n2.grace: 'soon'");
    }

    @Test
    void rejectedListLinesAreReported() throws IOException {
        Path list =
                Files.writeString(directory.resolve("ads.txt"), "||ads.example^\n@@||shop.example^$client=x\n||com^\n");
        Path file = file("""
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  forward: {pool: web, filter: {lists: [{name: ads, file: %s}]}}
                pools: {web: {backends: ["127.0.0.1:53"]}}
                """.formatted(list));

        int exitCode = check(file.toString());

        assertThat(exitCode).isZero();
        assertThat(out.toString()).contains(": OK");
        assertThat(err.toString().lines())
                .satisfiesExactly(
                        refused -> assertThat(refused)
                                .startsWith(file
                                        + ": warning: dns.forward.filter: list ads: 1 line rejected and ignored:"
                                        + " line 2: @@||shop.example^$client=x (expected: "),
                        broad -> assertThat(broad)
                                .isEqualTo(file
                                        + ": warning: dns.forward.filter: list ads: 1 rule for a whole top-level domain or"
                                        + " more, applied as written: line 3: ||com^ applies to every name below com"));
    }

    @Test
    void invalidFilePrintsAllProblemsAndExitsWith2() throws IOException {
        Path file = file(BAD);

        int exitCode = check(file.toString());

        assertThat(exitCode).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .containsExactly(
                        file + ":1:1: unknown key 'prot', did you mean 'port'?",
                        file + ":1:1: missing key 'port'",
                        file + ":2:11: backends: an empty list (expected: at least one item)");
    }

    @Test
    void expiredCertificateIsWarningUnlessStrict() throws IOException {
        TestCertificate.expired().write(directory, "old");
        Path file = file("""
                listeners:
                  - {bind: "127.0.0.1:0", pool: web, tls: {certificate: old.crt, key: old.key}}
                pools:
                  web:
                    backends: ["127.0.0.1:1"]
                    tls: {ca: old.crt, certificate: old.crt, key: old.key}
                """);
        String expired = "old.crt: the certificate expired at 1970-01-02T00:00:00Z";

        assertThat(check(file.toString())).isZero();
        assertThat(err.toString().lines())
                .containsExactly(
                        file + ": warning: listeners[0].tls: " + directory.resolve(expired),
                        file + ": warning: pools.web.tls: " + directory.resolve(expired));
        assertThat(out.toString()).contains(": OK,");

        assertThat(check("--strict", file.toString())).isEqualTo(2);
        assertThat(check("--strict", file(GOOD).toString())).isZero();
    }

    @Test
    void keyTypesWithJdkTlsAreNoted() throws IOException {
        TestCertificate.create(RareKey.P521).write(directory, "rare");
        TestCertificate.create().write(directory, "own");
        Path file = file("""
                listeners:
                  - {bind: "127.0.0.1:0", pool: web, tls: {certificate: own.crt, key: own.key, client_certificate: {mode: required, ca: rare.crt}}}
                pools:
                  web: {backends: ["127.0.0.1:1"], tls: {ca: rare.crt}}
                """);
        String java = ".tls: Java's TLS is used instead of BoringSSL: a CA certificate for ";
        String key = " in " + directory.resolve("rare.crt") + " has an Ed25519 or P-521 key";

        assertThat(check(file.toString())).isZero();
        assertThat(err.toString().lines().filter(line -> line.contains(": note: ")))
                .containsExactly(
                        file + ": note: listeners[0]" + java + "client certificates" + key,
                        file + ": note: pools.web" + java + "backends" + key);
    }

    @Test
    void readsSecretsOfKeys() throws IOException {
        Path secret = directory.resolve("secret");
        Path file = file("""
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  keys: {transfer: {secret_file: secret}}
                  zones: [{name: example.com, transfer: {keys: transfer}}]
                """);

        assertThat(check(file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains(file + ": dns.keys.transfer: ").contains(secret.toString());

        Files.writeString(secret, "no secret, and never shown\n");
        assertThat(check(file.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains("(expected: Base64 of 16 to 512 bytes)")
                .doesNotContain("never shown");

        Files.writeString(secret, "c2VjcmV0IG9mIDMyIG9jdGV0cyBpbiB0aGlzIHRlc3Q=\n");
        assertThat(check(file.toString())).isZero();
    }

    @Test
    void checksStandardInput() {
        assertThat(checkInput(GOOD)).isZero();
        assertThat(out).hasToString("<stdin>: OK, 1 listener, 1 pool, 1 backend" + System.lineSeparator());

        assertThat(checkInput(BAD)).isEqualTo(2);
        assertThat(err.toString().lines()).contains("<stdin>:1:1: unknown key 'prot', did you mean 'port'?");
    }

    @Test
    void standardInputUsesWorkingDirectory() {
        String text = """
                listeners: [{bind: "127.0.0.1:0", pool: web}]
                pools: {web: {backends: ["127.0.0.1:80"]}}
                geo: {database: none.mmdb, regions: {eu: {continents: [EU]}}, default_region: eu}
                """;

        assertThat(checkInput(text)).isEqualTo(2);
        assertThat(checkInput("include: [none.yaml]\n")).isEqualTo(2);

        assertThat(err.toString())
                .contains("<stdin>: geo.database: " + Path.of("none.mmdb").toAbsolutePath() + ": does not exist")
                .contains("<stdin>:1:11: none.yaml does not exist");
    }

    private int checkInput(String text) {
        ByteArrayInputStream input = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        CommandLine line = new CommandLine(new CheckCommand(input));
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute("-");
    }

    @Test
    void opensFilesOfServer() throws IOException {
        Path file = file("""
                dns:
                  listeners: [{bind: 127.0.0.1:53}, {bind: 127.0.0.1:853, protocol: dot, tls: {certificate: a.crt, key: a.key}}]
                  zones: [{name: example.com}]
                geo: {database: a.mmdb, regions: {eu: {continents: [EU]}}, default_region: eu}
                """);

        int exitCode = check(file.toString());

        assertThat(exitCode).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .containsExactly(
                        file + ": dns.listeners[1].tls: " + directory.resolve("a.crt") + ": no such file",
                        file + ": geo.database: " + directory.resolve("a.mmdb") + ": does not exist");
    }

    @Test
    void opensCertificatesOfListenersAndPools() throws IOException {
        TestCertificate.create().write(directory, "good");
        TestCertificate.expired().write(directory, "old");
        String listeners = """
                listeners:
                  - {bind: 127.0.0.1:8443, tls: {certificate: good.crt, key: good.key}, pool: web}
                  - {bind: 127.0.0.1:8444, tls: {certificate: %s.crt, key: %s.key}, pool: web}
                pools:
                  web:
                    backends: [10.0.0.1:8443]
                    tls: {ca: %s}
                """;

        assertThat(check(file(listeners.formatted("good", "good", "good.crt")).toString()))
                .isZero();
        Path bad = file(listeners.formatted("old", "good", "missing.pem"));
        assertThat(check(bad.toString())).isEqualTo(2);

        assertThat(err.toString().lines().filter(line -> !line.contains(": warning: ")))
                .containsExactly(
                        bad + ": listeners[1].tls: " + directory.resolve("good.key")
                                + ": the key does not match the first certificate in " + directory.resolve("old.crt"),
                        bad + ": pools.web.tls: " + directory.resolve("missing.pem") + ": no such file");
    }

    @Test
    void zoneFileProblemsHavePlaces() throws IOException {
        Path zone = Files.writeString(directory.resolve("example.zone"), """
                $TTL 300
                @ SOA ns1 host 1 7200 3600 1209600 60
                  NS  ns1
                ns1 A 192.0.2.300
                mx  MX \\# 1 00
                """);

        int exitCode = check(file(withZone(zone)).toString());

        assertThat(exitCode).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .containsExactly(
                        zone + ":4:7: A record: invalid address: 192.0.2.300",
                        zone + ":5:8: MX record: invalid length or format of the data (end of input)");
    }

    @Test
    void zoneFileWarningsDoNotFail() throws IOException {
        Path zone = Files.writeString(directory.resolve("example.zone"), """
                $TTL 300
                @ SOA ns1 host 1 7200 3600 1209600 60
                  NS  ns1
                ns1 A 192.0.2.1
                @   MX 10 mail
                mail CNAME ns1
                """);

        int exitCode = check(file(withZone(zone)).toString());

        assertThat(exitCode).isZero();
        assertThat(out.toString()).contains("OK");
        assertThat(err)
                .hasToString(zone + ":5:1: warning: example.com.: MX record to mail.example.com., which is an alias"
                        + " (expected: a name with addresses, RFC 2181 section 10.3)" + System.lineSeparator());
    }

    private static String withZone(Path zone) {
        return "dns: {listeners: [{bind: 127.0.0.1:53}], zones: [{name: example.com, file: " + zone + "}]}\n";
    }

    @Test
    void opensPrivateKeysOfSignedZones() throws IOException {
        Path data = directory.resolve("data");
        Path file = file("data_dir: " + data + "\n" + """
                dns:
                  listeners: [{bind: 127.0.0.1:53}]
                  zones: [{name: plain.example}, {name: signed.example, dnssec: true}]
                """);
        KeyDirectory keys = new KeyDirectory(data, "signed.example");
        assertThat(check(file.toString())).isZero();
        assertThat(keys.path()).as("nothing is made by a check").doesNotExist();
        ZoneKeySet.loadOrCreate(Instant.now(), keys, KeyAlgorithm.ECDSAP256SHA256);
        assertThat(check(file.toString())).isZero();
        Path broken = keys.load().get(0).file();
        Files.writeString(broken, "");

        int exitCode = check(file.toString());

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString())
                .contains(file + ": dns.zones[1].dnssec: " + broken + ": line 'Private-key-format:' is missing");
    }

    @Test
    void aClusterThatSignsZonesOrOrdersCertificatesNeedsASecretKey() throws Exception {
        String files = directory.toString();
        assertThat(Main.commandLine().execute("cluster", "init", "edge", "--directory", files))
                .isZero();
        assertThat(Main.commandLine().execute("cluster", "cert", "n1", "--directory", files))
                .isZero();
        String text = """
                data_dir: %1$s/data
                cluster:
                  name: edge
                  bind: 127.0.0.1:7946
                  voters: [n1]
                  tls: {certificate: %1$s/n1.crt, key: %1$s/n1.key, ca: %1$s/ca.crt}
                dns:
                  listeners: [{bind: 127.0.0.1:53}]
                  zones: [{name: signed.example, dnssec: true}]
                acme: {}
                listeners:
                  - {bind: "127.0.0.1:80", redirect: https}
                  - bind: 127.0.0.1:443
                    name: secure
                    protocol: https
                    tls: {acme: [shop.example.com]}
                    routes: [{respond: {status: 200, body: served}}]
                """.formatted(directory);
        assertThat(check(file(text).toString())).isZero();
        assertThat(err.toString())
                .contains("cluster.secret_key: missing", "signed.example", "orders its own certificates by ACME");

        err.getBuffer().setLength(0);
        String withKey = text.replace("  voters:", "  secret_key: " + "ab".repeat(32) + "\n  voters:");
        assertThat(check(file(withKey).toString())).isZero();
        assertThat(err.toString()).doesNotContain("secret_key");
    }

    @Test
    void errorNamesMissingFile() {
        Path file = directory.resolve("absent.yaml");

        int exitCode = check(file.toString());

        assertThat(exitCode).isEqualTo(2);
        assertThat(err).hasToString(file + ": does not exist" + System.lineSeparator());
    }

    @Test
    void warningsGoToStandardError() throws IOException {
        Path file = file(GOOD + "logging: {level: info}\n");

        int exitCode = check(file.toString());

        assertThat(exitCode).isZero();
        assertThat(out.toString()).contains("OK");
        assertThat(err)
                .hasToString(
                        file + ":3:10: warning: logging: ignored: see log of the long form" + System.lineSeparator());
    }

    @Test
    void namesMissingFilterList() throws IOException {
        Path file = file("""
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  forward: {pool: resolvers, clients: [127.0.0.0/8], filter: {lists: [{name: ads, file: ads.txt}]}}
                pools: {resolvers: {backends: ["127.0.0.1:1"]}}
                """);

        assertThat(check(file.toString())).isNotZero();
        assertThat(err.toString())
                .contains("dns.forward.filter")
                .contains("list ads")
                .contains("ads.txt");
    }

    @Test
    void explainHidesSecretsByDefault() throws IOException {
        Path file = file("""
                dns:
                  listeners: [{bind: "127.0.0.1:5353"}]
                  keys: {transfer: {algorithm: hmac-sha256, secret: "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"}}
                  zones: [{name: example.com}]
                """);

        assertThat(check("--explain", file.toString())).as(err.toString()).isZero();
        assertThat(out.toString()).contains("transfer:", "hmac-sha256").doesNotContain("c2VjcmV0");

        check("--explain", "--show-secrets", file.toString());
        assertThat(out.toString()).contains("c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0");
    }

    @Test
    void explainPrintsValidConfiguration() throws IOException {
        check("--explain", "--show-secrets", file(GOOD).toString());
        Path explained = file(out.toString());

        int exitCode = check(explained.toString());

        assertThat(exitCode).isZero();
        assertThat(Files.readString(explained)).contains("health:", "type: tcp", "grace: 30s");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("lb.yaml"), text);
    }

    private int check(String... arguments) {
        CommandLine command = Main.commandLine()
                .setOut(new PrintWriter(out, /* autoFlush= */ true))
                .setErr(new PrintWriter(err, /* autoFlush= */ true));
        String[] all = new String[arguments.length + 1];
        all[0] = "check";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return command.execute(all);
    }
}
