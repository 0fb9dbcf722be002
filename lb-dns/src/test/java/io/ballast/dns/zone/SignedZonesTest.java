package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.BackendState;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.DnssecConfig.Algorithm;
import io.ballast.dns.config.zone.DnssecConfig.Denial;
import io.ballast.dns.config.zone.HttpsConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.ServiceType;
import io.ballast.dns.config.zone.TtlConfig;
import io.ballast.dns.config.zone.WhenAllDown;
import io.ballast.dns.dnssec.key.KeyDirectory;
import io.ballast.dns.dnssec.key.KeyFileException;
import io.ballast.dns.dnssec.key.Rollover;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Routes;
import io.ballast.dns.testing.SignedZoneFixture;
import io.ballast.dns.testing.ZoneFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSECRecord;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Validates every kind of answer of signed zones. */
class SignedZonesTest {

    private static final String ZONE = "example.com";
    private static final int COMPACT_OK = 0x4000;
    private static final int NXNAME = 128;

    private static final Duration TTL = Duration.ofMinutes(2);
    private static final DnssecConfig SHORT_LIVED =
            new DnssecConfig(Algorithm.ECDSAP256SHA256, Denial.NSEC, Duration.ofMinutes(8), TTL, TTL, TTL);

    private static final String FILE = """
        $TTL 120
        @ SOA ns1 hostmaster 1 3600 600 604800 60
        @ NS ns1
        ns1 A 192.0.2.53
        www A 192.0.2.10
        www A 192.0.2.11
        mail MX 10 WWW
        a.b.c A 192.0.2.30
        *.wild A 192.0.2.20
        *.wcn CNAME www
        alias CNAME www
        dn DNAME c
        sub NS ns.sub
        ns.sub A 192.0.2.54
        sec NS ns.sec
        ns.sec A 192.0.2.55
        sec DS 12345 13 2 0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF
        """;

    /** Name, type and expected result of each query: an answer, no such type (NODATA), or no such name. */
    private static final List<String> QUESTIONS = List.of(
            "@ SOA answer",
            "@ NS answer",
            "@ DNSKEY answer",
            "@ CDS answer",
            "@ CDNSKEY answer",
            "@ A nodata",
            "www A answer",
            "targets A answer",
            "targets A answer",
            "targets HTTPS nodata",
            "hints A answer",
            "hints HTTPS answer",
            "WWW A answer",
            "www AAAA nodata",
            "www ANY answer",
            "mail MX answer",
            "b.c A nodata",
            "c A nodata",
            "alias A answer",
            "a.b.dn A answer",
            "zz.dn A missing",
            "sub DS nodata",
            "sec DS answer",
            "x.wild A answer",
            "x.y.wild A answer",
            "x.wild AAAA nodata",
            "*.wild A answer",
            "q.wcn A answer",
            "nope A missing",
            "deep.nope A missing",
            "x.www A missing",
            "a.c A missing",
            "all A answer",
            "all AAAA nodata",
            "one A answer",
            "one A answer",
            "two A answer",
            "two A answer",
            "two A answer",
            "deep.ent A answer",
            "post MX answer",
            "post A answer",
            "post AAAA nodata",
            "led A answer",
            "led CNAME answer",
            "led MX answer",
            "x.led A missing",
            "x.rwild A answer",
            "ent A nodata");

    private final ZoneFixture fixture = new ZoneFixture();
    private final ManualScheduler scheduler = new ManualScheduler();

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void writeZone() throws IOException {
        file = Files.writeString(directory.resolve("example.com.zone"), FILE);
        fixture.pool(
                "web",
                ZoneFixture.backend("192.0.2.1"),
                ZoneFixture.backend("192.0.2.2"),
                ZoneFixture.backend("192.0.2.3"));
    }

    private SignedZoneFixture start(Algorithm algorithm, Denial denial) throws IOException {
        DnssecConfig config = new DnssecConfig(
                algorithm,
                denial,
                DnssecConfig.DEFAULT_VALIDITY,
                DnssecConfig.DEFAULT_KEY_TTL,
                DnssecConfig.DEFAULT_PARENT_DS_TTL,
                DnssecConfig.DEFAULT_MAX_TTL);
        return start(config);
    }

    private SignedZoneFixture start(DnssecConfig config) throws IOException {
        fixture.withoutZones();
        fixture.signed(config)
                .zone(
                        ZONE,
                        file,
                        ZoneFixture.service("all", "web"),
                        ZoneFixture.service("one", "web", Routing.ROUND_ROBIN, 1),
                        ZoneFixture.service("two", "web", Routing.WEIGHTED, 2),
                        ZoneFixture.service("deep.ent", "web", Routing.WEIGHTED, 1),
                        ZoneFixture.service("post", "web"),
                        Routes.service(
                                "post",
                                ServiceType.MX,
                                Routes.records(Routes.onPool("10 www", "web"), Routes.always("20 mail"))),
                        Routes.service("led", ServiceType.CNAME, Routes.records(Routes.onPool("post", "web"))),
                        Routes.service("*.rwild", ServiceType.CNAME, Routes.records(Routes.always("www"))),
                        Routes.service(
                                "targets",
                                Routes.among(
                                        Routing.HASH,
                                        Routes.pool("web", Routing.HASH),
                                        Routes.among(
                                                Routing.WEIGHTED, Routes.weighted("web", 3), Routes.weighted("web", 1)),
                                        Routes.among(Routing.ROUND_ROBIN, Routes.pool("web"), Routes.pool("web")))),
                        new ServiceConfig(
                                "hints",
                                Routes.pool("web"),
                                TtlConfig.fixed(ZoneFixture.TTL),
                                WhenAllDown.ALL,
                                Optional.of(new HttpsConfig(1, List.of("h2"), Optional.empty()))));
        return new SignedZoneFixture(fixture, fixture.dns(), directory, scheduler);
    }

    private SignedZoneFixture start() throws IOException {
        return start(Algorithm.ECDSAP256SHA256, Denial.NSEC);
    }

    private static void assertAllValid(SignedZoneFixture signed, Denial denial, List<Integer> trusted)
            throws IOException {
        Resolver validator = signed.validator(signed.ds(ZONE, trusted));
        List<String> failed = new ArrayList<>();
        for (String question : QUESTIONS) {
            String[] words = question.split(" ");
            String name = words[0].equals("@") ? ZONE : words[0] + "." + ZONE;
            Message response = validator.send(Messages.query(name + ".", Type.value(words[1])));
            boolean answered = !response.getSection(Section.ANSWER).isEmpty();
            boolean nxdomain = words[2].equals("missing") && denial == Denial.NSEC3;
            boolean asExpected = response.getHeader().getFlag(Flags.AD)
                    && response.getRcode() == (nxdomain ? Rcode.NXDOMAIN : Rcode.NOERROR)
                    && (answered || !words[2].equals("answer"));
            if (!asExpected) {
                failed.add(question + ":\n" + response);
            }
        }
        assertThat(failed).isEmpty();
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({"ECDSAP256SHA256,NSEC", "ECDSAP256SHA256,NSEC3", "ED25519,NSEC", "ED25519,NSEC3"})
    void validatorAcceptsAllAnswers(Algorithm algorithm, Denial denial) throws IOException {
        try (SignedZoneFixture signed = start(algorithm, denial)) {
            assertAllValid(signed, denial, signed.keyTags(ZONE));
        }
    }

    @Test
    void checkingDisabledBitIsEchoed() throws IOException {
        try (SignedZoneFixture signed = start()) {
            Message query = Messages.query("www.example.com", Type.A);
            query.getHeader().setFlag(Flags.CD);
            assertThat(signed.client().query(query, Transport.TCP).getHeader().getFlag(Flags.CD))
                    .isFalse();
            query.addRecord(new OPTRecord(1232, 0, 0, ExtendedFlags.DO), Section.ADDITIONAL);
            assertThat(signed.client().query(query, Transport.TCP).getHeader().getFlag(Flags.CD))
                    .isTrue();
            query.getHeader().unsetFlag(Flags.CD);
            assertThat(signed.client().query(query, Transport.TCP).getHeader().getFlag(Flags.CD))
                    .isFalse();
        }
    }

    @Test
    void validatorRejectsOtherKey() throws IOException {
        try (SignedZoneFixture signed = start();
                SignedZoneFixture forged =
                        new SignedZoneFixture(fixture, fixture.dns(), directory.resolve("other"), scheduler)) {
            Resolver validator = forged.validator(signed.ds(ZONE, signed.keyTags(ZONE)));

            Message response = validator.send(Messages.query("www.example.com.", Type.A));

            assertThat(response.getRcode()).isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void restartKeepsKey() throws IOException {
        List<Integer> before;
        try (SignedZoneFixture signed = start()) {
            before = signed.keyTags(ZONE);
        }

        try (SignedZoneFixture signed = start()) {
            assertThat(signed.keyTags(ZONE)).isEqualTo(before);
            assertAllValid(signed, Denial.NSEC, before);
        }
    }

    @Test
    void unusableKeyPreventsStart() throws IOException {
        start().close();
        KeyDirectory keys = new KeyDirectory(directory, ZONE);
        Path broken = Files.writeString(keys.load().get(0).file(), "Private-key-format: v1.3\n");

        assertThatThrownBy(this::start).isInstanceOf(KeyFileException.class).hasMessageStartingWith(broken.toString());
    }

    @Test
    void rolloverKeepsValidatorsValid() throws IOException {
        try (SignedZoneFixture signed = start(SHORT_LIVED)) {
            Rollover rollover = new Rollover(new KeyDirectory(directory, ZONE), SHORT_LIVED, scheduler.clock());
            List<Integer> old = signed.keyTags(ZONE);

            int next = rollover.start().key().tag();
            settle(signed);
            assertAllValid(signed, Denial.NSEC, old);

            rollover.recordDsPublished();
            signed.advance(SHORT_LIVED.parentDsTtl());
            rollover.advance(/* force= */ false);
            settle(signed);
            assertAllValid(signed, Denial.NSEC, List.of(next));

            signed.advance(SHORT_LIVED.maxTtl());
            rollover.advance(/* force= */ false);
            settle(signed);
            assertAllValid(signed, Denial.NSEC, List.of(next));
            assertThat(rrsigs(signed, "www.example.com.", Type.A))
                    .extracting(RRSIGRecord::getFootprint)
                    .containsOnly(next);
        }
    }

    private static void settle(SignedZoneFixture signed) {
        signed.advance(Duration.ofSeconds(5));
    }

    @Test
    void renewsSignaturesContinuously() throws IOException {
        try (SignedZoneFixture signed = start(SHORT_LIVED)) {
            for (int minute = 0; minute < 30; minute++) {
                signed.advance(Duration.ofMinutes(1));
                for (RRSIGRecord rrsig : rrsigs(signed, "all.example.com.", Type.A)) {
                    assertThat(Duration.between(scheduler.clock().instant(), rrsig.getExpire()))
                            .isGreaterThan(SHORT_LIVED.maxTtl());
                }
            }
            assertAllValid(signed, Denial.NSEC, signed.keyTags(ZONE));
        }
    }

    @Test
    void healthChangesAreSigned() throws IOException {
        try (SignedZoneFixture signed = start()) {
            fixture.set("web", "192.0.2.2", BackendState.DOWN);

            assertThat(Messages.answers(query(signed, "all.example.com.", Type.A, 0)))
                    .hasSize(3);
            assertAllValid(signed, Denial.NSEC, signed.keyTags(ZONE));
        }
    }

    @Test
    void randomNameFloodIsLimited() throws IOException {
        start().close();
        LongSupplier slow = new LongSupplier() {
            private long nanos;

            @Override
            public long getAsLong() {
                return nanos += 10_000_000;
            }
        };
        try (SignedZoneFixture signed = new SignedZoneFixture(fixture, fixture.dns(), directory, scheduler, slow)) {
            Message refused = null;
            for (int i = 0; i < 1000 && refused == null; i++) {
                Message response = query(signed, "random" + i + ".example.com.", Type.A, 0);
                refused = response.getRcode() == Rcode.REFUSED ? response : null;
            }

            assertThat(refused).isNotNull();
            assertThat(Messages.answers(refused)).isEmpty();
            assertThat(refused.getSection(Section.AUTHORITY)).isEmpty();
            assertThat(refused.getOPT().getOptions(EDNSOption.Code.EDNS_EXTENDED_ERROR))
                    .singleElement()
                    .isInstanceOfSatisfying(ExtendedErrorCodeOption.class, error -> {
                        assertThat(error.getErrorCode()).isZero();
                        assertThat(error.getText()).isEqualTo("signing took too long");
                    });
            assertThat(signed.client().stats().sum(DnsCounter.SIGNATURES_REFUSED))
                    .isPositive();
            assertThat(query(signed, "www.example.com.", Type.A, 0).getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(signed.client().query("random.example.com.", Type.A).getRcode())
                    .isEqualTo(Rcode.NXDOMAIN);
        }
    }

    @Test
    void signaturesAreSentOnRequest() throws IOException {
        try (SignedZoneFixture signed = start()) {
            for (String name :
                    List.of("www.example.com.", "x.wild.example.com.", "nope.example.com.", "all.example.com.")) {
                Message response = signed.client().query(name, Type.A);

                for (int section : List.of(Section.ANSWER, Section.AUTHORITY)) {
                    assertThat(response.getSection(section))
                            .extracting(Record::getType)
                            .doesNotContain(Type.RRSIG, Type.NSEC);
                }
            }
            assertThat(signed.client().query("nope.example.com.", Type.A).getRcode())
                    .isEqualTo(Rcode.NXDOMAIN);
        }
    }

    @Test
    void compactDenialUsesOneRecord() throws IOException {
        try (SignedZoneFixture signed = start()) {
            Message response = query(signed, "nope.example.com.", Type.A, 0);

            assertThat(response.getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(nsec(response).getTypes()).containsExactly(Type.RRSIG, Type.NSEC, NXNAME);
            Message ofEmpty = query(signed, "ent.example.com.", Type.A, 0);
            assertThat(nsec(ofEmpty).getTypes()).containsExactly(Type.RRSIG, Type.NSEC);
        }
    }

    private static NSECRecord nsec(Message response) {
        return (NSECRecord) response.getSection(Section.AUTHORITY).stream()
                .filter(record -> record.getType() == Type.NSEC)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void compactDenialClientGetsNxdomain() throws IOException {
        try (SignedZoneFixture signed = start()) {
            assertThat(query(signed, "nope.example.com.", Type.A, COMPACT_OK).getRcode())
                    .isEqualTo(Rcode.NXDOMAIN);
            assertThat(query(signed, "ent.example.com.", Type.A, COMPACT_OK).getRcode())
                    .isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void nxnameTypeCannotBeQueried() throws IOException {
        try (SignedZoneFixture signed = start()) {
            assertThat(query(signed, "www.example.com.", NXNAME, 0).getRcode()).isEqualTo(Rcode.FORMERR);
        }
    }

    @Test
    void unsignedDelegationIsProven() throws IOException {
        try (SignedZoneFixture signed = start()) {
            Message response = query(signed, "x.sub.example.com.", Type.A, 0);

            assertThat(nsec(response).getTypes()).containsExactly(Type.NS, Type.RRSIG, Type.NSEC);
            assertThat(response.getSection(Section.AUTHORITY))
                    .filteredOn(record -> record instanceof RRSIGRecord)
                    .extracting(record -> ((RRSIGRecord) record).getTypeCovered())
                    .containsExactly(Type.NSEC);
            assertThat(query(signed, "x.sec.example.com.", Type.A, 0).getSection(Section.AUTHORITY))
                    .extracting(Record::getType)
                    .containsExactly(Type.NS, Type.DS, Type.RRSIG);
        }
    }

    private static List<RRSIGRecord> rrsigs(SignedZoneFixture signed, String name, int type) {
        return query(signed, name, type, 0).getSection(Section.ANSWER).stream()
                .filter(RRSIGRecord.class::isInstance)
                .map(RRSIGRecord.class::cast)
                .toList();
    }

    private static Message query(SignedZoneFixture signed, String name, int type, int flags) {
        OPTRecord opt = new OPTRecord(1232, 0, 0, ExtendedFlags.DO | flags);
        return signed.client().query(Messages.query(name, type, opt), Transport.UDP);
    }
}
