package io.ballast.dns.dnssec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.dnssec.key.KeyAlgorithm;
import io.ballast.dns.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.NSEC3Record;
import org.xbill.DNS.NSECRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

class OnDemandSignerTest {

    private static final Name MISSING = Name.fromConstantString("Missing.x.example.com.");
    private static final byte[] ADDRESS = {(byte) 192, 0, 2, 1};
    private static final long SIGNATURE_NANOS = 30_000_000;

    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T09:30:00Z"));
    private final SignedZone zone = ZoneSignerTest.zone(KeyAlgorithm.ECDSAP256SHA256, DnssecConfig.Denial.NSEC);
    private final SignedZone hashed = ZoneSignerTest.zone(KeyAlgorithm.ECDSAP256SHA256, DnssecConfig.Denial.NSEC3);
    private final Counts counts = new Counts();

    /** The time. Each read adds {@link #nanosPerLook}, as if a signature between two reads had taken that long. */
    private long nanos;

    private long nanosPerLook;

    private final OnDemandSigner signer = new OnDemandSigner(
            ParsedResponse.HASH,
            SigningProvider.fastest(),
            clock,
            () -> {
                nanos += nanosPerLook;
                return nanos;
            },
            Duration.ofMillis(100),
            counts);

    private static final class Counts implements OnDemandCounters {
        private int signed;
        private int refused;

        @Override
        public void countSigned() {
            signed++;
        }

        @Override
        public void countRefused() {
            refused++;
        }
    }

    @Test
    void missingNameIsDeniedByItsOwnNsec() {
        List<Record> records =
                ParsedResponse.records(signer.proveMissing(zone, ParsedResponse.query(MISSING)), MISSING);

        NSECRecord nsec = (NSECRecord) records.get(0);
        assertThat(nsec.getName()).isEqualTo(MISSING);
        assertThat(nsec.getNext()).isEqualTo(Name.fromConstantString("\\000.missing.x.example.com."));
        assertThat(nsec.getTypes()).containsExactly(Type.RRSIG, Type.NSEC, DnssecRecordType.NXNAME);
        ParsedResponse.verify(zone, clock.instant(), nsec, records.get(1));
    }

    @Test
    void wildcardRecordsAreSignedForQueriedName() {
        CanonicalRrset set = CanonicalRrset.of(Type.A, 300, 30, List.of(ADDRESS));

        List<Record> records =
                ParsedResponse.records(signer.signExpansion(zone, ParsedResponse.query(MISSING), set), MISSING);

        RRSIGRecord rrsig = (RRSIGRecord) records.get(0);
        assertThat(rrsig.getLabels()).isEqualTo(4);
        assertThat(rrsig.getTTL()).isEqualTo(30);
        ParsedResponse.verify(zone, clock.instant(), Record.newRecord(MISSING, Type.A, 1, 30, ADDRESS), rrsig);
    }

    @Test
    void wildcardTypesAreProvenForQueriedName() {
        List<Record> records = ParsedResponse.records(
                signer.proveTypes(zone, ParsedResponse.query(MISSING), zone.bitmap(Type.A)), MISSING);

        assertThat(((NSECRecord) records.get(0)).getTypes()).containsExactly(Type.A, Type.RRSIG, Type.NSEC);
        ParsedResponse.verify(zone, clock.instant(), records.get(0), records.get(1));
    }

    @Test
    void nextCloserNameIsCovered() throws Exception {
        Name deep = Name.fromConstantString("a.b.missing.x.example.com.");
        int encloser = Name.fromConstantString("x.example.com.").length();

        List<Record> records =
                ParsedResponse.records(signer.proveNoNextCloser(hashed, ParsedResponse.query(deep), encloser), deep);

        assertCovers((NSEC3Record) records.get(0), MISSING);
        ParsedResponse.verify(hashed, clock.instant(), records.get(0), records.get(1));
    }

    @Test
    void missingWildcardIsCovered() throws Exception {
        int encloser = Name.fromConstantString("x.example.com.").length();

        List<Record> records = ParsedResponse.records(
                signer.proveNoWildcard(hashed, ParsedResponse.query(MISSING), encloser), MISSING);

        assertCovers((NSEC3Record) records.get(0), Name.fromConstantString("*.x.example.com."));
        ParsedResponse.verify(hashed, clock.instant(), records.get(0), records.get(1));
    }

    private static void assertCovers(NSEC3Record nsec3, Name name) throws Exception {
        byte[] hash = nsec3.hashName(name);
        assertThat(nsec3.getName()).isEqualTo(Nsec3Names.owner(Nsec3Hash.plus(hash, -1)));
        assertThat(nsec3.getNext()).isEqualTo(Nsec3Hash.plus(hash, 1));
        assertThat(nsec3.getTypes()).isEmpty();
    }

    @Test
    void hashSuccessorCarries() {
        byte[] zeros = new byte[Nsec3Hash.BYTES];
        byte[] ones = new byte[Nsec3Hash.BYTES];
        Arrays.fill(ones, (byte) 0xff);

        assertThat(Nsec3Hash.plus(zeros, -1)).isEqualTo(ones);
        assertThat(Nsec3Hash.plus(ones, 1)).isEqualTo(zeros);
    }

    @Test
    void signaturesAreCached() {
        SignedRecords first = signer.proveMissing(zone, ParsedResponse.query(MISSING));

        clock.advance(Duration.ofMinutes(59));
        assertThat(signer.proveMissing(zone, ParsedResponse.query(MISSING))).isSameAs(first);
        clock.advance(Duration.ofMinutes(1));
        assertThat(signer.proveMissing(zone, ParsedResponse.query(MISSING))).isNotSameAs(first);
        assertThat(counts.signed).isEqualTo(2);
    }

    @Test
    void cachedSignaturesAreBoundToZoneAndSubject() {
        signer.proveMissing(zone, ParsedResponse.query(MISSING));
        SignedZone next = ZoneSignerTest.zone(KeyAlgorithm.ECDSAP256SHA256, DnssecConfig.Denial.NSEC);
        TypeBitmap types = zone.bitmap(Type.A);

        List<Record> ofNext = ParsedResponse.records(signer.proveMissing(next, ParsedResponse.query(MISSING)), MISSING);
        List<Record> ofTypes =
                ParsedResponse.records(signer.proveTypes(zone, ParsedResponse.query(MISSING), types), MISSING);

        ParsedResponse.verify(next, clock.instant(), ofNext.get(0), ofNext.get(1));
        assertThat(((NSECRecord) ofTypes.get(0)).getTypes()).contains(Type.A);
        assertThat(counts.signed).isEqualTo(3);
    }

    @Test
    void budgetLimitsSigningAndRecovers() {
        nanosPerLook = SIGNATURE_NANOS;
        int signed = 0;
        while (signer.proveMissing(zone, ParsedResponse.query(numbered(signed))) != null) {
            signed++;
        }

        // The budget is 100 ms for the first second, plus the amount refilled during the signing.
        assertThat(signed).isBetween(3, 5);
        assertThat(counts.refused).isEqualTo(1);
        assertThat(signer.proveMissing(zone, ParsedResponse.query(numbered(0))))
                .as("kept")
                .isNotNull();

        nanosPerLook = 0;
        nanos += 500_000_000;
        assertThat(signer.proveMissing(zone, ParsedResponse.query(numbered(1000))))
                .isNotNull();
    }

    private static Name numbered(int number) {
        return Name.fromConstantString("n" + number + ".example.com.");
    }

    @Test
    void randomNamesDoNotGrowMemory() {
        nanosPerLook = 0;
        SignatureCache cache = new SignatureCache(16);
        SignedRecords records = signer.proveMissing(zone, ParsedResponse.query(MISSING));
        byte[] name = {0};
        for (int i = 0; i < 1000; i++) {
            cache.put(i, name, 1, MISSING, zone, Long.MAX_VALUE, records);
        }

        int found = 0;
        for (int i = 0; i < 1000; i++) {
            found += cache.find(i, name, 1, MISSING, zone, 0) == null ? 0 : 1;
        }
        assertThat(found).isEqualTo(16);
        assertThat(cache.find(999, name, 1, MISSING, zone, 0)).isSameAs(records);
    }
}
