package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.DnssecConfig.Denial;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.SignedZoneFixture;
import io.ballast.dns.testing.ZoneFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests a system clock that is set back, as after a start with a wrong time. */
class ClockSetBackTest {

    private static final String ZONE = "example.com";
    private static final OPTRecord DNSSEC_OK = new OPTRecord(1232, 0, 0, ExtendedFlags.DO);

    /** Queries for answers that are signed in advance or on demand, including proofs and answers from wildcards. */
    private static final List<String> QUESTIONS = List.of(
            "example.com SOA",
            "example.com DNSKEY",
            "example.com CDS",
            "example.com A",
            "app.example.com A",
            "app.example.com AAAA",
            "ns1.example.com A",
            "a.wild.example.com A",
            "nope.example.com A");

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ZoneFixture fixture =
            new ZoneFixture().pool("web", ZoneFixture.backend("192.0.2.1"), ZoneFixture.backend("192.0.2.2"));
    private Duration offset = Duration.ofDays(3);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void signsEverythingAgain(Denial denial) throws IOException {
        try (SignedZoneFixture signed = start(denial)) {
            assertThat(notValid(signed)).isEmpty();

            offset = Duration.ofDays(-1);
            scheduler.advance(SignatureRenewal.INTERVAL);

            assertThat(notValid(signed)).isEmpty();
            assertThat(inceptions(signed))
                    .allSatisfy(inception ->
                            assertThat(inception).isBefore(clock().instant().minus(Duration.ofMinutes(29))));
        }
    }

    @Test
    void smallStepsAccumulate() throws IOException {
        try (SignedZoneFixture signed = start(Denial.NSEC)) {
            for (int i = 0; i < 20; i++) {
                offset = offset.minusMinutes(25);
                scheduler.advance(SignatureRenewal.INTERVAL);
                assertThat(notValid(signed)).as("after step %d", i).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 29})
    void smallStepKeepsSignatures(int minutes) throws IOException {
        try (SignedZoneFixture signed = start(Denial.NSEC)) {
            List<Instant> before = inceptions(signed);

            offset = offset.minusMinutes(minutes);
            scheduler.advance(SignatureRenewal.INTERVAL);

            assertThat(inceptions(signed)).isEqualTo(before);
        }
    }

    @Test
    void followsForwardStep() throws IOException {
        try (SignedZoneFixture signed = start(Denial.NSEC)) {
            offset = offset.plus(DnssecConfig.DEFAULT_VALIDITY).plusDays(1);
            scheduler.advance(SignatureRenewal.INTERVAL);

            assertThat(notValid(signed)).isEmpty();
        }
    }

    private SignedZoneFixture start(Denial denial) throws IOException {
        fixture.signed(new DnssecConfig(
                        DnssecConfig.Algorithm.ECDSAP256SHA256,
                        denial,
                        DnssecConfig.DEFAULT_VALIDITY,
                        DnssecConfig.DEFAULT_KEY_TTL,
                        DnssecConfig.DEFAULT_PARENT_DS_TTL,
                        DnssecConfig.DEFAULT_MAX_TTL))
                .zone(ZONE, ZoneFixture.service("app", "web"), ZoneFixture.service("*.wild", "web"));
        return new SignedZoneFixture(
                fixture, fixture.dns(), directory, scheduler, clock(), scheduler::nanoTime, Runnable::run);
    }

    /** Returns the queries whose answers fail validation at the correct time. */
    private static List<String> notValid(SignedZoneFixture signed) throws IOException {
        Resolver validator = signed.validator(signed.ds(ZONE, signed.keyTags(ZONE)));
        List<String> failed = new ArrayList<>();
        for (String question : QUESTIONS) {
            String[] words = question.split(" ");
            Message response = validator.send(Messages.query(words[0] + ".", Type.value(words[1])));
            if (!response.getHeader().getFlag(Flags.AD)) {
                failed.add(question + ":\n" + response);
            }
        }
        return failed;
    }

    /** Returns the inception times of signatures made in advance. */
    private static List<Instant> inceptions(SignedZoneFixture signed) {
        return Stream.of("example.com SOA", "example.com DNSKEY", "app.example.com A", "ns1.example.com AAAA")
                .map(question -> question.split(" "))
                .map(words ->
                        signed.client().query(Messages.query(words[0], Type.value(words[1]), DNSSEC_OK), Transport.TCP))
                .flatMap(response -> Stream.concat(
                        response.getSection(Section.ANSWER).stream(), response.getSection(Section.AUTHORITY).stream()))
                .filter(RRSIGRecord.class::isInstance)
                .map(record -> ((RRSIGRecord) record).getTimeSigned())
                .toList();
    }

    private Clock clock() {
        Clock running = scheduler.clock();
        return new Clock() {
            @Override
            public Instant instant() {
                return running.instant().plus(offset);
            }

            @Override
            public ZoneId getZone() {
                return running.getZone();
            }

            @Override
            public Clock withZone(ZoneId zone) {
                throw new UnsupportedOperationException("always UTC");
            }
        };
    }
}
