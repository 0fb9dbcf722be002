package io.ballast.dns.secondary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.SecondaryConfig;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Rcode;

/** Knot DNS as the primary of a catalog zone and its member: transfers, differences and notifications, all signed. */
class KnotPrimaryTest {

    private static final Path KNOT = Path.of("/usr/sbin/knotd");
    private static final String CATALOG = "catalog.invalid";

    @TempDir
    private Path directory;

    private Process knot;

    @AfterEach
    void end() throws InterruptedException {
        if (knot != null) {
            knot.destroy();
            knot.waitFor(10, TimeUnit.SECONDS);
        }
    }

    private void configure(HostPort listener, HostPort secondary, boolean withOther) throws IOException {
        String member = "    catalog-role: member\n    catalog-zone: catalog.invalid.\n";
        String zone = "    notify: ballast\n    acl: out\n    zonefile-load: difference\n    zonefile-sync: -1\n";
        Files.writeString(
                directory.resolve("knot.conf"),
                """
                server:
                    listen: %s@%d
                    rundir: %s
                database:
                    storage: %s
                log:
                  - target: %s
                    any: debug
                key:
                  - id: %s
                    algorithm: hmac-sha256
                    secret: %s
                remote:
                  - id: ballast
                    address: %s@%d
                    key: %s
                acl:
                  - id: out
                    key: %s
                    action: transfer
                template:
                  - id: default
                    storage: %s
                zone:
                  - domain: catalog.invalid.
                    catalog-role: generate
                    notify: ballast
                    acl: out
                """.formatted(
                                        listener.host(),
                                        listener.port(),
                                        directory,
                                        directory,
                                        directory.resolve("knot.log"),
                                        SecondaryServer.KEY,
                                        SecondaryServer.SECRET,
                                        secondary.host(),
                                        secondary.port(),
                                        SecondaryServer.KEY,
                                        SecondaryServer.KEY,
                                        directory)
                        + "  - domain: example.com.\n" + member + zone
                        + (withOther ? "  - domain: example.org.\n" + member + zone : ""));
    }

    private void write(String zone, long serial, String address) throws IOException {
        Files.writeString(directory.resolve(zone + ".zone"), """
            $ORIGIN %s.
            $TTL 300
            @ SOA ns admin %d 3600 600 86400 60
            @ NS ns
            ns A 192.0.2.53
            www A %s
            text TXT "a \\"quoted\\" text; with" "two parts"
            @ CAA 0 issue "ca.example.net"
            @ HTTPS 1 . alpn=h2,h3 ipv4hint=192.0.2.1
            """.formatted(zone, serial, address));
    }

    private void knotReloads() throws IOException, InterruptedException {
        Process command = new ProcessBuilder(
                        "/usr/sbin/knotc", "-s", directory.resolve("knot.sock").toString(), "reload")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("knotc.log").toFile())
                .start();
        assertThat(command.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(command.exitValue())
                .as(Files.readString(directory.resolve("knotc.log")))
                .isZero();
    }

    @Test
    void catalogAndItsMembersFollowKnot() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(KNOT) && Files.isExecutable(Path.of("/usr/sbin/knotc")));
        HostPort listener = Reload.free();
        HostPort own = Reload.free();
        write("example.com", 1, "192.0.2.1");
        write("example.org", 1, "192.0.2.3");
        configure(listener, own, /* withOther= */ false);
        knot = new ProcessBuilder(
                        KNOT.toString(), "-c", directory.resolve("knot.conf").toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out.log").toFile())
                .start();
        SecondaryConfig catalog = new SecondaryConfig(
                List.of(listener), Optional.of(SecondaryServer.KEY), true, 1 << 20, Duration.ofMinutes(1), 10);
        try (SecondaryServer server = SecondaryServer.start(
                new World(), own, directory.resolve("data"), SecondaryServer.zone(CATALOG, catalog))) {
            server.begin();

            server.await("www.example.com", "192.0.2.1");
            assertThat(server.ask("www.example.org").getRcode()).isEqualTo(Rcode.REFUSED);
            assertThat(server.ask("version." + CATALOG).getRcode()).isEqualTo(Rcode.REFUSED);

            write("example.com", 2, "192.0.2.2");
            knotReloads();
            server.await("www.example.com", "192.0.2.2");

            configure(listener, own, /* withOther= */ true);
            knotReloads();
            server.await("www.example.org", "192.0.2.3");

            assertThat(Files.readString(directory.resolve("knot.log"))).contains("IXFR, outgoing");
        }
    }
}
