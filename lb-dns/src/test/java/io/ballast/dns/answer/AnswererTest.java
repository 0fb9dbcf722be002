package io.ballast.dns.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests an authoritative server case by case; dnsjava parses the responses. */
class AnswererTest {

    private final AnswererClient client = new AnswererClient(new ZoneFixture()
            .pool(
                    "web",
                    ZoneFixture.backend("192.0.2.1"),
                    ZoneFixture.backend("192.0.2.2"),
                    ZoneFixture.backend("2001:db8::1"))
            .pool("v4", ZoneFixture.backend("192.0.2.9"))
            .pool("thirty", addresses(30))
            .pool("hundred", addresses(100))
            .zone(
                    "example.com",
                    ZoneFixture.service("@", "v4"),
                    ZoneFixture.service("app", "web"),
                    ZoneFixture.service("deep.er.down", "web"),
                    ZoneFixture.service("old", "v4"),
                    ZoneFixture.service("*.wild", "web"),
                    ZoneFixture.service("known.wild", "v4"),
                    ZoneFixture.service("thirty", "thirty"),
                    ZoneFixture.service("hundred", "hundred"))
            .zone("in.ner.example.com", ZoneFixture.service("app", "v4")));

    @Test
    void answersWithRecordsOfType() {
        Message response = client.query("app.example.com", Type.A);

        assertThat(response.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(Messages.isAuthoritative(response)).isTrue();
        assertThat(Messages.has(response, Flags.RD)).isTrue();
        assertThat(Messages.has(response, Flags.RA)).isFalse();
        assertThat(Messages.answers(response)).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
        assertThat(response.getSection(Section.ANSWER))
                .allMatch(record -> record.getTTL() == ZoneFixture.TTL.toSeconds()
                        && record.getName().equals(Messages.name("app.example.com")));
        assertThat(response.getSection(Section.AUTHORITY)).isEmpty();
        assertThat(response.getSection(Section.ADDITIONAL)).isEmpty();
        assertThat(Messages.answers(client.query("app.example.com", Type.AAAA)))
                .containsExactly("2001:db8:0:0:0:0:0:1");
    }

    @Test
    void rdIsCopied() {
        Message query = Messages.query("app.example.com", Type.A);
        query.getHeader().unsetFlag(Flags.RD);

        assertThat(Messages.has(client.query(query, Transport.UDP), Flags.RD)).isFalse();
    }

    @Test
    void questionIsEchoedUnchanged() {
        byte[] query = Messages.query("aPp.eXAMple.Com", Type.A).toWire();

        byte[] response = client.query(query, Transport.UDP);

        assertThat(Arrays.copyOfRange(response, 12, query.length))
                .isEqualTo(Arrays.copyOfRange(query, 12, query.length));
        assertThat(Messages.answers(Messages.parse(response))).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"old.example.com", "er.down.example.com", "down.example.com", "wild.example.com"})
    void nameWithoutTypeIsNodata(String name) {
        assertNegative(client.query(name, Type.AAAA), Rcode.NOERROR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nope.example.com", "x.app.example.com", "x.down.example.com", "xdown.example.com"})
    void missingNameIsNxdomain(String name) {
        assertNegative(client.query(name, Type.A), Rcode.NXDOMAIN);
        assertNegative(client.query(name, Type.ANY), Rcode.NXDOMAIN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"com", ".", "example.org", "notexample.com", "app.example.com.org"})
    void nameOutsideZonesIsRefused(String name) {
        Message response = client.query(name, Type.A);

        assertThat(response.getRcode()).isEqualTo(Rcode.REFUSED);
        assertThat(Messages.isAuthoritative(response)).isFalse();
        assertThat(response.getQuestion().getName()).isEqualTo(Messages.name(name));
        assertThat(response.getSection(Section.AUTHORITY)).isEmpty();
    }

    @Test
    void apexAnswersSoaNsAndService() {
        Message soa = client.query("example.com", Type.SOA);
        Message ns = client.query("example.com", Type.NS);

        assertThat(Messages.answers(soa))
                .containsExactly("ns1.example.com. hostmaster.elsewhere.net. 4000000000 7200 3600 1209600 60");
        assertThat(soa.getSection(Section.ANSWER).get(0).getTTL()).isEqualTo(60);
        assertThat(Messages.answers(ns)).containsExactlyInAnyOrder("ns1.example.com.", "ns2.elsewhere.net.");
        assertThat(ns.getSection(Section.ANSWER)).allMatch(record -> record.getTTL() == ZoneFixture.NS_TTL.toSeconds());
        assertThat(Messages.answers(client.query("example.com", Type.A))).containsExactly("192.0.2.9");
        assertNegative(client.query("example.com", Type.TXT), Rcode.NOERROR);
    }

    @Test
    void innermostZoneAnswers() {
        assertThat(Messages.answers(client.query("app.in.ner.example.com", Type.A)))
                .containsExactly("192.0.2.9");
        Message nxdomain = client.query("nope.in.ner.example.com", Type.A);
        assertThat(nxdomain.getSection(Section.AUTHORITY).get(0).getName())
                .isEqualTo(Messages.name("in.ner.example.com"));
        // ner.example.com is not a zone: the name exists in the outer zone, because the inner zone is below it.
        assertNegative(client.query("ner.example.com", Type.A), Rcode.NOERROR);
    }

    @Test
    void wildcardAnswersForMissingNames() {
        Message response = client.query("Any.thing.wild.example.com", Type.A);

        assertThat(Messages.answers(response)).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
        assertThat(response.getSection(Section.ANSWER))
                .allMatch(record -> record.getName().equals(Messages.name("any.thing.wild.example.com")));
        assertThat(Messages.answers(client.query("*.wild.example.com", Type.A))).hasSize(2);
        assertNegative(client.query("x.wild.example.com", Type.TXT), Rcode.NOERROR);
    }

    @Test
    void existingNamesHideWildcard() {
        assertThat(Messages.answers(client.query("known.wild.example.com", Type.A)))
                .containsExactly("192.0.2.9");
        assertNegative(client.query("known.wild.example.com", Type.AAAA), Rcode.NOERROR);
        // The closest encloser of the queried name is an existing name without a wildcard.
        assertNegative(client.query("x.known.wild.example.com", Type.A), Rcode.NXDOMAIN);
    }

    @Test
    void anyIsAnsweredWithHinfo() {
        Message response = client.query("app.example.com", Type.ANY);

        assertThat(Messages.answers(response)).containsExactly("\"RFC8482\" \"\"");
        assertThat(response.getSection(Section.ANSWER).get(0).getType()).isEqualTo(Type.HINFO);
        assertThat(Messages.answers(client.query("example.com", Type.ANY))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {DClass.CH, DClass.HS, DClass.ANY, DClass.NONE})
    void otherClassesAreRefused(int otherClass) {
        Record question = Record.newRecord(Messages.name("app.example.com"), Type.A, otherClass);

        Message response = client.query(Message.newQuery(question), Transport.UDP);

        assertThat(response.getRcode()).isEqualTo(Rcode.REFUSED);
    }

    @ParameterizedTest
    @ValueSource(ints = {Type.AXFR, Type.IXFR})
    void transfersAreRefused(int type) {
        assertThat(client.query(Messages.query("example.com", type), Transport.TCP)
                        .getRcode())
                .isEqualTo(Rcode.REFUSED);
    }

    @Test
    void otherOpcodesGetNotimp() {
        Message query = Messages.query("app.example.com", Type.A);
        query.getHeader().setOpcode(5);

        Message response = client.query(query, Transport.UDP);

        assertThat(response.getRcode()).isEqualTo(Rcode.NOTIMP);
        assertThat(response.getHeader().getOpcode()).isEqualTo(5);
        assertThat(Messages.has(query, Flags.RD)).isTrue();
        assertThat(Messages.has(response, Flags.RD)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {Type.OPT, Type.TSIG, Type.TKEY})
    void metaTypesAreFormerr(int type) {
        for (String name : List.of("app.example.com", "elsewhere.net")) {
            Message response = client.query(name, type);

            assertThat(response.getRcode()).isEqualTo(Rcode.FORMERR);
            assertThat(response.getSection(Section.ANSWER)).isEmpty();
        }
    }

    @Test
    void ednsIsAnswered() {
        OPTRecord opt = new OPTRecord(4096, 0, 0, ExtendedFlags.DO);

        OPTRecord responseOpt = client.query(Messages.query("app.example.com", Type.A, opt), Transport.UDP)
                .getOPT();

        assertThat(responseOpt.getPayloadSize()).isEqualTo(1232);
        assertThat(responseOpt.getVersion()).isZero();
        assertThat(responseOpt.getFlags()).isEqualTo(ExtendedFlags.DO);
        assertThat(responseOpt.getOptions()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"app.example.com", "nope.example.com", "old.example.com", "example.org"})
    void everyAnswerToEdnsHasOpt(String name) {
        OPTRecord opt = new OPTRecord(1232, 0, 0);

        Message response = client.query(Messages.query(name, Type.AAAA, opt), Transport.UDP);

        assertThat(response.getOPT()).isNotNull();
        assertThat(response.getOPT().getFlags()).isZero();
    }

    @Test
    void newerEdnsVersionGetsBadvers() {
        OPTRecord opt = new OPTRecord(1232, 0, 1);

        Message response = client.query(Messages.query("app.example.com", Type.A, opt), Transport.UDP);

        assertThat(response.getRcode()).isEqualTo(Rcode.BADVERS);
        assertThat(response.getOPT().getVersion()).isZero();
        assertThat(response.getSection(Section.ANSWER)).isEmpty();
        assertThat(client.stats().sum(DnsCounter.BADVERS)).isEqualTo(1);
    }

    @Test
    void tooLargeAnswerIsEmptyAndTruncated() {
        // Header and question have 36 bytes, and each of 30 records has 16 bytes: 516 bytes in all.
        Message response = client.query("thirty.example.com", Type.A);

        assertThat(Messages.has(response, Flags.TC)).isTrue();
        assertThat(response.getSection(Section.ANSWER)).isEmpty();
        assertThat(client.stats().sum(DnsCounter.TRUNCATED)).isEqualTo(1);
    }

    @Test
    void payloadSizeIsLimitedTo1232() {
        // The response needs 516 bytes and 11 bytes for the OPT record.
        assertThat(truncates("thirty.example.com", 527)).isFalse();
        assertThat(truncates("thirty.example.com", 526)).isTrue();
        assertThat(truncates("hundred.example.com", 65_535)).isTrue();
    }

    private boolean truncates(String name, int payload) {
        Message query = Messages.query(name, Type.A, new OPTRecord(payload, 0, 0));
        byte[] response = client.query(query.toWire(), Transport.UDP);
        assertThat(response.length).isLessThanOrEqualTo(Math.min(payload, 1232));
        return Messages.has(Messages.parse(response), Flags.TC);
    }

    @Test
    void tcpAnswersAreNotTruncated() {
        Message response = client.query(Messages.query("hundred.example.com", Type.A), Transport.TCP);

        assertThat(Messages.has(response, Flags.TC)).isFalse();
        assertThat(Messages.answers(response)).hasSize(100);
    }

    @Test
    void typesAndCodesAreCounted() {
        client.query("app.example.com", Type.A);
        client.query("app.example.com", Type.AAAA);
        client.query("app.example.com", Type.TXT);
        client.query("nope.example.com", Type.TXT);
        client.query("example.org", Type.A);

        assertThat(client.stats().sum(DnsCounter.TYPE_A)).isEqualTo(2);
        assertThat(client.stats().sum(DnsCounter.TYPE_AAAA)).isEqualTo(1);
        assertThat(client.stats().sum(DnsCounter.TYPE_OTHER)).isEqualTo(2);
        assertThat(client.stats().sum(DnsCounter.NOERROR)).isEqualTo(3);
        assertThat(client.stats().sum(DnsCounter.NXDOMAIN)).isEqualTo(1);
        assertThat(client.stats().sum(DnsCounter.REFUSED)).isEqualTo(1);
    }

    private static void assertNegative(Message response, int rcode) {
        assertThat(response.getRcode()).isEqualTo(rcode);
        assertThat(Messages.isAuthoritative(response)).isTrue();
        assertThat(response.getSection(Section.ANSWER)).isEmpty();
        assertThat(response.getSection(Section.AUTHORITY)).singleElement().satisfies(record -> {
            assertThat(record.getType()).isEqualTo(Type.SOA);
            assertThat(record.getName()).isEqualTo(Messages.name("example.com"));
            assertThat(record.getTTL()).isEqualTo(ZoneFixture.NEGATIVE_TTL.toSeconds());
            assertThat(record.rdataToString()).startsWith("ns1.example.com. hostmaster.elsewhere.net. ");
        });
    }

    private static BackendConfig[] addresses(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> ZoneFixture.backend("198.51.100." + i))
                .toArray(BackendConfig[]::new);
    }
}
