package io.ballast.dns.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.testing.RawQuery;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the OPT record of responses byte by byte. */
class EdnsResponseTest {

    private static final String BARE = "00 0029 04d0 00 00 ";
    private static final byte[] NAME = "lb-1".getBytes(StandardCharsets.US_ASCII);

    private final Query query = new Query(new NameHash(1, 2));
    private final EdnsResponse opt = query.opt();
    private final byte[] out = new byte[2000];

    @Test
    void optHasOurPayloadAndClientFlags() {
        parse(new RawQuery().flags(0xffff).payload(4096));

        assertWritten(0, BARE + "c000 0000");
        assertWritten(Rcode.BADCOOKIE, "00 0029 04d0 01 00 c000 0000");
    }

    @Test
    void subnetHasScope() {
        parse(new RawQuery().option(8, "0001 19 00 c0000280"));
        opt.scope(21);
        assertWritten(0, BARE + "0000 000c 0008 0008 0001 19 15 c0000280");

        parse(new RawQuery().option(8, "0002 38 00 20010db8012345"));
        assertWritten(0, BARE + "0000 000f 0008 000b 0002 38 00 20010db8012345");
    }

    @Test
    void scopeIsLimitedByAddressLength() {
        parse(new RawQuery().option(8, "0001 08 00 0a"));
        opt.scope(128);
        assertWritten(0, BARE + "0000 0009 0008 0005 0001 08 20 0a");

        parse(new RawQuery().option(8, "0001 00 00"));
        opt.scope(24);
        assertWritten(0, BARE + "0000 0008 0008 0004 0001 00 00");
    }

    @Test
    void writesGivenCookie() {
        parse(new RawQuery().option(10, "2464c4abcf10c957"));
        Arrays.fill(opt.cookie(), (byte) 0xab);

        assertWritten(0, BARE + "0000 001c 000a 0018" + "ab".repeat(24));
    }

    @Test
    void writesRequestedNsidAndKeepalive() {
        parse(new RawQuery().option(11, "").option(3, ""));
        opt.nsid(NAME);
        opt.keepalive(100);
        assertWritten(0, BARE + "0000 000e 0003 0004 6c622d31 000b 0002 0064");

        parse(new RawQuery());
        opt.nsid(NAME);
        opt.keepalive(100);
        opt.pad(1232);
        assertWritten(0, BARE + "0000 0000");
    }

    @Test
    void omitsMissingNsid() {
        parse(new RawQuery().option(3, ""));
        opt.nsid(new byte[0]);

        assertWritten(0, BARE + "0000 0000");
    }

    @Test
    void writesExtendedError() {
        parse(new RawQuery());
        opt.error(EdnsError.NOT_AUTHORITATIVE);
        assertWritten(Rcode.REFUSED, BARE + "0000 0006 000f 0002 0014");

        opt.error(EdnsError.OTHER, "why".getBytes(StandardCharsets.UTF_8));
        assertWritten(Rcode.SERVFAIL, BARE + "0000 0009 000f 0005 0000 776879");
    }

    @Test
    void stateIsResetForEachResponse() {
        parse(new RawQuery().option(11, "").option(3, "").option(12, ""));
        opt.nsid(NAME);
        opt.keepalive(100);
        opt.error(EdnsError.OTHER);
        opt.cookie();
        opt.pad(1232);
        parse(new RawQuery().option(11, "").option(3, "").option(12, ""));

        assertWritten(0, BARE + "0000 0000");
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 440, 452, 453, 454, 457, 468, 469, 900})
    void paddedLengthIsMultipleOf468(int before) {
        parse(new RawQuery().option(12, "0000"));
        opt.pad(Wire.MAX_MESSAGE_BYTES);
        Arrays.fill(out, (byte) 0xee);

        int end = opt.write(out, before, 0);

        assertThat(end % 468).isZero();
        assertThat(end - before - opt.bytes()).isBetween(4, 471);
        int length = Wire.u16(out, before + 9) - 4;
        assertThat(Wire.u16(out, before + 11)).isEqualTo(12);
        assertThat(Wire.u16(out, before + 13)).isEqualTo(length);
        assertThat(Arrays.copyOfRange(out, before + 15, end)).isEqualTo(new byte[length]);
        assertThat(before + 15 + length).isEqualTo(end);
    }

    @Test
    void paddingRespectsLimit() {
        parse(new RawQuery().option(12, ""));
        opt.pad(600);
        assertThat(opt.write(out, 500, 0)).isEqualTo(600);

        opt.pad(514);
        assertThat(opt.write(out, 500, 0)).isEqualTo(511);
        opt.pad(515);
        assertThat(opt.write(out, 500, 0)).isEqualTo(515);
    }

    @Test
    void longestOptionsFitSmallestResponse() {
        parse(new RawQuery()
                .option(8, "0002 80 00 20010db8000000000000000000000001")
                .option(10, "00".repeat(40))
                .option(3, ""));
        opt.cookie();
        opt.nsid(new byte[EdnsResponse.MAX_NSID_BYTES]);
        opt.error(EdnsError.OTHER, new byte[EdnsResponse.MAX_ERROR_TEXT_BYTES]);

        assertThat(Wire.HEADER_BYTES + Wire.MAX_NAME_BYTES + 4 + opt.bytes())
                .isLessThanOrEqualTo(Edns.MIN_PAYLOAD_BYTES);
    }

    @Test
    void noOptWithoutEdns() {
        byte[] wire = new RawQuery().toWire();
        byte[] plain = Arrays.copyOf(wire, wire.length - 11);
        plain[11] = 0;

        assertThat(query.parse(plain, plain.length)).isEqualTo(Query.Verdict.ANSWER);
        opt.error(EdnsError.OTHER);

        assertThat(opt.bytes()).isZero();
        assertThat(Response.end(query, out, 100, 0, 0)).isEqualTo(100);
    }

    private void parse(RawQuery raw) {
        byte[] wire = raw.toWire();
        assertThat(query.parse(wire, wire.length)).isEqualTo(Query.Verdict.ANSWER);
    }

    private void assertWritten(int rcode, String expected) {
        int end = opt.write(out, 100, rcode);

        assertThat(Arrays.copyOfRange(out, 100, end)).isEqualTo(RawQuery.hex(expected));
        assertThat(opt.bytes()).isEqualTo(end - 100);
    }
}
