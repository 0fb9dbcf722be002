package io.ballast.dns.answer.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.answer.Transport;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests CNAME, DNAME and delegations. */
class AliasTest {

    private static final String HEAD = "$TTL 300\n@ SOA ns1 host 1 7200 3600 1209600 60\n@ NS ns1\nns1 A 192.0.2.53\n";

    @TempDir
    private Path directory;

    private AnswererClient client;

    @BeforeEach
    void serve() throws IOException {
        ZoneFixture fixture =
                new ZoneFixture().pool("web", ZoneFixture.backend("192.0.2.1"), ZoneFixture.backend("192.0.2.2"));
        fixture.zone("example.com", write("example.com", """
            www     CNAME app
            far     CNAME other.example.net.
            near    CNAME www.example.org.
            broken  CNAME nope
            empty   CNAME between
            a.between A 192.0.2.9
            loop1   CNAME loop2
            loop2   CNAME loop1
            *.wild  CNAME www
            old     DNAME new.example.org.
            indirect CNAME x.old
            long    DNAME a.very.much.longer.name.example.net.
            sub     NS ns.sub
            sub     NS ns.example.net.
            sub     DS 1 13 2 0011223344556677889900112233445566778899001122334455667788990011
            ns.sub  A 192.0.2.54
            ns.sub  AAAA 2001:db8::54
            tosub   CNAME deep.sub
            tocut   CNAME sub
            shorter DNAME @
            round   DNAME trip
            trip    DNAME round
            """), ZoneFixture.service("app", "web"));
        fixture.zone("example.org", write("example.org", """
            www     CNAME www.example.com.
            x.new   A 192.0.2.77
            """));
        fixture.zone("inner.example.com", write("inner", "www A 192.0.2.88\n"));
        client = new AnswererClient(fixture);
    }

    @Test
    void followsAliasToService() {
        assertThat(answers("www.example.com", Type.A))
                .containsExactlyInAnyOrder(
                        "www.example.com. CNAME app.example.com.",
                        "app.example.com. A 192.0.2.1",
                        "app.example.com. A 192.0.2.2");
    }

    @Test
    void answersAliasItself() {
        assertThat(answers("www.example.com", Type.CNAME)).containsExactly("www.example.com. CNAME app.example.com.");
    }

    @Test
    void leavesExternalTargetsToResolver() {
        Message response = client.query("far.example.com", Type.A);

        assertThat(answers(response)).containsExactly("far.example.com. CNAME other.example.net.");
        assertThat(response.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(response.getSection(Section.AUTHORITY)).isEmpty();
    }

    @Test
    void followsAliasesAcrossZones() {
        assertThat(answers("near.example.com", Type.A))
                .contains(
                        "near.example.com. CNAME www.example.org.",
                        "www.example.org. CNAME www.example.com.",
                        "www.example.com. CNAME app.example.com.",
                        "app.example.com. A 192.0.2.1");
    }

    @Test
    void aliasToMissingNameIsNxdomain() {
        Message response = client.query("broken.example.com", Type.A);

        assertThat(response.getRcode()).isEqualTo(Rcode.NXDOMAIN);
        assertThat(answers(response)).containsExactly("broken.example.com. CNAME nope.example.com.");
        assertThat(response.getSection(Section.AUTHORITY).get(0).getName()).isEqualTo(Messages.name("example.com"));
    }

    @Test
    void aliasToNameWithoutTypeIsNodata() {
        Message response = client.query("empty.example.com", Type.A);

        assertThat(response.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(response.getSection(Section.AUTHORITY))
                .singleElement()
                .extracting(Record::getType)
                .isEqualTo(Type.SOA);
    }

    @Test
    void loopEndsAtItsStart() {
        assertThat(answers("loop1.example.com", Type.A))
                .containsExactly(
                        "loop1.example.com. CNAME loop2.example.com.", "loop2.example.com. CNAME loop1.example.com.");
    }

    @Test
    void wildcardMayBeAlias() {
        assertThat(answers("x.y.wild.example.com", Type.A))
                .contains("x.y.wild.example.com. CNAME www.example.com.", "app.example.com. A 192.0.2.1");
    }

    @Test
    void rewritesNamesBelowDname() {
        assertThat(answers("x.old.example.com", Type.A))
                .containsExactly(
                        "old.example.com. DNAME new.example.org.",
                        "x.old.example.com. CNAME x.new.example.org.",
                        "x.new.example.org. A 192.0.2.77");
    }

    @Test
    void doesNotRewriteDnameOwner() {
        assertThat(answers("old.example.com", Type.DNAME)).containsExactly("old.example.com. DNAME new.example.org.");
        assertThat(client.query("old.example.com", Type.A).getSection(Section.ANSWER))
                .isEmpty();
    }

    @Test
    void aliasMayTargetNameBelowDname() {
        assertThat(answers("indirect.example.com", Type.A))
                .containsExactly(
                        "indirect.example.com. CNAME x.old.example.com.",
                        "old.example.com. DNAME new.example.org.",
                        "x.old.example.com. CNAME x.new.example.org.",
                        "x.new.example.org. A 192.0.2.77");
    }

    @Test
    void tooLongRewrittenNameIsYxdomain() {
        String label = "0123456789".repeat(6);
        String fits = String.join(".", label, label, label, "short", "long.example.com");
        String doesNot = String.join(".", label, label, label, "0123456789".repeat(4), "long.example.com");

        assertThat(answers(client.query(Messages.query(fits, Type.A), Transport.TCP)))
                .containsExactly(
                        "long.example.com. DNAME a.very.much.longer.name.example.net.",
                        fits + ". CNAME " + fits.replace("long.example.com", "a.very.much.longer.name.example.net."));
        assertThat(answers(doesNot, Type.A))
                .containsExactly("long.example.com. DNAME a.very.much.longer.name.example.net.");
        assertThat(client.query(doesNot, Type.A).getRcode()).isEqualTo(Rcode.YXDOMAIN);
    }

    @Test
    void refersToDelegationServers() {
        Message response = client.query("www.deep.sub.example.com", Type.A);

        assertThat(response.getHeader().getFlag(Flags.AA)).isFalse();
        assertThat(response.getSection(Section.ANSWER)).isEmpty();
        assertThat(lines(response, Section.AUTHORITY))
                .containsExactlyInAnyOrder(
                        "sub.example.com. NS ns.sub.example.com.", "sub.example.com. NS ns.example.net.");
        assertThat(lines(response, Section.ADDITIONAL))
                .containsExactlyInAnyOrder(
                        "ns.sub.example.com. A 192.0.2.54", "ns.sub.example.com. AAAA 2001:db8:0:0:0:0:0:54");
    }

    @Test
    void refersForDelegationName() {
        assertThat(client.query("sub.example.com", Type.NS).getHeader().getFlag(Flags.AA))
                .isFalse();
        assertThat(client.query("ns.sub.example.com", Type.A).getSection(Section.ANSWER))
                .isEmpty();
    }

    @Test
    void answersDsOfDelegation() {
        Message response = client.query("sub.example.com", Type.DS);

        assertThat(response.getHeader().getFlag(Flags.AA)).isTrue();
        assertThat(response.getSection(Section.ANSWER)).hasSize(1);
    }

    @Test
    void answersDsBehindAlias() {
        Message response = client.query("tocut.example.com", Type.DS);

        assertThat(response.getSection(Section.ANSWER))
                .extracting(Record::getType)
                .containsExactly(Type.CNAME, Type.DS);
        assertThat(response.getSection(Section.AUTHORITY)).isEmpty();
    }

    @Test
    void dnameLoopEndsAfterOneTurn() {
        assertThat(answers("x.round.example.com", Type.A))
                .containsExactly(
                        "round.example.com. DNAME trip.example.com.",
                        "x.round.example.com. CNAME x.trip.example.com.",
                        "trip.example.com. DNAME round.example.com.",
                        "x.trip.example.com. CNAME x.round.example.com.");
    }

    @Test
    void dnameIsAppliedRepeatedly() {
        assertThat(answers("ns1.shorter.shorter.shorter.example.com", Type.A))
                .containsExactly(
                        "shorter.example.com. DNAME example.com.",
                        "ns1.shorter.shorter.shorter.example.com. CNAME ns1.shorter.shorter.example.com.",
                        "ns1.shorter.shorter.example.com. CNAME ns1.shorter.example.com.",
                        "ns1.shorter.example.com. CNAME ns1.example.com.",
                        "ns1.example.com. A 192.0.2.53");
    }

    @Test
    void chainEndsAfterSixteenLinks() {
        String name = "x" + ".shorter".repeat(20) + ".example.com";

        assertThat(answers(client.query(Messages.query(name, Type.A), Transport.TCP)))
                .hasSize(1 + 16);
    }

    @Test
    void synthesizedCnameIsAnswered() {
        assertThat(answers("x.old.example.com", Type.CNAME))
                .containsExactly(
                        "old.example.com. DNAME new.example.org.", "x.old.example.com. CNAME x.new.example.org.");
    }

    @Test
    void dnssecRecordsCoexistWithAlias() {
        assertThat(answers("www.example.com", Type.NSEC)).isEmpty();
        assertThat(answers("www.example.com", Type.RRSIG)).isEmpty();
    }

    @Test
    void aliasMayTargetDelegation() {
        Message response = client.query("tosub.example.com", Type.A);

        assertThat(response.getHeader().getFlag(Flags.AA)).isTrue();
        assertThat(answers(response)).containsExactly("tosub.example.com. CNAME deep.sub.example.com.");
        assertThat(response.getSection(Section.AUTHORITY)).hasSize(2);
    }

    @Test
    void innerZoneAnswers() {
        assertThat(answers("www.inner.example.com", Type.A)).containsExactly("www.inner.example.com. A 192.0.2.88");
    }

    private List<String> answers(String name, int type) {
        return answers(client.query(name, type));
    }

    private static List<String> answers(Message response) {
        assertThat(response.getHeader().getFlag(Flags.TC)).isFalse();
        return lines(response, Section.ANSWER);
    }

    private static List<String> lines(Message response, int section) {
        return response.getSection(section).stream()
                .filter(each -> each.getType() != Type.OPT)
                .peek(each -> assertThat(each.getDClass()).isEqualTo(DClass.IN))
                .map(each -> each.getName() + " " + Type.string(each.getType()) + " " + each.rdataToString())
                .toList();
    }

    private Path write(String name, String records) throws IOException {
        return Files.writeString(directory.resolve(name), HEAD + records);
    }
}
