package io.ballast.dns.forward.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.forward.cache.ParsedAnswer.Refused;
import io.ballast.dns.forward.cache.ParsedAnswer.Taken;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.wire.Rcode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests which records are accepted for a question. */
class BailiwickTest {

    private static final String SOA = "example.com. 600 IN SOA ns.example.com. admin.example.com. 1 2 3 4 300";
    private static final String SIGNATURE = " 8 2 60 20300101000000 20200101000000 1 example.com. c2ln";

    private static UpstreamMessage www() {
        return UpstreamMessage.answering("www.example.com", Type.A);
    }

    private static List<String> owners(UpstreamMessage upstream, int section) {
        return upstream.response().getSection(section).stream()
                .map(Record::getName)
                .map(Object::toString)
                .toList();
    }

    @Test
    void dropsAnswerForOtherName() {
        UpstreamMessage upstream = www().answer(
                        "bank.test. 60 IN A 203.0.113.6",
                        "www.example.com. 60 IN A 192.0.2.1",
                        "a.www.example.com. 60 IN A 203.0.113.6",
                        "example.com. 60 IN A 203.0.113.6",
                        "www.example.com. 60 IN A 192.0.2.2");

        assertThat(upstream.taken().dropped()).isEqualTo(3);
        assertThat(Messages.answers(upstream.response())).containsExactly("192.0.2.1", "192.0.2.2");
        assertThat(upstream.kept().answerCount()).isEqualTo(2);
    }

    @Test
    void onlyForeignAnswerIsNoAnswer() {
        CacheEntry answer = www().answer("bank.test. 60 IN A 203.0.113.6").kept();

        assertThat(answer.kind()).isEqualTo(CacheEntry.Kind.NEGATIVE);
        assertThat(answer.answerCount()).isZero();
        assertThat(answer.lifetimeSeconds()).isZero();
    }

    @Test
    void acceptsAliasTargetsInAnyOrderAndCase() {
        UpstreamMessage upstream = www().answer(
                        "C.Test. 60 IN A 192.0.2.1",
                        "b.test. 60 IN CNAME c.test.",
                        "WWW.example.com. 60 IN CNAME B.TEST.",
                        "d.test. 60 IN A 203.0.113.6");

        assertThat(upstream.taken().dropped()).isEqualTo(1);
        assertThat(upstream.kept().kind()).isEqualTo(CacheEntry.Kind.POSITIVE);
        assertThat(upstream.kept().answerCount()).isEqualTo(3);
    }

    @Test
    void doesNotFollowQueriedAlias() {
        UpstreamMessage upstream = UpstreamMessage.answering("www.example.com", Type.CNAME)
                .answer("www.example.com. 60 IN CNAME b.test.", "b.test. 60 IN A 203.0.113.6");

        assertThat(owners(upstream, Section.ANSWER)).containsExactly("www.example.com.");
        assertThat(upstream.kept().kind()).isEqualTo(CacheEntry.Kind.POSITIVE);
    }

    @Test
    void acceptsAllRecordsForAny() {
        UpstreamMessage upstream = UpstreamMessage.answering("www.example.com", Type.ANY)
                .answer("www.example.com. 60 IN HINFO \"RFC8482\" \"\"");

        assertThat(upstream.kept().kind()).isEqualTo(CacheEntry.Kind.POSITIVE);
    }

    @Test
    void rejectsAliasLoop() {
        assertThat(www().answer("www.example.com. 60 IN CNAME www.example.com.").read())
                .isEqualTo(Refused.ALIAS_LOOP);
        assertThat(www().answer(
                                "www.example.com. 60 IN CNAME b.test.",
                                "b.test. 60 IN CNAME c.test.",
                                "c.test. 60 IN CNAME b.test.")
                        .read())
                .isEqualTo(Refused.ALIAS_LOOP);
    }

    @Test
    void followsSixteenAliases() {
        assertThat(chain(16).read()).isInstanceOf(Taken.class);
        assertThat(chain(16).taken().dropped()).isZero();
        assertThat(chain(17).read()).isEqualTo(Refused.ALIAS_LOOP);
    }

    private static UpstreamMessage chain(int aliases) {
        UpstreamMessage upstream = UpstreamMessage.answering("a0.test", Type.A);
        for (int i = 0; i < aliases; i++) {
            upstream.answer("a" + i + ".test. 60 IN CNAME a" + (i + 1) + ".test.");
        }
        return upstream.answer("a" + aliases + ".test. 60 IN A 192.0.2.1");
    }

    @Test
    void followsDnameWithAndWithoutCname() {
        String redirect = "example.com. 60 IN DNAME example.net.";
        String alias = "www.example.com. 60 IN CNAME www.example.net.";
        String address = "www.example.net. 60 IN A 192.0.2.1";

        assertThat(www().answer(redirect, alias, address).taken().dropped()).isZero();
        assertThat(www().answer(redirect, address).taken().dropped()).isZero();
        assertThat(www().answer(redirect, address).kept().kind()).isEqualTo(CacheEntry.Kind.POSITIVE);
        assertThat(www().answer("example.com. 60 IN RRSIG DNAME" + SIGNATURE, redirect, address)
                        .taken()
                        .dropped())
                .isZero();
    }

    @Test
    void synthesizesMissingCname() {
        UpstreamMessage upstream =
                www().answer("example.com. 60 IN DNAME example.net.", "www.example.net. 30 IN A 192.0.2.1");

        Message response = upstream.response();

        assertThat(response.getSection(Section.ANSWER))
                .containsExactly(
                        UpstreamMessage.record("example.com. 60 IN DNAME example.net."),
                        UpstreamMessage.record("www.example.com. 60 IN CNAME www.example.net."),
                        UpstreamMessage.record("www.example.net. 30 IN A 192.0.2.1"));
        assertThat(response.getSection(Section.ANSWER))
                .extracting(Record::getTTL)
                .containsExactly(60L, 60L, 30L);
        assertThat(upstream.kept().lifetimeSeconds()).isEqualTo(30);
    }

    @Test
    void synthesizesMissingCnameAfterAliases() {
        UpstreamMessage upstream = www().answer(
                        "www.example.com. 60 IN CNAME a.b.test.",
                        "b.test. 60 IN DNAME c.test.",
                        "c.test. 50 IN DNAME d.test.",
                        "a.d.test. 60 IN A 192.0.2.1");

        assertThat(Messages.data(upstream.response(), Section.ANSWER))
                .containsExactly("a.b.test.", "c.test.", "a.c.test.", "d.test.", "a.d.test.", "192.0.2.1");
    }

    @Test
    void synthesizedCnameAnswersCnameQuery() {
        UpstreamMessage upstream = UpstreamMessage.answering("www.example.com", Type.CNAME)
                .answer("example.com. 60 IN DNAME example.net.");

        assertThat(upstream.kept().kind()).isEqualTo(CacheEntry.Kind.POSITIVE);
        assertThat(Messages.data(upstream.response(), Section.ANSWER))
                .containsExactly("example.net.", "www.example.net.");
    }

    @Test
    void dnameOwnerIsNotRewritten() {
        UpstreamMessage upstream = UpstreamMessage.answering("example.com", Type.ANY)
                .answer("example.com. 60 IN DNAME example.net.", "example.com. 60 IN TXT a");

        assertThat(Messages.data(upstream.response(), Section.ANSWER)).containsExactly("example.net.", "a");
    }

    @Test
    void replacesCnameContradictingDname() {
        UpstreamMessage upstream = www().answer(
                        "example.com. 60 IN DNAME example.net.",
                        "www.example.com. 60 IN CNAME www.evil.test.",
                        "www.example.com. 60 IN RRSIG CNAME" + SIGNATURE,
                        "www.evil.test. 60 IN A 203.0.113.6",
                        "www.example.net. 60 IN A 192.0.2.1");

        assertThat(upstream.taken().dropped()).isEqualTo(3);
        assertThat(Messages.data(upstream.response(), Section.ANSWER))
                .containsExactly("example.net.", "www.example.net.", "192.0.2.1");
    }

    @Test
    void dropsUnrelatedDname() {
        UpstreamMessage upstream = www().answer(
                        "test. 60 IN DNAME example.net.",
                        "test. 60 IN RRSIG DNAME" + SIGNATURE,
                        "example.com. 60 IN RRSIG A" + SIGNATURE,
                        "www.example.com. 60 IN A 192.0.2.1");

        assertThat(upstream.taken().dropped()).isEqualTo(3);
    }

    @Test
    void tooLongDnameTargetEndsChain() {
        String longest = "a".repeat(63) + ".";
        UpstreamMessage upstream = UpstreamMessage.answering(longest.repeat(2) + "example.com", Type.A, Rcode.YXDOMAIN)
                .answer("example.com. 60 IN DNAME " + longest.repeat(2) + "example.net.");

        CacheEntry answer = upstream.kept();

        assertThat(answer.rcode()).isEqualTo(Rcode.YXDOMAIN);
        assertThat(answer.answerCount()).isEqualTo(1);
        assertThat(answer.lifetimeSeconds()).isEqualTo(60);
    }

    @Test
    void keepsSignaturesOfName() {
        UpstreamMessage upstream =
                www().answer("www.example.com. 60 IN A 192.0.2.1", "www.example.com. 60 IN RRSIG A" + SIGNATURE);

        assertThat(upstream.kept().answerCount()).isEqualTo(2);
    }

    @Test
    void dropsAuthorityOfForeignZone() {
        UpstreamMessage upstream = www().answer("www.example.com. 60 IN A 192.0.2.1")
                .authority(
                        "bank.test. 60 IN NS ns.evil.test.",
                        "example.com. 60 IN NS ns.example.com.",
                        "sub.www.example.com. 60 IN NS ns.evil.test.",
                        "com. 60 IN NS ns.com.");

        assertThat(upstream.taken().dropped()).isEqualTo(2);
        assertThat(owners(upstream, Section.AUTHORITY)).containsExactly("example.com.", "com.");
        assertThat(owners(upstream, Section.ANSWER)).containsExactly("www.example.com.");
    }

    @Test
    void keepsAuthorityOfLastNameZone() {
        UpstreamMessage upstream = www().answer(
                        "www.example.com. 60 IN CNAME web.example.net.", "web.example.net. 60 IN A 192.0.2.1")
                .authority("example.net. 60 IN NS ns.example.net.", "web.example.org. 60 IN NS ns.example.net.");

        assertThat(owners(upstream, Section.AUTHORITY)).containsExactly("example.net.");
    }

    @Test
    void keepsDenialsOfZone() {
        UpstreamMessage upstream = UpstreamMessage.answering("www.example.com", Type.A, Rcode.NXDOMAIN)
                .authority(
                        SOA,
                        "example.com. 300 IN RRSIG SOA" + SIGNATURE,
                        "a.example.com. 300 IN NSEC z.example.com. A",
                        "a.example.com. 300 IN RRSIG NSEC" + SIGNATURE,
                        "0p9mhaveqvm6t7vbl5lop2u3t2rp3tom.example.com. 300 IN NSEC3 1 0 0 - 2t7b4g4vsa5smi47k61mv5bv1a22bojr A",
                        "a.example.net. 300 IN NSEC z.example.net. A",
                        "a.example.com. 300 IN A 203.0.113.6");

        assertThat(upstream.taken().dropped()).isEqualTo(2);
        assertThat(owners(upstream, Section.AUTHORITY))
                .containsExactly(
                        "example.com.",
                        "example.com.",
                        "a.example.com.",
                        "a.example.com.",
                        "0p9mhaveqvm6t7vbl5lop2u3t2rp3tom.example.com.");
    }

    @Test
    void keepsWildcardDenialBySigner() {
        UpstreamMessage signed = www().answer("www.example.com. 60 IN A 192.0.2.1")
                .authority("a.example.com. 60 IN NSEC z.example.com. A", "a.example.com. 60 IN RRSIG NSEC" + SIGNATURE);
        UpstreamMessage unsigned = www().answer("www.example.com. 60 IN A 192.0.2.1")
                .authority("a.example.com. 60 IN NSEC z.example.com. A");

        assertThat(signed.taken().dropped()).isZero();
        assertThat(unsigned.taken().dropped()).isEqualTo(1);
    }

    @Test
    void ignoresSignerOutsideZone() {
        UpstreamMessage upstream = www().answer("www.example.com. 60 IN A 192.0.2.1")
                .authority("a.example.com. 60 IN NSEC z.example.com. A", "a.example.net. 60 IN RRSIG NSEC" + SIGNATURE);

        assertThat(upstream.taken().dropped()).isEqualTo(2);
    }

    @Test
    void dropsOtherClassesAndMetaTypes() {
        UpstreamMessage upstream = www().answer(
                        "www.example.com. 60 CH A 192.0.2.7",
                        "www.example.com. 60 IN TYPE200 \\# 2 0000",
                        "www.example.com. 60 IN A 192.0.2.1");

        assertThat(upstream.taken().dropped()).isEqualTo(2);
        assertThat(Messages.answers(upstream.response())).containsExactly("192.0.2.1");
    }

    @Test
    void expandsNamesWhenRecordsAreDropped() {
        UpstreamMessage upstream = UpstreamMessage.answering("example.com", Type.MX)
                .answer(
                        "mail.provider.test. 60 IN A 203.0.113.6",
                        "example.com. 60 IN MX 10 mail.provider.test.",
                        "bank.test. 60 IN MX 10 mail.provider.test.",
                        "example.com. 90 IN MX 20 backup.mail.provider.test.")
                .authority("evil.test. 60 IN NS ns.evil.test.", SOA);

        Message response = UpstreamMessage.respond(upstream.kept(), Messages.query("EXAMPLE.com", Type.MX), 10);

        assertThat(upstream.taken().dropped()).isEqualTo(3);
        assertThat(response.getSection(Section.ANSWER))
                .containsExactly(
                        UpstreamMessage.record("example.com. 50 IN MX 10 mail.provider.test."),
                        UpstreamMessage.record("example.com. 80 IN MX 20 backup.mail.provider.test."));
        assertThat(response.getSection(Section.ANSWER).get(0).getName()).hasToString("EXAMPLE.com.");
        assertThat(response.getSection(Section.ANSWER))
                .extracting(Record::getTTL)
                .containsExactly(50L, 80L);
        assertThat(Messages.data(response, Section.AUTHORITY))
                .containsExactly("ns.example.com. admin.example.com. 1 2 3 4 300");
    }
}
