package io.ballast.dns.secondary;

import static io.ballast.dns.secondary.ScriptedPrimary.record;
import static io.ballast.dns.secondary.ScriptedPrimary.soa;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.dns.secondary.ScriptedPrimary.IxfrFailure;
import io.ballast.dns.secondary.SecondaryState.Status;
import io.ballast.dns.secondary.SecondaryZones.Notified;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.Record;

/** Tests zones from a primary, and their timers. */
class SecondaryZonesTest {

    private static final String ZONE = "example.com";

    @TempDir
    private Path directory;

    private ScriptedPrimary primary;

    @BeforeEach
    void start() throws IOException {
        primary = new ScriptedPrimary();
    }

    @AfterEach
    void end() throws IOException {
        primary.close();
    }

    private SecondaryWorld world() {
        return new SecondaryWorld(directory).zone(ZONE, primary.address());
    }

    @Test
    void transferredVersionIsServedAndStored() throws IOException {
        primary.tells(
                ZONE, 7, record("www.example.com", "A", "192.0.2.1"), record("example.com", "CAA", "0 issue \"a\""));
        SecondaryWorld world = world();
        world.commit();

        assertThat(world.lines(ZONE)).isEmpty();
        world.begin();

        assertThat(world.lines(ZONE))
                .contains("www.example.com.\t300\tIN\tA\t192.0.2.1")
                .anyMatch(line -> line.startsWith("example.com.\t300\tIN\tTYPE257\t\\# "));
        assertThat(world.state(ZONE).status()).isEqualTo(Status.SERVED);
        assertThat(world.state(ZONE).serial()).hasValue(7);
        assertThat(world.changes()).isOne();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("example.com.zone"))))
                .isEqualTo("rw-------");
    }

    @Test
    void refreshQueriesPrimary() {
        primary.tells(ZONE, 7);
        SecondaryWorld world = world().begin();
        primary.asked();

        world.time.advance(Duration.ofMinutes(50));
        assertThat(primary.asked()).isEmpty();
        world.time.advance(Duration.ofMinutes(10));

        assertThat(primary.asked()).containsExactly("SOA");
        assertThat(world.changes()).isOne();
    }

    @Test
    void nextVersionUsesIxfr() throws IOException {
        primary.tells(ZONE, 7, record("old.example.com", "A", "192.0.2.1"));
        SecondaryWorld world = world().begin();
        primary.asked();
        primary.tells(ZONE, 9, record("new.example.com", "A", "192.0.2.2"));
        primary.tellsDifferences(
                ZONE,
                soa(ZONE, 9),
                soa(ZONE, 7),
                record("old.example.com", "A", "192.0.2.1"),
                soa(ZONE, 8),
                record("between.example.com", "A", "192.0.2.3"),
                soa(ZONE, 8),
                record("between.example.com", "A", "192.0.2.3"),
                soa(ZONE, 9),
                record("new.example.com", "A", "192.0.2.2"),
                soa(ZONE, 9));

        world.time.advance(Duration.ofHours(1).plus(SecondaryWorld.MOMENT));

        assertThat(primary.asked()).containsExactly("SOA", "IXFR");
        assertThat(world.lines(ZONE))
                .hasSize(4)
                .contains("new.example.com.\t300\tIN\tA\t192.0.2.2")
                .first()
                .asString()
                .contains("\t300\tIN\tSOA\t")
                .contains(" 9 ");
    }

    @Test
    void mismatchingDifferencesFallBackToAxfr() throws IOException {
        primary.tells(ZONE, 7, record("old.example.com", "A", "192.0.2.1"));
        SecondaryWorld world = world().begin();
        primary.asked();
        primary.tells(ZONE, 8, record("new.example.com", "A", "192.0.2.2"));
        primary.tellsDifferences(
                ZONE,
                soa(ZONE, 8),
                soa(ZONE, 7),
                record("unknown.example.com", "A", "192.0.2.1"),
                soa(ZONE, 8),
                record("new.example.com", "A", "192.0.2.2"),
                soa(ZONE, 8));

        world.time.advance(Duration.ofHours(1).plus(SecondaryWorld.MOMENT));

        assertThat(primary.asked()).containsExactly("SOA", "IXFR", "AXFR");
        assertThat(world.lines(ZONE))
                .contains("new.example.com.\t300\tIN\tA\t192.0.2.2")
                .noneMatch(line -> line.startsWith("old"));
    }

    @ParameterizedTest
    @EnumSource(value = IxfrFailure.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void failedIxfrFallsBackToAxfr(IxfrFailure failure) throws IOException {
        primary.tells(ZONE, 7, record("old.example.com", "A", "192.0.2.1"));
        SecondaryConfig impatient = new SecondaryConfig(
                List.of(primary.address()),
                /* key= */ Optional.empty(),
                /* tls= */ Optional.empty(),
                /* catalog= */ false,
                /* maxSizeBytes= */ 100_000,
                Duration.ofSeconds(1),
                /* maxMembers= */ 1,
                Map.of());
        SecondaryWorld world =
                new SecondaryWorld(directory).zone(ZONE, impatient).begin();
        primary.asked();
        primary.failsDifferences(failure);
        primary.tells(ZONE, 8, record("new.example.com", "A", "192.0.2.2"));

        world.time.advance(Duration.ofHours(1).plus(SecondaryWorld.MOMENT));

        assertThat(primary.asked()).containsExactly("SOA", "IXFR", "AXFR");
        assertThat(world.state(ZONE).serial()).hasValue(8);
        assertThat(world.state(ZONE).problem()).isEmpty();
        assertThat(world.lines(ZONE)).contains("new.example.com.\t300\tIN\tA\t192.0.2.2");
    }

    @Test
    void tooLargeDifferencesFallBackToAxfr() throws IOException {
        primary.tells(ZONE, 7, record("old.example.com", "A", "192.0.2.1"));
        SecondaryConfig bounded = new SecondaryConfig(
                List.of(primary.address()),
                /* key= */ Optional.empty(),
                /* tls= */ Optional.empty(),
                /* catalog= */ false,
                /* maxSizeBytes= */ 100_000,
                Duration.ofMinutes(1),
                /* maxMembers= */ 1,
                Map.of());
        SecondaryWorld world = new SecondaryWorld(directory).zone(ZONE, bounded).begin();
        primary.asked();
        List<Record> differences = new ArrayList<>(List.of(soa(ZONE, 8), soa(ZONE, 7), soa(ZONE, 8)));
        String name = ("x".repeat(60) + ".").repeat(3) + ZONE;
        for (int i = 0; i < 500; i++) {
            differences.add(record(name, "MX", i + " " + name + "."));
        }
        differences.add(soa(ZONE, 8));
        primary.tellsDifferences(ZONE, differences.toArray(Record[]::new));
        primary.tells(ZONE, 8, record("new.example.com", "A", "192.0.2.1"));

        world.time.advance(Duration.ofHours(1).plus(SecondaryWorld.MOMENT));

        assertThat(primary.asked()).containsExactly("SOA", "IXFR", "AXFR");
        assertThat(world.state(ZONE).serial()).hasValue(8);
    }

    @Test
    void transferIsNotStoredAfterHandover() {
        primary.tells(ZONE, 7);
        SecondaryWorld world = world();
        primary.beforeWhole(() -> world.secondaryZones().pause());

        world.begin();

        assertThat(primary.asked()).contains("AXFR");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void failedChangeIsRetried() throws IOException {
        primary.tells(ZONE, 7);
        SecondaryWorld world = world();
        AtomicInteger tried = new AtomicInteger();
        world.secondaryZones().onChange(() -> {
            if (tried.incrementAndGet() == 1) {
                throw new IllegalStateException("the first time");
            }
            world.commit();
        });
        world.begin();
        assertThat(tried).hasValue(1);

        world.time.advance(Duration.ofSeconds(31));

        assertThat(tried).hasValue(2);
        assertThat(world.lines(ZONE)).isNotEmpty();
    }

    @Test
    void comparesSerialsWithWraparound() {
        primary.tells(ZONE, 4_294_967_295L);
        SecondaryWorld world = world().begin();
        primary.tells(ZONE, 3);

        world.time.advance(Duration.ofHours(1).plus(SecondaryWorld.MOMENT));

        assertThat(world.state(ZONE).serial()).hasValue(3);
    }

    @Test
    void skipsOutdatedPrimary() throws IOException {
        try (ScriptedPrimary other = new ScriptedPrimary()) {
            other.tells(ZONE, 7);
            primary.tells(ZONE, 7);
            SecondaryWorld world = new SecondaryWorld(directory)
                    .zone(ZONE, primary.address(), other.address())
                    .begin();
            other.tells(ZONE, 8);
            primary.tells(ZONE, 6);

            world.time.advance(Duration.ofHours(1).plus(SecondaryWorld.MOMENT));

            assertThat(world.state(ZONE).serial()).hasValue(8);
            assertThat(world.state(ZONE).primary()).isEqualTo(other.address().toString());
        }
    }

    @Test
    void restartServesStoredZone() throws IOException {
        primary.tells(ZONE, 7, record("www.example.com", "A", "192.0.2.1"));
        SecondaryWorld world = world().begin();
        primary.isSilent(true);

        world.restart();

        assertThat(world.lines(ZONE)).contains("www.example.com.\t300\tIN\tA\t192.0.2.1");
        assertThat(world.state(ZONE).serial()).hasValue(7);
    }

    @Test
    void zoneExpiresAndReturnsWithPrimary() throws IOException {
        primary.tells(soa(ZONE, 7, 3600, 600, 7200));
        SecondaryWorld world = world().begin();
        primary.isSilent(true);

        world.time.advance(Duration.ofMinutes(115));
        assertThat(world.state(ZONE).status()).isEqualTo(Status.SERVED);
        assertThat(world.state(ZONE).failures()).isPositive();
        world.time.advance(Duration.ofMinutes(5).plus(SecondaryWorld.MOMENT));

        assertThat(world.state(ZONE).status()).isEqualTo(Status.EXPIRED);
        assertThat(world.lines(ZONE)).isEmpty();
        assertThat(world.told()).anyMatch(text -> text.startsWith("zone example.com has expired"));

        // The serial may be lower, because it is not compared with that of the expired zone.
        primary.tells(soa(ZONE, 2, 3600, 600, 7200));
        primary.isSilent(false);
        world.time.advance(Duration.ofMinutes(10).plus(SecondaryWorld.MOMENT));

        assertThat(world.state(ZONE).status()).isEqualTo(Status.SERVED);
        assertThat(world.state(ZONE).serial()).hasValue(2);
        assertThat(world.lines(ZONE)).isNotEmpty();
        assertThat(world.told()).anyMatch(text -> text.startsWith("zone example.com is served again"));
    }

    @Test
    void expiryContinuesWhileStopped() throws IOException {
        primary.tells(soa(ZONE, 7, 3600, 600, 7200));
        SecondaryWorld world = world().begin();
        primary.isSilent(true);
        world.secondaryZones().pause();

        world.time.advance(Duration.ofHours(3));
        world.restart();

        assertThat(world.state(ZONE).status()).isEqualTo(Status.EXPIRED);
        assertThat(world.lines(ZONE)).isEmpty();
    }

    @Test
    void invalidStoredFileIsTransferredAgain() throws IOException {
        Files.writeString(directory.resolve("example.com.zone"), "nothing of a zone\n");
        primary.tells(ZONE, 7);

        SecondaryWorld world = world().begin();

        assertThat(world.state(ZONE).serial()).hasValue(7);
    }

    @Test
    void missingZoneIsRetriedSoon() {
        primary.isSilent(true);
        SecondaryWorld world = world().begin();
        assertThat(world.state(ZONE).status()).isEqualTo(Status.WAITING);
        primary.isSilent(false);
        primary.tells(ZONE, 7);

        world.time.advance(Duration.ofSeconds(20));

        assertThat(world.state(ZONE).status()).isEqualTo(Status.SERVED);
    }

    @Test
    void notifiesAreCoalesced() throws IOException {
        primary.tells(ZONE, 7);
        SecondaryWorld world = world().begin();
        primary.asked();
        SecondaryZones zones = world.secondaryZones();

        for (int i = 0; i < 100; i++) {
            assertThat(zones.handleNotify("Example.com", InetAddress.getLoopbackAddress(), Optional.empty()))
                    .isEqualTo(Notified.TAKEN);
        }
        world.time.runDue();
        assertThat(primary.asked()).containsExactly("SOA");
        for (int i = 0; i < 100; i++) {
            zones.handleNotify(ZONE, InetAddress.getLoopbackAddress(), Optional.empty());
            world.time.runDue();
        }

        assertThat(primary.asked()).isEmpty();
        world.time.advance(SecondaryZones.MIN_REFRESH_INTERVAL);
        assertThat(primary.asked()).containsExactly("SOA");
    }

    @Test
    void rejectsNotifyOfOthers() throws IOException {
        SecondaryWorld world = world().begin();
        SecondaryZones zones = world.secondaryZones();
        InetAddress stranger = InetAddress.getByName("192.0.2.77");

        assertThat(zones.handleNotify(ZONE, stranger, Optional.empty())).isEqualTo(Notified.REFUSED);
        assertThat(zones.handleNotify(ZONE, stranger, Optional.of("some.key"))).isEqualTo(Notified.REFUSED);
        assertThat(zones.handleNotify("example.org", stranger, Optional.empty()))
                .isEqualTo(Notified.NOT_SECONDARY);
    }

    @Test
    void removedZoneKeepsFile() throws IOException {
        primary.tells(ZONE, 7);
        SecondaryWorld world = world().begin();
        SecondaryWorld without = new SecondaryWorld(directory).zone("example.org", new HostPort("127.0.0.1", 1));
        world.secondaryZones().close();

        without.commit();

        assertThat(without.servedNames()).containsExactly("example.org");
        assertThat(directory.resolve("example.com.zone")).exists();
    }
}
