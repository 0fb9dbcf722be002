package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.load.ConfigLoader;
import io.ballast.core.config.TlsFiles;
import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.net.testing.FreePort;
import io.ballast.net.testing.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a balancer that queries resolvers over TLS, with the TLS settings of their pool. */
class EncryptedUpstreamsTest {

    private static final List<Path> UNBOUND = List.of(Path.of("/usr/sbin/unbound"), Path.of("/usr/local/sbin/unbound"));

    private final TestCertificate certificate = TestCertificate.create();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"dot,0", "doh,1"})
    void usesTlsOfPoolAndFollowsReloads(String protocol, int listener) throws Exception {
        TlsFiles files = certificate.write(directory);
        TlsFiles others = TestCertificate.create().write(directory, "other");
        String server = """
                dns:
                  listeners:
                    - {bind: "127.0.0.1:0", protocol: dot, tls: {certificate: CRT, key: KEY}}
                    - {bind: "127.0.0.1:0", protocol: doh, tls: {certificate: CRT, key: KEY}}
                  zones: [{name: example.org, services: [{name: www, pool: web}]}]
                pools: {web: {backends: ["192.0.2.1:80"], health: {type: none}}}
                dashboard: {bind: "127.0.0.1:0"}
                """.replace("CRT", text(files.certificate())).replace("KEY", text(files.key()));
        try (StartedBalancer upstream = StartedBalancer.start(Files.createDirectory(directory.resolve("up")), server)) {
            int port = upstream.balancer()
                    .dns()
                    .orElseThrow()
                    .addresses()
                    .get(listener)
                    .getPort();
            String trusting = config(protocol, port, files);
            try (StartedBalancer balancer = StartedBalancer.start(directory, trusting)) {
                assertThat(balancer.dnsAnswers()).containsExactly("192.0.2.1");

                assertThat(balancer.reload(config(protocol, port, others)).outcome())
                        .isEqualTo(Outcome.APPLIED);
                assertThat(balancer.dnsAnswers()).isEmpty();

                assertThat(balancer.reload(trusting).outcome()).isEqualTo(Outcome.APPLIED);
                assertThat(balancer.dnsAnswers()).containsExactly("192.0.2.1");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dot", "doh"})
    void forwardsToUnbound(String protocol) throws Exception {
        Path unbound = UNBOUND.stream().filter(Files::isExecutable).findFirst().orElse(null);
        Assumptions.assumeTrue(unbound != null, "unbound is not installed");
        TlsFiles files = certificate.write(directory);
        int port = FreePort.find();
        Path file = Files.writeString(
                directory.resolve("unbound.conf"), """
                server:
                  interface: 127.0.0.1@PORT
                  PROTOCOL-port: PORT
                  tls-service-key: "KEY"
                  tls-service-pem: "CRT"
                  username: ""
                  chroot: ""
                  pidfile: ""
                  directory: "DIR"
                  use-syslog: no
                  num-threads: 1
                  do-daemonize: no
                  module-config: "iterator"
                  local-zone: "example.org." static
                  local-data: "www.example.org. 60 A 192.0.2.9"
                """.replace("PROTOCOL", protocol.equals("dot") ? "tls" : "https")
                        .replace("PORT", Integer.toString(port))
                        .replace("KEY", text(files.key()))
                        .replace("CRT", text(files.certificate()))
                        .replace("DIR", text(directory)));
        Process process = new ProcessBuilder(unbound.toString(), "-d", "-p", "-c", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("unbound.log").toFile())
                .start();
        try (StartedBalancer balancer = StartedBalancer.start(directory, config(protocol, port, files))) {
            StartedBalancer.await(() -> {
                assertThat(process.isAlive())
                        .as(Files.readString(directory.resolve("unbound.log")))
                        .isTrue();
                return balancer.dnsAnswers().contains("192.0.2.9"); // fails until Unbound listens
            });
        } finally {
            process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void unusableFilesPreventStart() throws Exception {
        Path file = Files.writeString(
                directory.resolve("lb.yaml"),
                config("dot", 853, new TlsFiles(directory.resolve("none.crt"), directory.resolve("none.key"))));

        assertThat(ReferencedFiles.problems(ConfigLoader.ofProcess().load(file).config()))
                .singleElement()
                .asString()
                .startsWith("pools.resolvers.tls: ")
                .contains("none.crt");
    }

    private String config(String protocol, int port, TlsFiles ca) {
        return """
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  forward: {pool: resolvers, protocol: PROTOCOL, cache: false}
                pools:
                  resolvers:
                    backends: ["127.0.0.1:PORT"]
                    health: {type: none}
                    outlier: off
                    tls: {ca: CRT, server_name: localhost}
                dashboard: {bind: "127.0.0.1:0"}
                """.replace("PROTOCOL", protocol)
                .replace("PORT", Integer.toString(port))
                .replace("CRT", text(ca.certificate()));
    }

    private static String text(Path path) {
        return path.toString().replace('\\', '/');
    }
}
