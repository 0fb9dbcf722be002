package io.ballast.dns.forward.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Wire;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests how long answers are cached. */
class LifetimeTest {

    private static final String SOA = "example.com. 600 IN SOA ns.example.com. admin.example.com. 1 2 3 4 300";
    private static final TtlLimits NONE = new TtlLimits(0, Integer.MAX_VALUE, Integer.MAX_VALUE, 5);

    private static UpstreamMessage www() {
        return UpstreamMessage.answering("www.example.com", Type.A);
    }

    private static UpstreamMessage noSuchName() {
        return UpstreamMessage.answering("www.example.com", Type.A, Rcode.NXDOMAIN);
    }

    @Test
    void usesLowestTtl() {
        UpstreamMessage upstream =
                www().answer("www.example.com. 300 IN A 192.0.2.1", "www.example.com. 200 IN A 192.0.2.2");

        assertThat(upstream.kept().lifetimeSeconds()).isEqualTo(200);
        assertThat(upstream.authority("example.com. 100 IN NS ns.example.com.")
                        .kept()
                        .lifetimeSeconds())
                .isEqualTo(100);
        assertThat(upstream.additional("ns.example.com. 50 IN A 192.0.2.53")
                        .authority("bank.test. 10 IN NS ns.example.com.")
                        .kept()
                        .lifetimeSeconds())
                .isEqualTo(100);
    }

    @Test
    void zeroTtlIsAnsweredAndNotCached() {
        UpstreamMessage upstream = www().answer("www.example.com. 0 IN A 192.0.2.1");

        assertThat(upstream.kept().lifetimeSeconds()).isZero();
        assertThat(upstream.response().getSection(Section.ANSWER)).hasSize(1);
        assertThat(upstream.kept().isFresh(UpstreamMessage.NOW)).isFalse();
    }

    @Test
    void ttlWithTopBitIsZero() {
        UpstreamMessage upstream = www().answer("www.example.com. 1 IN A 192.0.2.1");
        byte[] wire = upstream.wire();
        Wire.putU32(wire, 12 + 17 + 4 + 6, 0x80000100);

        CacheEntry answer =
                ((ParsedAnswer.Taken) UpstreamMessage.read(wire, upstream.question(), TtlLimits.DEFAULT)).answer();

        assertThat(answer.lifetimeSeconds()).isZero();
        assertThat(ttl(upstream.response(answer), Section.ANSWER)).isZero();
    }

    @Test
    void minimumAndMaximumChangeTtl() {
        TtlLimits limits = new TtlLimits(100, 200, 50, 5);
        UpstreamMessage low = www().answer("www.example.com. 1 IN A 192.0.2.1");
        UpstreamMessage high = www().answer("www.example.com. 1000 IN A 192.0.2.1");

        assertThat(low.kept(limits).lifetimeSeconds()).isEqualTo(100);
        assertThat(ttl(low.response(low.kept(limits)), Section.ANSWER)).isEqualTo(100);
        assertThat(high.kept(limits).lifetimeSeconds()).isEqualTo(200);
        assertThat(ttl(high.response(high.kept(limits)), Section.ANSWER)).isEqualTo(200);
    }

    @Test
    void nxdomainUsesLowerOfTtlAndMinimum() {
        String lowTtl = "example.com. 30 IN SOA ns.example.com. admin.example.com. 1 2 3 4 300";

        assertThat(noSuchName().authority(SOA).kept(NONE).kind()).isEqualTo(CacheEntry.Kind.NEGATIVE);
        assertThat(noSuchName().authority(SOA).kept(NONE).lifetimeSeconds()).isEqualTo(300);
        assertThat(ttl(noSuchName().authority(SOA).response(), Section.AUTHORITY))
                .isEqualTo(300);
        assertThat(noSuchName().authority(lowTtl).kept(NONE).lifetimeSeconds()).isEqualTo(30);
        assertThat(ttl(noSuchName().authority(lowTtl).response(), Section.AUTHORITY))
                .isEqualTo(30);
    }

    @Test
    void negativeMaximumOverridesMinimum() {
        TtlLimits limits = new TtlLimits(100, 1000, 50, 5);

        CacheEntry answer = noSuchName().authority(SOA).kept(limits);

        assertThat(answer.lifetimeSeconds()).isEqualTo(50);
        assertThat(ttl(noSuchName().response(answer), Section.AUTHORITY)).isEqualTo(50);
    }

    @Test
    void nodataIsCachedLikeNxdomain() {
        CacheEntry answer = www().authority(SOA).kept();

        assertThat(answer.kind()).isEqualTo(CacheEntry.Kind.NEGATIVE);
        assertThat(answer.rcode()).isEqualTo(Rcode.NOERROR);
        assertThat(answer.lifetimeSeconds()).isEqualTo(300);
    }

    @Test
    void aliasToMissingNameUsesLowestTtl() {
        UpstreamMessage upstream =
                www().answer("www.example.com. 100 IN CNAME web.example.com.").authority(SOA);

        assertThat(upstream.kept().kind()).isEqualTo(CacheEntry.Kind.NEGATIVE);
        assertThat(upstream.kept().lifetimeSeconds()).isEqualTo(100);
        assertThat(upstream.kept().answerCount()).isEqualTo(1);
    }

    @Test
    void negativeAnswerWithoutSoaIsNotCached() {
        String other = "example.net. 600 IN SOA ns.example.com. admin.example.com. 1 2 3 4 300";
        String above = "www.example.com. 100 IN CNAME web.example.net.";

        assertThat(noSuchName().kept().lifetimeSeconds()).isZero();
        assertThat(noSuchName().authority(other).kept().lifetimeSeconds()).isZero();
        assertThat(www().kept().lifetimeSeconds()).isZero();
        assertThat(www().answer(above).authority(SOA).kept().lifetimeSeconds())
                .as("SOA of the queried name, not of the missing one")
                .isZero();
        assertThat(www().answer(above).authority(other).kept().lifetimeSeconds())
                .isEqualTo(100);
    }

    @Test
    void soaBesideAnswerIsOrdinaryRecord() {
        CacheEntry answer = www().answer("www.example.com. 1000 IN A 192.0.2.1")
                .authority(SOA)
                .kept();

        assertThat(answer.lifetimeSeconds()).isEqualTo(600);
    }

    @Test
    void minimumWithTopBitIsZero() {
        CacheEntry answer = noSuchName()
                .authority("example.com. 600 IN SOA ns.example.com. admin.example.com. 1 2 3 4 4294967295")
                .kept();

        assertThat(answer.lifetimeSeconds()).isZero();
    }

    @Test
    void failureUsesConfiguredTtl() {
        UpstreamMessage upstream = UpstreamMessage.answering("www.example.com", Type.A, Rcode.SERVFAIL);

        assertThat(upstream.kept(new TtlLimits(100, 200, 50, 30)).lifetimeSeconds())
                .isEqualTo(30);
    }

    @Test
    void rejectsInvalidLimits() {
        assertThatThrownBy(() -> new TtlLimits(-1, 10, 10, 5)).hasMessageStartingWith("minSeconds: -1");
        assertThatThrownBy(() -> new TtlLimits(11, 10, 10, 5)).hasMessageStartingWith("maxSeconds: 10");
        assertThatThrownBy(() -> new TtlLimits(0, 0, 10, 5)).hasMessageStartingWith("maxSeconds: 0");
        assertThatThrownBy(() -> new TtlLimits(0, 10, -1, 5)).hasMessageStartingWith("negativeMaxSeconds: -1");
        assertThatThrownBy(() -> new TtlLimits(0, 10, 10, 31)).hasMessageStartingWith("failureSeconds: 31");
        assertThatThrownBy(() -> new TtlLimits(0, 10, 10, 0)).hasMessageStartingWith("failureSeconds: 0");
    }

    private static long ttl(Message message, int section) {
        return message.getSection(section).get(0).getTTL();
    }
}
