package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.answer.Transport;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.AnswererResolver;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DNSKEYRecord;
import org.xbill.DNS.DNSSEC;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;
import org.xbill.DNS.dnssec.ValidatingResolver;

/** Tests zones signed by BIND's dnssec-signzone with two algorithms, valid until 2056. */
class PresignedZoneTest {

    private static final Path FILES = Path.of("src/test/resources/presigned");

    /** Names answered by wildcards. */
    private static final Set<String> EXPANDED = Set.of("towild", "x.any", "y.x.any", "q.wc");

    @TempDir
    private Path directory;

    private static AnswererClient serve(String file) {
        return new AnswererClient(new ZoneFixture().zone("example.com", FILES.resolve(file + ".zone")));
    }

    private static Message query(AnswererClient client, String name, int type) {
        OPTRecord dnssecOk = new OPTRecord(4096, 0, 0, ExtendedFlags.DO);
        return client.query(Messages.query(name + ".example.com", type, dnssecOk), Transport.TCP);
    }

    private static ValidatingResolver validator(AnswererClient client) throws IOException {
        String anchors = client.query("example.com", Type.DNSKEY).getSection(Section.ANSWER).stream()
                .map(DNSKEYRecord.class::cast)
                .filter(key -> (key.getFlags() & DNSKEYRecord.Flags.SEP_KEY) != 0)
                .map(Record::toString)
                .collect(Collectors.joining("\n", "", "\n"));
        ValidatingResolver validator = new ValidatingResolver(new AnswererResolver(() -> client), Clock.systemUTC());
        validator.loadTrustAnchors(new ByteArrayInputStream(anchors.getBytes(StandardCharsets.US_ASCII)));
        validator.setTimeout(Duration.ofSeconds(30));
        return validator;
    }

    static Stream<Arguments> questions() {
        return Stream.of("nsec", "nsec3", "optout")
                .flatMap(file -> Stream.of(
                        Arguments.of(file, "www", Type.A, Rcode.NOERROR),
                        Arguments.of(file, "WwW2", Type.TXT, Rcode.NOERROR),
                        Arguments.of(file, "www", Type.AAAA, Rcode.NOERROR),
                        Arguments.of(file, "alias", Type.A, Rcode.NOERROR),
                        Arguments.of(file, "alias", Type.AAAA, Rcode.NOERROR),
                        Arguments.of(file, "towild", Type.A, Rcode.NOERROR),
                        Arguments.of(file, "x.any", Type.A, Rcode.NOERROR),
                        Arguments.of(file, "y.x.any", Type.A, Rcode.NOERROR),
                        Arguments.of(file, "x.any", Type.AAAA, Rcode.NOERROR),
                        Arguments.of(file, "*.any", Type.A, Rcode.NOERROR),
                        Arguments.of(file, "z.sub.any", Type.A, Rcode.NXDOMAIN),
                        Arguments.of(file, "q.wc", Type.A, Rcode.NOERROR),
                        Arguments.of(file, "c.ent", Type.A, Rcode.NOERROR),
                        Arguments.of(file, "nx.c.ent", Type.A, Rcode.NXDOMAIN),
                        Arguments.of(file, "nx", Type.A, Rcode.NXDOMAIN),
                        Arguments.of(file, "a.b.nx", Type.A, Rcode.NXDOMAIN),
                        Arguments.of(file, "signed", Type.DS, Rcode.NOERROR),
                        Arguments.of(file, "www.old", Type.A, Rcode.NOERROR),
                        Arguments.of(file, "z\\000z", Type.A, Rcode.NOERROR),
                        Arguments.of(file, "z\\001z", Type.A, Rcode.NXDOMAIN),
                        Arguments.of(file, "za", Type.A, Rcode.NXDOMAIN)));
    }

    @ParameterizedTest(name = "{0}: {1} {2}")
    @MethodSource("questions")
    void answersAreValid(String file, String name, int type, int rcode) throws IOException {
        Message answer = validator(serve(file)).send(Messages.query(name + ".example.com", type));

        assertThat(answer.getRcode()).isEqualTo(rcode);
        // With opt-out, the absence of a closer name cannot be proven, since an omitted delegation may exist.
        boolean isMissing = rcode == Rcode.NXDOMAIN || EXPANDED.contains(name);
        boolean isProvable = !(file.equals("optout") && isMissing);
        assertThat(answer.getHeader().getFlag(Flags.AD)).isEqualTo(isProvable);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nsec", "nsec3", "optout"})
    void unsignedDelegationsAreProven(String file) {
        Message referral = query(serve(file), "a.unsig", Type.A);

        int proof = file.equals("nsec") ? Type.NSEC : Type.NSEC3;
        assertThat(referral.getSection(Section.AUTHORITY))
                .extracting(Record::getType)
                .contains(Type.NS, proof, Type.RRSIG)
                .doesNotContain(Type.DS);
        assertThat(referral.getSection(Section.ADDITIONAL))
                .extracting(Record::getType)
                .contains(Type.A);
    }

    @Test
    void signedDelegationHasDs() {
        Message referral = query(serve("optout"), "a.signed", Type.A);

        assertThat(referral.getSection(Section.AUTHORITY))
                .extracting(Record::getType)
                .contains(Type.NS, Type.DS, Type.RRSIG)
                .doesNotContain(Type.NSEC3);
    }

    @Test
    void recordSetsHaveAllSignatures() {
        assertThat(query(serve("nsec"), "www", Type.A).getSection(Section.ANSWER))
                .filteredOn(RRSIGRecord.class::isInstance)
                .extracting(record -> ((RRSIGRecord) record).getAlgorithm())
                .containsExactlyInAnyOrder(DNSSEC.Algorithm.ECDSAP256SHA256, DNSSEC.Algorithm.ED25519);
    }

    @Test
    void wildcardAliasIsProvenOnce() {
        Message answer = query(serve("nsec3"), "q.wc", Type.A);

        assertThat(answer.getSection(Section.AUTHORITY))
                .filteredOn(record -> record.getType() == Type.NSEC3)
                .hasSize(2)
                .doesNotHaveDuplicates();
    }

    @Test
    void signaturesAreSentOnRequest() {
        Message answer = serve("nsec").query("nx.example.com", Type.A);

        assertThat(answer.getRcode()).isEqualTo(Rcode.NXDOMAIN);
        assertThat(answer.getSection(Section.AUTHORITY))
                .extracting(Record::getType)
                .containsExactly(Type.SOA);
    }

    @Test
    void dnssecRecordsAreAnswered() {
        AnswererClient nsec = serve("nsec");

        assertThat(nsec.query("www.example.com", Type.NSEC).getSection(Section.ANSWER))
                .hasSize(1);
        assertThat(query(nsec, "alias", Type.NSEC).getSection(Section.ANSWER)).hasSize(3);
        assertThat(nsec.query("www.example.com", Type.RRSIG).getSection(Section.ANSWER))
                .hasSize(2);
        assertThat(nsec.query("example.com", Type.DNSKEY).getSection(Section.ANSWER))
                .hasSize(4);
        assertThat(serve("nsec3").query("example.com", Type.NSEC3PARAM).getSection(Section.ANSWER))
                .hasSize(1);
    }

    @Test
    void anyReturnsOneSignedSet() {
        assertThat(query(serve("nsec"), "www", Type.ANY).getSection(Section.ANSWER))
                .extracting(Record::getType)
                .containsExactly(Type.A, Type.RRSIG, Type.RRSIG);
    }

    @Test
    void nsec3OwnersAreNoNames() throws IOException {
        Record hashed = query(serve("nsec3"), "nx", Type.A).getSection(Section.AUTHORITY).stream()
                .filter(record -> record.getType() == Type.NSEC3)
                .findFirst()
                .orElseThrow();

        assertThat(serve("nsec3").query(hashed.getName().toString(), Type.NSEC3).getRcode())
                .isEqualTo(Rcode.NXDOMAIN);
    }

    @Test
    void rejectsTooManyIterations() {
        assertThatThrownBy(() -> serve("iterated"))
                .isInstanceOf(InvalidZoneException.class)
                .hasMessageContaining("NSEC3 with 101 iterations (expected: at most 100");
    }

    @Test
    void rejectsServices() {
        ZoneFixture fixture = new ZoneFixture()
                .pool("web", ZoneFixture.backend("192.0.2.1"))
                .zone("example.com", FILES.resolve("nsec.zone"), ZoneFixture.service("app", "web"));

        assertThatThrownBy(() -> new AnswererClient(fixture))
                .isInstanceOf(InvalidZoneException.class)
                .hasMessageContaining("example.com is signed by another server (expected: no services in the zone");
    }

    private Path without(String file, String... words) throws IOException {
        List<String> lines = Files.readAllLines(FILES.resolve(file + ".zone")).stream()
                .filter(line -> Stream.of(words).noneMatch(line::contains))
                .toList();
        return Files.write(directory.resolve("example.zone"), lines);
    }

    @Test
    void rejectsZoneWithoutDenials() throws IOException {
        ZoneFixture fixture = new ZoneFixture().zone("example.com", without("nsec3", "NSEC3PARAM"));

        assertThatThrownBy(() -> new AnswererClient(fixture))
                .hasMessageContaining("signatures without authenticated denial of existence");
    }

    @Test
    void rejectsUnsignedApex() throws IOException {
        Path file = Files.writeString(directory.resolve("example.zone"), """
                @   300 SOA  ns1 host 1 7200 3600 1209600 60
                @   300 NS   ns1
                ns1 300 A    192.0.2.53
                www 300 NSEC ns1 A NSEC
                """);

        assertThatThrownBy(() -> new AnswererClient(new ZoneFixture().zone("example.com", file)))
                .hasMessageContaining("NSEC (expected: a completely signed zone");
    }
}
