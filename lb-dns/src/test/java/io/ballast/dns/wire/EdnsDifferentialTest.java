package io.ballast.dns.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.testing.Messages;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.CookieOption;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.EDNSOption.Code;
import org.xbill.DNS.GenericEDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSIDOption;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TcpKeepaliveOption;
import org.xbill.DNS.Type;

/** Compares our parser with dnsjava's on valid queries, and parses our responses with dnsjava. */
class EdnsDifferentialTest {

    private static final long SEED = 20_261_121L;
    private static final int MESSAGES = 20_000;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Query query = new Query(new NameHash(1, 2));
    private final byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];

    @Test
    void agreesWithDnsjava() throws UnknownHostException {
        for (int i = 0; i < MESSAGES; i++) {
            OPTRecord opt = randomOpt();
            byte[] wire = Messages.query("app.example.com", Type.A, opt).toWire();

            assertThat(query.parse(wire, wire.length)).as("%s", opt).isEqualTo(Query.Verdict.ANSWER);

            assertSame(opt, wire);
            assertReadable(opt);
        }
    }

    private OPTRecord randomOpt() throws UnknownHostException {
        List<EDNSOption> options = new ArrayList<>();
        for (int kind = 0; kind < 6; kind++) {
            if (random.nextBoolean()) {
                options.add(randomOption(kind));
            }
        }
        for (int i = options.size() - 1; i > 0; i--) {
            options.add(random.nextInt(i + 1), options.remove(i));
        }
        return new OPTRecord(random.nextInt(65_536), 0, 0, random.nextInt(65_536), options);
    }

    private EDNSOption randomOption(int kind) throws UnknownHostException {
        return switch (kind) {
            case 0 -> {
                byte[] address = bytes(random.nextBoolean() ? 4 : 16);
                // dnsjava would treat a mapped address as IPv4.
                address[0] |= 1;
                int bits = 8 + random.nextInt(8 * address.length - 7);
                yield new ClientSubnetOption(bits, 0, masked(address, bits));
            }
            case 1 ->
                random.nextBoolean()
                        ? new CookieOption(bytes(8))
                        : new CookieOption(bytes(8), bytes(8 + random.nextInt(25)));
            case 2 -> new NSIDOption(new byte[0]);
            case 3 -> new TcpKeepaliveOption();
            case 4 -> new GenericEDNSOption(EdnsOption.PADDING, bytes(random.nextInt(100)));
            default -> new GenericEDNSOption(1000 + random.nextInt(60_000), bytes(random.nextInt(20)));
        };
    }

    private static InetAddress masked(byte[] address, int bits) throws UnknownHostException {
        for (int i = 0; i < address.length; i++) {
            int kept = Math.max(0, Math.min(8, bits - 8 * i));
            address[i] &= (byte) (0xff00 >> kept);
        }
        return InetAddress.getByAddress(address);
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private void assertSame(OPTRecord opt, byte[] wire) {
        Edns edns = query.edns();
        assertThat(edns.payload()).isEqualTo(Math.max(opt.getPayloadSize(), 512));
        assertThat(edns.isDnssecOk()).isEqualTo((opt.getFlags() & 0x8000) != 0);
        assertThat(edns.isCompactOk()).isEqualTo((opt.getFlags() & 0x4000) != 0);
        assertThat(edns.isNsidRequested()).isEqualTo(has(opt, Code.NSID));
        assertThat(edns.isKeepaliveRequested()).isEqualTo(has(opt, Code.TCP_KEEPALIVE));
        assertThat(edns.isPadded()).isEqualTo(has(opt, Code.PADDING));
        assertThat(edns.subnet().isPresent()).isEqualTo(has(opt, Code.CLIENT_SUBNET));
        if (edns.subnet().isPresent()) {
            ClientSubnetOption subnet =
                    (ClientSubnetOption) opt.getOptions(Code.CLIENT_SUBNET).get(0);
            assertThat(edns.subnet().sourceBits()).isEqualTo(subnet.getSourcePrefixLength());
            assertThat(Arrays.copyOf(edns.subnet().bytes(), edns.subnet().length()))
                    .isEqualTo(subnet.getAddress().getAddress());
        }
        assertThat(edns.cookieLength() > 0).isEqualTo(has(opt, Code.COOKIE));
        if (edns.cookieLength() > 0) {
            CookieOption cookie = (CookieOption) opt.getOptions(Code.COOKIE).get(0);
            assertThat(edns.cookieLength())
                    .isEqualTo(8
                            + cookie.getServerCookie()
                                    .map(bytes -> bytes.length)
                                    .orElse(0));
            assertThat(Arrays.copyOfRange(wire, edns.cookieOffset(), edns.cookieOffset() + 8))
                    .isEqualTo(cookie.getClientCookie());
        }
    }

    /** Writes a response with all requested options. */
    private void assertReadable(OPTRecord queried) {
        EdnsResponse opt = query.opt();
        opt.scope(24);
        opt.nsid(new byte[] {1, 2, 3});
        opt.keepalive(77);
        if (query.edns().cookieLength() > 0) {
            Arrays.fill(opt.cookie(), (byte) 9);
        }
        opt.error(EdnsError.NOT_READY);
        int at = Response.begin(query, out);
        Response.writeHeader(query, out, 0, Rcode.BADCOOKIE);
        int size = opt.bytes();

        int end = Response.end(query, out, at, 0, Rcode.BADCOOKIE);

        assertThat(end).isEqualTo(at + size);
        Message response = Messages.parse(Arrays.copyOf(out, end));
        OPTRecord read = response.getOPT();
        assertThat(response.getRcode()).isEqualTo(Rcode.BADCOOKIE);
        assertThat(response.getSection(Section.ADDITIONAL)).hasSize(1);
        assertThat(read.getFlags()).isEqualTo(queried.getFlags() & 0xc000);
        assertThat(has(read, Code.COOKIE)).isEqualTo(has(queried, Code.COOKIE));
        assertThat(has(read, Code.NSID)).isEqualTo(has(queried, Code.NSID));
        assertThat(has(read, Code.TCP_KEEPALIVE)).isEqualTo(has(queried, Code.TCP_KEEPALIVE));
        assertThat(has(read, Code.EDNS_EXTENDED_ERROR)).isTrue();
        if (has(queried, Code.CLIENT_SUBNET)) {
            ClientSubnetOption sent =
                    (ClientSubnetOption) queried.getOptions(Code.CLIENT_SUBNET).get(0);
            ClientSubnetOption back =
                    (ClientSubnetOption) read.getOptions(Code.CLIENT_SUBNET).get(0);
            assertThat(back.getAddress()).isEqualTo(sent.getAddress());
            assertThat(back.getSourcePrefixLength()).isEqualTo(sent.getSourcePrefixLength());
            assertThat(back.getScopePrefixLength()).isEqualTo(24);
        }
    }

    private static boolean has(OPTRecord opt, int code) {
        return !opt.getOptions(code).isEmpty();
    }
}
