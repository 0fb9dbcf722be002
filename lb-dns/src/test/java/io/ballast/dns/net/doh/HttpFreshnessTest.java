package io.ballast.dns.net.doh;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.testing.Messages;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

class HttpFreshnessTest {

    private static final Name NAME = Messages.name("app.example.com");

    @Test
    void usesLowestTtl() {
        Message response = response();
        response.addRecord(text(300), Section.ANSWER);
        response.addRecord(text(7), Section.ANSWER);
        response.addRecord(text(60), Section.ANSWER);
        response.addRecord(soa(5, 5), Section.AUTHORITY);
        response.addRecord(new OPTRecord(1232, 0, 0), Section.ADDITIONAL);

        assertThat(HttpFreshness.freshnessSeconds(response.toWire())).isEqualTo(7);
        assertThat(HttpFreshness.cacheControl(response.toWire())).isEqualTo("private, max-age=7");
    }

    @Test
    void negativeAnswerUsesSoa() {
        for (int rcode : new int[] {Rcode.NOERROR, Rcode.NXDOMAIN}) {
            Message minimumIsLess = response();
            minimumIsLess.getHeader().setRcode(rcode);
            minimumIsLess.addRecord(soa(3600, 60), Section.AUTHORITY);
            Message ttlIsLess = response();
            ttlIsLess.addRecord(soa(30, 60), Section.AUTHORITY);

            assertThat(HttpFreshness.freshnessSeconds(minimumIsLess.toWire())).isEqualTo(60);
            assertThat(HttpFreshness.freshnessSeconds(ttlIsLess.toWire())).isEqualTo(30);
        }
    }

    @Test
    void failuresAreNotCacheable() {
        Message response = response();
        response.addRecord(text(300), Section.ANSWER);
        response.getHeader().setRcode(Rcode.SERVFAIL);

        assertThat(HttpFreshness.freshnessSeconds(response.toWire())).isZero();
        assertThat(HttpFreshness.freshnessSeconds(response().toWire())).isZero();
        assertThat(HttpFreshness.freshnessSeconds(new byte[12])).isZero();
    }

    @Test
    void largeTtlsAreNotNegative() {
        Message response = response();
        response.addRecord(text(0x7fffffffL), Section.ANSWER);

        assertThat(HttpFreshness.freshnessSeconds(response.toWire())).isEqualTo(0x7fffffffL);
    }

    private static Message response() {
        Message message = Message.newQuery(Record.newRecord(NAME, Type.TXT, DClass.IN));
        message.getHeader().setFlag(Flags.QR);
        return message;
    }

    private static Record text(long ttl) {
        return new TXTRecord(NAME, DClass.IN, ttl, "text " + ttl);
    }

    private static Record soa(long ttl, long minimum) {
        Name zone = Messages.name("example.com");
        return new SOARecord(zone, DClass.IN, ttl, zone, zone, 1, 2, 3, 4, minimum);
    }
}
