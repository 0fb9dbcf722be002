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

/** Tests zones that are transferred from a primary, and their timers. */
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

    private SecondaryFixture fixture() {
        return new SecondaryFixture(directory).zone(ZONE, primary.address());
    }

    @Test
    void transferredVersionIsServedAndStored() throws IOException {
        primary.serves(
                ZONE, 7, record("www.example.com", "A", "192.0.2.1"), record("example.com", "CAA", "0 issue \"a\""));
        SecondaryFixture fixture = fixture();
        fixture.commit();

        assertThat(fixture.lines(ZONE)).isEmpty();
        fixture.begin();

        assertThat(fixture.lines(ZONE))
                .contains("www.example.com.\t300\tIN\tA\t192.0.2.1")
                .anyMatch(line -> line.startsWith("example.com.\t300\tIN\tTYPE257\t\\# "));
        assertThat(fixture.state(ZONE).status()).isEqualTo(Status.SERVED);
        assertThat(fixture.state(ZONE).serial()).hasValue(7);
        assertThat(fixture.changes()).isOne();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("example.com.zone"))))
                .isEqualTo("rw-------");
    }

    @Test
    void refreshQueriesPrimary() {
        primary.serves(ZONE, 7);
        SecondaryFixture fixture = fixture().begin();
        primary.queries();

        fixture.time.advance(Duration.ofMinutes(50));
        assertThat(primary.queries()).isEmpty();
        fixture.time.advance(Duration.ofMinutes(10));

        assertThat(primary.queries()).containsExactly("SOA");
        assertThat(fixture.changes()).isOne();
    }

    @Test
    void nextVersionUsesIxfr() throws IOException {
        primary.serves(ZONE, 7, record("old.example.com", "A", "192.0.2.1"));
        SecondaryFixture fixture = fixture().begin();
        primary.queries();
        primary.serves(ZONE, 9, record("new.example.com", "A", "192.0.2.2"));
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

        fixture.time.advance(Duration.ofHours(1).plus(SecondaryFixture.MOMENT));

        assertThat(primary.queries()).containsExactly("SOA", "IXFR");
        assertThat(fixture.lines(ZONE))
                .hasSize(4)
                .contains("new.example.com.\t300\tIN\tA\t192.0.2.2")
                .first()
                .asString()
                .contains("\t300\tIN\tSOA\t")
                .contains(" 9 ");
    }

    @Test
    void mismatchingDifferencesFallBackToAxfr() throws IOException {
        primary.serves(ZONE, 7, record("old.example.com", "A", "192.0.2.1"));
        SecondaryFixture fixture = fixture().begin();
        primary.queries();
        primary.serves(ZONE, 8, record("new.example.com", "A", "192.0.2.2"));
        primary.tellsDifferences(
                ZONE,
                soa(ZONE, 8),
                soa(ZONE, 7),
                record("unknown.example.com", "A", "192.0.2.1"),
                soa(ZONE, 8),
                record("new.example.com", "A", "192.0.2.2"),
                soa(ZONE, 8));

        fixture.time.advance(Duration.ofHours(1).plus(SecondaryFixture.MOMENT));

        assertThat(primary.queries()).containsExactly("SOA", "IXFR", "AXFR");
        assertThat(fixture.lines(ZONE))
                .contains("new.example.com.\t300\tIN\tA\t192.0.2.2")
                .noneMatch(line -> line.startsWith("old"));
    }

    @ParameterizedTest
    @EnumSource(value = IxfrFailure.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void failedIxfrFallsBackToAxfr(IxfrFailure failure) throws IOException {
        primary.serves(ZONE, 7, record("old.example.com", "A", "192.0.2.1"));
        SecondaryConfig impatient = new SecondaryConfig(
                List.of(primary.address()),
                /* key= */ Optional.empty(),
                /* tls= */ Optional.empty(),
                /* catalog= */ false,
                /* maxSizeBytes= */ 100_000,
                Duration.ofSeconds(1),
                /* maxMembers= */ 1,
                Map.of());
        SecondaryFixture fixture =
                new SecondaryFixture(directory).zone(ZONE, impatient).begin();
        primary.queries();
        primary.failsDifferences(failure);
        primary.serves(ZONE, 8, record("new.example.com", "A", "192.0.2.2"));

        fixture.time.advance(Duration.ofHours(1).plus(SecondaryFixture.MOMENT));

        assertThat(primary.queries()).containsExactly("SOA", "IXFR", "AXFR");
        assertThat(fixture.state(ZONE).serial()).hasValue(8);
        assertThat(fixture.state(ZONE).problem()).isEmpty();
        assertThat(fixture.lines(ZONE)).contains("new.example.com.\t300\tIN\tA\t192.0.2.2");
    }

    @Test
    void tooLargeDifferencesFallBackToAxfr() throws IOException {
        primary.serves(ZONE, 7, record("old.example.com", "A", "192.0.2.1"));
        SecondaryConfig bounded = new SecondaryConfig(
                List.of(primary.address()),
                /* key= */ Optional.empty(),
                /* tls= */ Optional.empty(),
                /* catalog= */ false,
                /* maxSizeBytes= */ 100_000,
                Duration.ofMinutes(1),
                /* maxMembers= */ 1,
                Map.of());
        SecondaryFixture fixture =
                new SecondaryFixture(directory).zone(ZONE, bounded).begin();
        primary.queries();
        List<Record> differences = new ArrayList<>(List.of(soa(ZONE, 8), soa(ZONE, 7), soa(ZONE, 8)));
        String name = ("x".repeat(60) + ".").repeat(3) + ZONE;
        for (int i = 0; i < 500; i++) {
            differences.add(record(name, "MX", i + " " + name + "."));
        }
        differences.add(soa(ZONE, 8));
        primary.tellsDifferences(ZONE, differences.toArray(Record[]::new));
        primary.serves(ZONE, 8, record("new.example.com", "A", "192.0.2.1"));

        fixture.time.advance(Duration.ofHours(1).plus(SecondaryFixture.MOMENT));

        assertThat(primary.queries()).containsExactly("SOA", "IXFR", "AXFR");
        assertThat(fixture.state(ZONE).serial()).hasValue(8);
    }

    @Test
    void transferIsNotStoredAfterHandover() {
        primary.serves(ZONE, 7);
        SecondaryFixture fixture = fixture();
        primary.beforeWhole(() -> fixture.secondaryZones().pause());

        fixture.begin();

        assertThat(primary.queries()).contains("AXFR");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void failedChangeIsRetried() throws IOException {
        primary.serves(ZONE, 7);
        SecondaryFixture fixture = fixture();
        AtomicInteger tried = new AtomicInteger();
        fixture.secondaryZones().onChange(() -> {
            if (tried.incrementAndGet() == 1) {
                throw new IllegalStateException("the first time");
            }
            fixture.commit();
        });
        fixture.begin();
        assertThat(tried).hasValue(1);

        fixture.time.advance(Duration.ofSeconds(31));

        assertThat(tried).hasValue(2);
        assertThat(fixture.lines(ZONE)).isNotEmpty();
    }

    @Test
    void comparesSerialsWithWraparound() {
        primary.serves(ZONE, 4_294_967_295L);
        SecondaryFixture fixture = fixture().begin();
        primary.serves(ZONE, 3);

        fixture.time.advance(Duration.ofHours(1).plus(SecondaryFixture.MOMENT));

        assertThat(fixture.state(ZONE).serial()).hasValue(3);
    }

    @Test
    void skipsOutdatedPrimary() throws IOException {
        try (ScriptedPrimary other = new ScriptedPrimary()) {
            other.serves(ZONE, 7);
            primary.serves(ZONE, 7);
            SecondaryFixture fixture = new SecondaryFixture(directory)
                    .zone(ZONE, primary.address(), other.address())
                    .begin();
            other.serves(ZONE, 8);
            primary.serves(ZONE, 6);

            fixture.time.advance(Duration.ofHours(1).plus(SecondaryFixture.MOMENT));

            assertThat(fixture.state(ZONE).serial()).hasValue(8);
            assertThat(fixture.state(ZONE).primary()).isEqualTo(other.address().toString());
        }
    }

    @Test
    void restartServesStoredZone() throws IOException {
        primary.serves(ZONE, 7, record("www.example.com", "A", "192.0.2.1"));
        SecondaryFixture fixture = fixture().begin();
        primary.isSilent(true);

        fixture.restart();

        assertThat(fixture.lines(ZONE)).contains("www.example.com.\t300\tIN\tA\t192.0.2.1");
        assertThat(fixture.state(ZONE).serial()).hasValue(7);
    }

    @Test
    void zoneExpiresAndReturnsWithPrimary() throws IOException {
        primary.serves(soa(ZONE, 7, 3600, 600, 7200));
        SecondaryFixture fixture = fixture().begin();
        primary.isSilent(true);

        fixture.time.advance(Duration.ofMinutes(115));
        assertThat(fixture.state(ZONE).status()).isEqualTo(Status.SERVED);
        assertThat(fixture.state(ZONE).failures()).isPositive();
        fixture.time.advance(Duration.ofMinutes(5).plus(SecondaryFixture.MOMENT));

        assertThat(fixture.state(ZONE).status()).isEqualTo(Status.EXPIRED);
        assertThat(fixture.lines(ZONE)).isEmpty();
        assertThat(fixture.events()).anyMatch(text -> text.startsWith("zone example.com has expired"));

        // The serial may be lower, because it is not compared with that of the expired zone.
        primary.serves(soa(ZONE, 2, 3600, 600, 7200));
        primary.isSilent(false);
        fixture.time.advance(Duration.ofMinutes(10).plus(SecondaryFixture.MOMENT));

        assertThat(fixture.state(ZONE).status()).isEqualTo(Status.SERVED);
        assertThat(fixture.state(ZONE).serial()).hasValue(2);
        assertThat(fixture.lines(ZONE)).isNotEmpty();
        assertThat(fixture.events()).anyMatch(text -> text.startsWith("zone example.com is served again"));
    }

    @Test
    void expiryContinuesWhileStopped() throws IOException {
        primary.serves(soa(ZONE, 7, 3600, 600, 7200));
        SecondaryFixture fixture = fixture().begin();
        primary.isSilent(true);
        fixture.secondaryZones().pause();

        fixture.time.advance(Duration.ofHours(3));
        fixture.restart();

        assertThat(fixture.state(ZONE).status()).isEqualTo(Status.EXPIRED);
        assertThat(fixture.lines(ZONE)).isEmpty();
    }

    @Test
    void invalidStoredFileIsTransferredAgain() throws IOException {
        Files.writeString(directory.resolve("example.com.zone"), "nothing of a zone\n");
        primary.serves(ZONE, 7);

        SecondaryFixture fixture = fixture().begin();

        assertThat(fixture.state(ZONE).serial()).hasValue(7);
    }

    @Test
    void missingZoneIsRetriedSoon() {
        primary.isSilent(true);
        SecondaryFixture fixture = fixture().begin();
        assertThat(fixture.state(ZONE).status()).isEqualTo(Status.WAITING);
        primary.isSilent(false);
        primary.serves(ZONE, 7);

        fixture.time.advance(Duration.ofSeconds(20));

        assertThat(fixture.state(ZONE).status()).isEqualTo(Status.SERVED);
    }

    @Test
    void notifiesAreCoalesced() throws IOException {
        primary.serves(ZONE, 7);
        SecondaryFixture fixture = fixture().begin();
        primary.queries();
        SecondaryZones zones = fixture.secondaryZones();

        for (int i = 0; i < 100; i++) {
            assertThat(zones.handleNotify("Example.com", InetAddress.getLoopbackAddress(), Optional.empty()))
                    .isEqualTo(Notified.TAKEN);
        }
        fixture.time.runDue();
        assertThat(primary.queries()).containsExactly("SOA");
        for (int i = 0; i < 100; i++) {
            zones.handleNotify(ZONE, InetAddress.getLoopbackAddress(), Optional.empty());
            fixture.time.runDue();
        }

        assertThat(primary.queries()).isEmpty();
        fixture.time.advance(SecondaryZones.MIN_REFRESH_INTERVAL);
        assertThat(primary.queries()).containsExactly("SOA");
    }

    @Test
    void rejectsNotifyOfOthers() throws IOException {
        SecondaryFixture fixture = fixture().begin();
        SecondaryZones zones = fixture.secondaryZones();
        InetAddress untrusted = InetAddress.getByName("192.0.2.77");

        assertThat(zones.handleNotify(ZONE, untrusted, Optional.empty())).isEqualTo(Notified.REFUSED);
        assertThat(zones.handleNotify(ZONE, untrusted, Optional.of("some.key"))).isEqualTo(Notified.REFUSED);
        assertThat(zones.handleNotify("example.org", untrusted, Optional.empty()))
                .isEqualTo(Notified.NOT_SECONDARY);
    }

    @Test
    void removedZoneKeepsFile() throws IOException {
        primary.serves(ZONE, 7);
        SecondaryFixture fixture = fixture().begin();
        SecondaryFixture without = new SecondaryFixture(directory).zone("example.org", new HostPort("127.0.0.1", 1));
        fixture.secondaryZones().close();

        without.commit();

        assertThat(without.servedNames()).containsExactly("example.org");
        assertThat(directory.resolve("example.com.zone")).exists();
    }
}
