package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.DnssecConfig.Algorithm;
import io.ballast.dns.config.zone.DnssecConfig.Denial;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.SignedZoneFixture;
import io.ballast.dns.testing.ZoneFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;
import org.xbill.DNS.dnssec.ValidatingResolver;

/** Tests changes of signed zones while they are served. */
class SignedReloadTest {

    private static final String CHANGING = "example.org";
    private static final String LASTING = "example.net";
    private static final Duration TTL = Duration.ofMinutes(2);
    private static final String RECORDS = """
        $TTL 120
        @ SOA ns1 hostmaster 1 3600 600 604800 60
        @ NS ns1
        ns1 A 192.0.2.53
        www A 192.0.2.10
        a.b A 192.0.2.11
        """;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final AtomicInteger signings = new AtomicInteger();

    @TempDir
    private Path directory;

    private Path changing;
    private Path lasting;

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void changedRecordsKeepKeys(Denial denial) throws IOException {
        ZoneFixture fixture = fixture(denial);
        try (SignedZoneFixture signed = start(fixture)) {
            List<Integer> keys = signed.keyTags(CHANGING);
            ValidatingResolver validator =
                    signed.validator(signed.ds(CHANGING, keys) + signed.ds(LASTING, signed.keyTags(LASTING)));
            assertValid(validator, "www." + CHANGING, "192.0.2.10");

            Files.writeString(changing, RECORDS.replace("192.0.2.10", "192.0.2.110") + "new A 192.0.2.99\n");
            signed.reload(fixture.dns());

            assertValid(validator, "www." + CHANGING, "192.0.2.110");
            assertValid(validator, "new." + CHANGING, "192.0.2.99");
            assertValid(validator, "app." + LASTING, "198.51.100.1");
            assertThat(Messages.has(query(validator, "none." + CHANGING, Type.A), Flags.AD))
                    .isTrue();
            assertThat(signed.keyTags(CHANGING)).isEqualTo(keys);
        }
    }

    @Test
    void unchangedZoneIsNotSignedAgain() throws IOException {
        ZoneFixture fixture = fixture(Denial.NSEC);
        try (SignedZoneFixture signed = start(fixture)) {
            List<String> names = List.of("www." + LASTING, "b." + LASTING, "app." + LASTING, LASTING);
            List<byte[]> before =
                    names.stream().map(name -> signature(signed, name)).toList();
            byte[] changed = signature(signed, "www." + CHANGING);

            Files.writeString(changing, RECORDS + "new A 192.0.2.99\n");
            signed.reload(fixture.dns());

            List<byte[]> after =
                    names.stream().map(name -> signature(signed, name)).toList();
            for (int i = 0; i < names.size(); i++) {
                assertThat(after.get(i)).as(names.get(i)).isEqualTo(before.get(i));
            }
            assertThat(signature(signed, "www." + CHANGING)).isNotEqualTo(changed);
        }
    }

    /** Returns the first signature of the answer for a name, or of the proof that it has no address. */
    private static byte[] signature(SignedZoneFixture signed, String name) {
        Message query = Messages.query(name, Type.A);
        query.addRecord(new OPTRecord(1232, 0, 0, ExtendedFlags.DO), Section.ADDITIONAL);
        Message response = signed.client().query(query, Transport.TCP);
        for (int section : new int[] {Section.ANSWER, Section.AUTHORITY}) {
            for (Record record : response.getSection(section)) {
                if (record instanceof RRSIGRecord rrsig && rrsig.getTypeCovered() != Type.SOA) {
                    return rrsig.getSignature();
                }
            }
        }
        throw new AssertionError("no signature in " + response);
    }

    @Test
    void onlyOneKeyWatchExists() throws IOException {
        ZoneFixture fixture = fixture(Denial.NSEC);
        try (SignedZoneFixture signed = start(fixture)) {
            for (int i = 1; i <= 5; i++) {
                Files.writeString(changing, RECORDS + "new A 192.0.2." + i + "0\n" + ";".repeat(i));
                signed.reload(fixture.dns());
            }
            signed.advance(SignatureRenewal.INTERVAL); // lets tasks of replaced zones stop
            signings.set(0);

            signed.advance(SignatureRenewal.INTERVAL.multipliedBy(10));

            assertThat(signings).hasValue(10);
        }
    }

    @Test
    void reloadRenewsSignatures() throws IOException {
        ZoneFixture fixture = fixture(Denial.NSEC);
        try (SignedZoneFixture signed = start(fixture)) {
            Files.writeString(changing, RECORDS + "new A 192.0.2.99\n");
            signed.reload(fixture.dns());
            ValidatingResolver validator = signed.validator(signed.ds(CHANGING, signed.keyTags(CHANGING)));

            signed.advance(Duration.ofMinutes(30));

            assertValid(validator, "new." + CHANGING, "192.0.2.99");
            assertValid(validator, "www." + CHANGING, "192.0.2.10");
        }
    }

    @Test
    void reloadsDoNotDelayRenewal() throws IOException {
        ZoneFixture fixture = fixture(Denial.NSEC);
        try (SignedZoneFixture signed = start(fixture)) {
            ValidatingResolver validator = signed.validator(signed.ds(LASTING, signed.keyTags(LASTING)));
            Duration step = Duration.ofSeconds(10);
            for (long rounds = TTL.multipliedBy(5).dividedBy(step); rounds > 0; rounds--) {
                Files.writeString(changing, RECORDS + ";".repeat((int) rounds));
                signed.reload(fixture.dns());
                signed.advance(step);
            }

            assertValid(validator, "www." + LASTING, "192.0.2.10");
            assertValid(validator, "app." + LASTING, "198.51.100.1");
        }
    }

    private ZoneFixture fixture(Denial denial) throws IOException {
        changing = Files.writeString(directory.resolve("changing.zone"), RECORDS);
        lasting = Files.writeString(directory.resolve("lasting.zone"), RECORDS);
        return new ZoneFixture()
                .pool("web", ZoneFixture.backend("198.51.100.1"))
                .signed(new DnssecConfig(Algorithm.ECDSAP256SHA256, denial, TTL.multipliedBy(4), TTL, TTL, TTL))
                .zone(CHANGING, changing)
                .zone(LASTING, lasting, ZoneFixture.service("app", "web"));
    }

    private SignedZoneFixture start(ZoneFixture fixture) throws IOException {
        Executor counting = task -> {
            signings.incrementAndGet();
            task.run();
        };
        return new SignedZoneFixture(
                fixture, fixture.dns(), directory, scheduler, scheduler.clock(), scheduler::nanoTime, counting);
    }

    private static void assertValid(ValidatingResolver validator, String name, String address) throws IOException {
        Message response = query(validator, name, Type.A);
        assertThat(Messages.has(response, Flags.AD)).as(name).isTrue();
        assertThat(Messages.answers(response)).contains(address);
    }

    private static Message query(ValidatingResolver validator, String name, int type) throws IOException {
        return validator.send(Message.newQuery(Record.newRecord(Messages.name(name), type, DClass.IN)));
    }
}
