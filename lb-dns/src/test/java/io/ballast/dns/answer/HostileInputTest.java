package io.ballast.dns.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.wire.Edns;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Type;

/** Tests that arbitrary input causes no exception, and that each response is empty or a DNS message of limited size. */
class HostileInputTest {

    private static final int MESSAGES = 100_000;
    private static final long SEED = 20_261_120L;

    private final AnswererClient client = new AnswererClient(new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"), ZoneFixture.backend("2001:db8::1"))
            .zone("example.com", ZoneFixture.service("app", "web"), ZoneFixture.service("*", "web")));

    @Test
    void randomBytesNeverThrow() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < MESSAGES; i++) {
            byte[] message = new byte[random.nextInt(100)];
            random.nextBytes(message);
            check(message);
        }
        assertCountersAddUp();
    }

    @Test
    void mutatedQueriesNeverThrow() {
        SplittableRandom random = new SplittableRandom(SEED);
        byte[] plain = Messages.query("app.example.com", Type.A).toWire();
        byte[] edns = Messages.query("x.example.com", Type.SOA, new OPTRecord(1232, 0, 0, ExtendedFlags.DO))
                .toWire();
        for (int i = 0; i < MESSAGES; i++) {
            byte[] message = (i % 2 == 0 ? plain : edns).clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                message[random.nextInt(message.length)] = (byte) random.nextInt();
            }
            check(message);
        }
        assertCountersAddUp();
    }

    @Test
    void badPacketsAreCounted() {
        client.query(new byte[5], Transport.UDP);
        client.query(new byte[12], Transport.UDP);
        byte[] response = Messages.query("app.example.com", Type.A).toWire();
        response[2] |= (byte) 0x80;
        client.query(response, Transport.TCP);

        assertThat(client.stats().sum(DnsCounter.MALFORMED)).isEqualTo(2);
        assertThat(client.stats().sum(DnsCounter.DROPPED)).isEqualTo(2);
        assertThat(client.stats().sum(DnsCounter.FORMERR)).isEqualTo(1);
        assertThat(client.stats().sum(DnsCounter.QUERIES_UDP)).isEqualTo(2);
        assertThat(client.stats().sum(DnsCounter.QUERIES_TCP)).isEqualTo(1);
    }

    private void check(byte[] message) {
        byte[] wire = client.query(message, Transport.UDP);

        if (wire.length == 0) {
            return;
        }
        assertThat(wire.length).isLessThanOrEqualTo(Edns.MAX_PAYLOAD_BYTES);
        Message response = Messages.parse(wire);
        assertThat(response.getHeader().getFlag(Flags.QR)).isTrue();
        assertThat(response.getHeader().getID()).isEqualTo((message[0] & 0xff) << 8 | (message[1] & 0xff));
    }

    private void assertCountersAddUp() {
        Map<DnsCounter, Long> sums = client.stats().sums();
        long responses = sums.get(DnsCounter.NOERROR)
                + sums.get(DnsCounter.FORMERR)
                + sums.get(DnsCounter.NXDOMAIN)
                + sums.get(DnsCounter.NOTIMP)
                + sums.get(DnsCounter.REFUSED)
                + sums.get(DnsCounter.BADVERS)
                + sums.get(DnsCounter.BADCOOKIE);
        assertThat(responses + sums.get(DnsCounter.DROPPED)).isEqualTo(MESSAGES);
        assertThat(sums.get(DnsCounter.SERVFAIL)).isZero();
    }
}
