package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.dnssec.key.KeyDirectory;
import io.ballast.dns.dnssec.key.Rollover;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.SignedZoneFixture;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.wire.RecordType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests queries and changes while a whole zone is being signed; the test controls how long signing takes. */
class SlowSigningTest {

    private static final String ZONE = "example.com";
    private static final OPTRecord DNSSEC_OK = new OPTRecord(1232, 0, 0, ExtendedFlags.DO);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Deque<Runnable> signer = new ArrayDeque<>();
    private final ZoneFixture fixture =
            new ZoneFixture().pool("web", ZoneFixture.backend("192.0.2.1"), ZoneFixture.backend("192.0.2.2"));

    @TempDir
    private Path directory;

    private SignedZoneFixture signed;

    @BeforeEach
    void beginARollover() throws IOException {
        fixture.signed(DnssecConfig.DEFAULT).zone(ZONE, ZoneFixture.service("app", "web"));
        signed = new SignedZoneFixture(
                fixture, fixture.dns(), directory, scheduler, scheduler.clock(), scheduler::nanoTime, signer::add);
        new Rollover(new KeyDirectory(directory, ZONE), DnssecConfig.DEFAULT, scheduler.clock()).start();
        scheduler.advance(SignatureRenewal.INTERVAL);
        assertThat(signer).as("the zone is being signed").hasSize(1);
    }

    @AfterEach
    void close() {
        signed.close();
    }

    @Test
    void healthChangeIsAnsweredAndSigned() {
        fixture.set("web", "192.0.2.1", BackendState.DOWN);

        List<Record> answer = query("app.example.com").getSection(Section.ANSWER);
        assertThat(answer)
                .filteredOn(record -> record.getType() == Type.A)
                .extracting(Record::rdataToString)
                .containsExactly("192.0.2.2");
        assertThat(answer).filteredOn(RRSIGRecord.class::isInstance).hasSize(1);
    }

    @Test
    void explanationsAreAvailable() throws IOException {
        assertThat(signed.zones()
                        .explain("app.example.com", RecordType.A, Optional.empty())
                        .toMap())
                .containsKey("decision");
    }

    @Test
    void newKeyIsActiveAfterSigning() {
        assertThat(keys()).isEqualTo(1);
        fixture.set("web", "192.0.2.1", BackendState.DOWN);

        signer.remove().run();

        assertThat(keys()).isEqualTo(2);
        assertThat(query("app.example.com").getSection(Section.ANSWER))
                .filteredOn(record -> record.getType() == Type.A)
                .hasSize(1);
    }

    @Test
    void keyChecksAreSerialized() {
        scheduler.advance(SignatureRenewal.INTERVAL.multipliedBy(5));
        assertThat(signer).hasSize(1);

        signer.remove().run();
        scheduler.advance(SignatureRenewal.INTERVAL);

        assertThat(signer).hasSize(1);
    }

    private long keys() {
        return signed
                .client()
                .query(Messages.query("example.com", Type.DNSKEY, DNSSEC_OK), Transport.TCP)
                .getSection(Section.ANSWER)
                .stream()
                .filter(record -> record.getType() == Type.DNSKEY)
                .count();
    }

    private Message query(String name) {
        return signed.client().query(Messages.query(name, Type.A, DNSSEC_OK), Transport.UDP);
    }
}
