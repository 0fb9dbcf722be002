package io.ballast.dns.dnssec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.dnssec.key.KeyAlgorithm;
import io.ballast.dns.dnssec.key.SigningKey;
import io.ballast.dns.dnssec.key.ZoneKeySet;
import io.ballast.dns.testing.ManualClock;
import io.ballast.dns.wire.RecordType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.DNSKEYRecord;
import org.xbill.DNS.DNSSEC;
import org.xbill.DNS.NSEC3Record;
import org.xbill.DNS.NSECRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

class ZoneSignerTest {

    private static final Name APEX = ParsedResponse.APEX;
    private static final Name WWW = Name.fromConstantString("www.example.com.");
    private static final int NEGATIVE_TTL = 60;

    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T09:30:00Z"));

    static ZoneSigner signer(ManualClock clock, KeyAlgorithm algorithm, DnssecConfig.Denial denial) {
        SignedZone zone = zone(algorithm, denial);
        return new ZoneSigner(zone, SigningProvider.fastest(), clock, new SplittableRandom(1));
    }

    static SignedZone zone(KeyAlgorithm algorithm, DnssecConfig.Denial denial) {
        SigningKey key = SigningKey.generate(algorithm);
        DnssecConfig config = new DnssecConfig(
                DnssecConfig.DEFAULT.algorithm(),
                denial,
                DnssecConfig.DEFAULT_VALIDITY,
                DnssecConfig.DEFAULT_KEY_TTL,
                DnssecConfig.DEFAULT_PARENT_DS_TTL,
                DnssecConfig.DEFAULT_MAX_TTL);
        return new SignedZone(APEX.toWireCanonical(), config, new ZoneKeySet(List.of(key), key), NEGATIVE_TTL);
    }

    private static byte[] address(int last) {
        return new byte[] {(byte) 192, 0, 2, (byte) last};
    }

    @ParameterizedTest
    @EnumSource
    void otherImplementationVerifiesSignature(KeyAlgorithm algorithm) throws Exception {
        ZoneSigner signer = signer(clock, algorithm, DnssecConfig.Denial.NSEC);
        List<byte[]> data = List.of(address(200), address(3), address(20), address(3));
        CanonicalRrset set = CanonicalRrset.of(RecordType.A, 300, 30, data);

        RRSIGRecord rrsig = (RRSIGRecord) ParsedResponse.records(signer.signature(WWW.toWireCanonical(), set), WWW)
                .get(0);

        assertThat(rrsig.getName()).isEqualTo(WWW);
        assertThat(rrsig.getTTL()).isEqualTo(30);
        assertThat(rrsig.getOrigTTL()).isEqualTo(300);
        assertThat(rrsig.getLabels()).isEqualTo(3);
        assertThat(rrsig.getSigner()).isEqualTo(APEX);
        assertThat(rrsig.getTimeSigned()).isEqualTo(clock.instant().minus(Duration.ofHours(1)));
        assertThat(rrsig.getExpire())
                .isBetween(
                        clock.instant().plus(Duration.ofDays(7).multipliedBy(9).dividedBy(10)),
                        clock.instant().plus(Duration.ofDays(7)));
        RRset served = new RRset();
        for (byte[] one : List.of(address(20), address(3), address(200))) {
            served.addRR(Record.newRecord(WWW, Type.A, 1, 30, one));
        }
        DNSKEYRecord key = (DNSKEYRecord) Record.newRecord(
                APEX, Type.DNSKEY, 1, 3600, signer.zone().signer().dnskey());
        DNSSEC.verify(served, rrsig, key, clock.instant());
    }

    @Test
    void labelCountExcludesAsterisk() {
        ZoneSigner signer = signer(clock, KeyAlgorithm.ECDSAP256SHA256, DnssecConfig.Denial.NSEC);
        Name wildcard = Name.fromConstantString("*.example.com.");
        CanonicalRrset set = CanonicalRrset.of(RecordType.A, 30, List.of(address(1)));

        RRSIGRecord rrsig =
                (RRSIGRecord) ParsedResponse.records(signer.signature(wildcard.toWireCanonical(), set), wildcard)
                        .get(0);

        assertThat(rrsig.getLabels()).isEqualTo(2);
        ParsedResponse.verify(
                signer.zone(), clock.instant(), Record.newRecord(wildcard, Type.A, 1, 30, address(1)), rrsig);
    }

    @Test
    void unchangedRecordsKeepSignatureUntilRenewal() {
        ZoneSigner signer = signer(clock, KeyAlgorithm.ECDSAP256SHA256, DnssecConfig.Denial.NSEC);
        byte[] owner = WWW.toWireCanonical();
        Duration longestCached = Duration.ofDays(7).dividedBy(DnssecConfig.MIN_TTLS_PER_VALIDITY);
        List<Long> madeByDay = new ArrayList<>();

        for (Duration passed = Duration.ZERO;
                passed.compareTo(Duration.ofDays(30)) < 0;
                passed = passed.plus(signer.renewalInterval())) {
            CanonicalRrset set = CanonicalRrset.of(RecordType.A, 300, List.of(address(1), address(2)));
            RRSIGRecord rrsig = (RRSIGRecord)
                    ParsedResponse.records(signer.signature(owner, set), WWW).get(0);

            clock.advance(signer.renewalInterval());
            assertThat(Duration.between(clock.instant(), rrsig.getExpire())).isGreaterThanOrEqualTo(longestCached);
            madeByDay.add(signer.signatureCount());
        }

        // A signature is used for at least 0.9 * 7 - 1.75 days, and at most 7 - 1.75 days.
        assertThat(signer.signatureCount()).isBetween(5L, 7L);
        assertThat(madeByDay.get(24)).isEqualTo(1);
    }

    @Test
    void changedRecordsAndOwnersAreSigned() {
        ZoneSigner signer = signer(clock, KeyAlgorithm.ECDSAP256SHA256, DnssecConfig.Denial.NSEC);

        signer.signature(WWW.toWireCanonical(), CanonicalRrset.of(RecordType.A, 300, List.of(address(1))));
        signer.signature(WWW.toWireCanonical(), CanonicalRrset.of(RecordType.A, 300, List.of(address(2))));
        signer.signature(APEX.toWireCanonical(), CanonicalRrset.of(RecordType.A, 300, List.of(address(1))));
        signer.signature(WWW.toWireCanonical(), CanonicalRrset.of(RecordType.A, 30, List.of(address(1))));
        assertThat(signer.signatureCount()).isEqualTo(4);

        // The health changed back, and only the served TTL changed.
        signer.signature(WWW.toWireCanonical(), CanonicalRrset.of(RecordType.A, 300, 5, List.of(address(1))));
        assertThat(signer.signatureCount()).isEqualTo(4);
    }

    @Test
    void clockSetBackCreatesNewSignatures() {
        ZoneSigner signer = signer(clock, KeyAlgorithm.ECDSAP256SHA256, DnssecConfig.Denial.NSEC);
        CanonicalRrset set = CanonicalRrset.of(RecordType.A, 300, List.of(address(1)));
        signer.signature(WWW.toWireCanonical(), set);

        clock.advance(Duration.ofDays(-1));
        signer.signature(WWW.toWireCanonical(), set);

        assertThat(signer.signatureCount()).isEqualTo(2);
    }

    @Test
    void nsecListsTypes() {
        ZoneSigner signer = signer(clock, KeyAlgorithm.ECDSAP256SHA256, DnssecConfig.Denial.NSEC);
        TypeBitmap types = signer.zone().bitmap(Type.A, Type.CAA);

        List<Record> records = ParsedResponse.records(signer.proveTypes(WWW.toWireCanonical(), types), WWW);

        NSECRecord nsec = (NSECRecord) records.get(0);
        assertThat(nsec.getName()).isEqualTo(WWW);
        assertThat(nsec.getTTL()).isEqualTo(NEGATIVE_TTL);
        assertThat(nsec.getNext()).isEqualTo(Name.fromConstantString("\\000.www.example.com."));
        assertThat(nsec.getTypes()).containsExactly(Type.A, Type.RRSIG, Type.NSEC, Type.CAA);
        ParsedResponse.verify(signer.zone(), clock.instant(), nsec, records.get(1));
    }

    @Test
    void nsec3ListsTypes() throws Exception {
        ZoneSigner signer = signer(clock, KeyAlgorithm.ED25519, DnssecConfig.Denial.NSEC3);
        TypeBitmap types = signer.zone().bitmap(Type.A);

        List<Record> records = ParsedResponse.records(signer.proveTypes(WWW.toWireCanonical(), types), WWW);

        NSEC3Record nsec3 = (NSEC3Record) records.get(0);
        byte[] hash = nsec3.hashName(WWW);
        assertThat(nsec3.getName()).isEqualTo(Nsec3Names.owner(hash));
        assertThat(nsec3.getIterations()).isZero();
        assertThat(nsec3.getSalt()).isNullOrEmpty();
        assertThat(nsec3.getFlags()).isZero();
        assertThat(nsec3.getNext()).isEqualTo(Nsec3Hash.plus(hash, 1));
        assertThat(nsec3.getTypes()).containsExactly(Type.A, Type.RRSIG);
        ParsedResponse.verify(signer.zone(), clock.instant(), nsec3, records.get(1));
    }

    @Test
    void nsec3OfUnsignedNameHasNoRrsig() {
        SignedZone zone = zone(KeyAlgorithm.ECDSAP256SHA256, DnssecConfig.Denial.NSEC3);

        assertThat(zone.bitmap().length()).isZero();
        assertThat(zone.bitmap(Type.NS).length())
                .isEqualTo(TypeBitmap.of(Type.NS).length());
        assertThat(zone.bitmap(Type.NS, Type.DS).length())
                .isEqualTo(TypeBitmap.of(Type.NS, Type.DS, Type.RRSIG).length());
    }

    @Test
    void keyRecordsContainAllPublishedKeys() {
        SigningKey one = SigningKey.generate(KeyAlgorithm.ECDSAP256SHA256);
        SigningKey two = SigningKey.generate(KeyAlgorithm.ECDSAP256SHA256);
        SignedZone zone = new SignedZone(
                APEX.toWireCanonical(), DnssecConfig.DEFAULT, new ZoneKeySet(List.of(one, two), two), NEGATIVE_TTL);

        assertThat(zone.keyRecords())
                .extracting(SignedZone.KeyRecords::type)
                .containsExactly(DnssecRecordType.DNSKEY, DnssecRecordType.CDS, DnssecRecordType.CDNSKEY);
        assertThat(zone.keyRecords().get(0).data()).containsExactly(one.dnskey(), two.dnskey());
        assertThat(zone.keyRecords().get(1).data())
                .containsExactly(one.ds(APEX.toWireCanonical()), two.ds(APEX.toWireCanonical()));
        assertThat(zone.signer()).isSameAs(two);
    }
}
