package io.ballast.dns.secondary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.TransferConfig;
import io.ballast.core.config.ZoneConfig;
import io.ballast.core.net.Cidr;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/** A server of another house has the zones that a catalog of ours names. */
class KnotCatalogTest {

    private static final Path KNOT = Path.of("/usr/sbin/knotd");
    private static final String CATALOG = "catalog.example";
    private static final long PATIENCE_SECONDS = 60;

    @TempDir
    private Path directory;

    private HostPort ours;
    private HostPort theirs;
    private Process knot;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(Files.isExecutable(KNOT), "knotd is not installed");
        ours = Reload.free();
        theirs = Reload.free();
    }

    @AfterEach
    void end() throws InterruptedException {
        if (knot != null) {
            knot.destroy();
            assertThat(knot.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    private SecondaryServer server(String... members) throws IOException {
        TransferConfig rules =
                new TransferConfig(List.of(Cidr.parse("127.0.0.0/8")), List.of(), List.of(theirs), Optional.empty());
        List<ZoneConfig> zones = new ArrayList<>();
        for (String member : members) {
            Path file = directory.resolve(member);
            Files.writeString(file, """
                    $ORIGIN %s.
                    $TTL 300
                    @ SOA ns1 hostmaster 1 3600 600 604800 60
                    @ NS ns1
                    ns1 A 127.0.0.1
                    www A 192.0.2.1
                    """.formatted(member));
            zones.add(zone(member, Optional.of(file), rules, List.of()));
        }
        zones.add(zone(CATALOG, Optional.empty(), rules, List.of(members)));
        return SecondaryServer.start(new World(), ours, directory.resolve("ours"), zones.toArray(ZoneConfig[]::new));
    }

    private static ZoneConfig zone(String name, Optional<Path> file, TransferConfig rules, List<String> members) {
        return new ZoneConfig(
                name,
                ZoneConfig.SoaConfig.ofNothing(),
                List.of(),
                ZoneConfig.DEFAULT_NS_TTL,
                file,
                Optional.empty(),
                List.of(),
                Optional.of(rules),
                Optional.empty(),
                Optional.empty(),
                members);
    }

    @Test
    void hasTheMembersAndThoseThatComeLater() throws Exception {
        try (SecondaryServer server = server("one.example")) {
            startKnot();
            awaitAddress("www.one.example");
            assertThat(server.ask("www.one.example").getRcode()).isZero();
        }
        try (SecondaryServer server = server("one.example", "two.example")) {
            awaitAddress("www.two.example");
            assertThat(server.ask("www.two.example").getRcode()).isZero();
        }
    }

    private void startKnot() throws IOException {
        Path storage = Files.createDirectory(directory.resolve("theirs"));
        Path config = directory.resolve("knot.conf");
        Files.writeString(config, """
                server:
                  listen: 127.0.0.1@%d
                  rundir: %2$s
                  udp-workers: 1
                  tcp-workers: 1
                  background-workers: 1
                log:
                  - target: %2$s/knot.log
                    any: debug
                database:
                  storage: %2$s
                remote:
                  - id: primary
                    address: 127.0.0.1@%3$d
                acl:
                  - id: primary
                    address: 127.0.0.1
                    action: notify
                template:
                  - id: default
                    storage: %2$s
                    master: primary
                    acl: primary
                  - id: member
                    storage: %2$s
                    master: primary
                    acl: primary
                zone:
                  - domain: %4$s
                    catalog-role: interpret
                    catalog-template: member
                """.formatted(theirs.port(), storage, ours.port(), CATALOG));
        knot = new ProcessBuilder(KNOT.toString(), "-c", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("knot.out").toFile())
                .start();
    }

    private void awaitAddress(String name) throws IOException {
        long begun = System.nanoTime();
        while (!addresses(name).equals(List.of("192.0.2.1"))) {
            if (System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new AssertionError(said());
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    private List<String> addresses(String name) {
        try {
            SimpleResolver resolver = new SimpleResolver(Reload.socketAddress(theirs));
            resolver.setTCP(true);
            return Messages.answers(resolver.send(Messages.query(name, Type.A)));
        } catch (IOException e) {
            return List.of(); // nobody listens yet
        }
    }

    private String said() throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path file :
                Stream.of("knot.out", "theirs/knot.log").map(directory::resolve).toList()) {
            all.append(Files.exists(file) ? Files.readString(file) : "");
        }
        return all.toString();
    }
}
