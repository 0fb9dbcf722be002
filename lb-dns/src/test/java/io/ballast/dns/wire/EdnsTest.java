package io.ballast.dns.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.testing.RawQuery;
import io.ballast.dns.wire.Query.Verdict;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the options of a query's OPT record byte by byte. */
class EdnsTest {

    private static final String COOKIE = "2464c4abcf10c957";

    private final Query query = new Query(new NameHash(1, 2));
    private final Edns edns = query.edns();

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @CsvSource({
        "0001 18 00 c00002,      24, 4,  c0000200",
        "0001 20 00 c0000201,    32, 4,  c0000201",
        "0001 19 00 c0000280,    25, 4,  c0000280",
        "0001 07 00 c0,          7,  4,  c0000000",
        "0002 38 00 20010db8012345,   56,  16, 20010db8012345000000000000000000",
        "0002 80 00 20010db8000000000000000000000001, 128, 16, 20010db8000000000000000000000001",
    })
    void readsTheNetwork(String option, int sourceBits, int length, String bytes) {
        assertThat(parse(new RawQuery().option(8, option))).isEqualTo(Verdict.ANSWER);

        EdnsSubnet subnet = edns.subnet();
        assertThat(subnet.isPresent()).isTrue();
        assertThat(subnet.hasAddress()).isTrue();
        assertThat(subnet.sourceBits()).isEqualTo(sourceBits);
        assertThat(subnet.length()).isEqualTo(length);
        assertThat(Arrays.copyOf(subnet.bytes(), length)).isEqualTo(RawQuery.hex(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0001 00 00", "0002 00 00", "0000 00 00"})
    void zeroPrefixRequestsNoAddress(String option) {
        assertThat(parse(new RawQuery().option(8, option))).isEqualTo(Verdict.ANSWER);

        assertThat(edns.subnet().isPresent()).isTrue();
        assertThat(edns.subnet().hasAddress()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", // empty
                "0001 18", // truncated
                "0001 18 18 c00002", // a scope in a query
                "0001 18 00 c000", // one byte too few
                "0001 18 00 c0000200", // one byte too many
                "0001 00 00 c0", // an address byte despite prefix length 0
                "0001 17 00 c00003", // a bit set after the prefix
                "0001 01 00 40", // a bit set after the prefix, in the first byte
                "0001 21 00 c000020100", // more bits than an IPv4 address has
                "0002 81 00 20010db80000000000000000000000 01 00",
                "0002 7f 00 20010db8000000000000000000000001",
                "0000 08 00 c0", // an address in spite of family 0
                "0003 18 00 c00002", // an undefined address family
                "0003 00 00",
            })
    void rejectsMalformedSubnet(String option) {
        assertThat(parse(new RawQuery().option(8, option))).isEqualTo(Verdict.FORMERR);
        assertThat(edns.subnet().isPresent()).isFalse();
        assertThat(edns.isPresent()).isTrue();
    }

    @Test
    void stateIsResetForEachSubnet() {
        parse(new RawQuery().option(8, "0002 80 00 20010db8000000000000000000000001"));
        parse(new RawQuery().option(8, "0001 08 00 0a"));

        assertThat(edns.subnet().bytes()).isEqualTo(RawQuery.hex("0a000000 00000000 00000000 00000000"));
        parse(new RawQuery());
        assertThat(edns.subnet().isPresent()).isFalse();
    }

    @Test
    void firstSubnetCounts() {
        parse(new RawQuery().option(8, "0001 08 00 0a").option(8, "0001 08 00 0b"));

        assertThat(edns.subnet().bytes()[0]).isEqualTo((byte) 10);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 17, 24, 39, 40})
    void readsCookie(int length) {
        byte[] wire =
                new RawQuery().option(10, COOKIE + "00".repeat(length - 8)).toWire();

        assertThat(query.parse(wire, wire.length)).isEqualTo(Verdict.ANSWER);

        assertThat(edns.cookieLength()).isEqualTo(length);
        assertThat(Arrays.copyOfRange(wire, edns.cookieOffset(), edns.cookieOffset() + 8))
                .isEqualTo(RawQuery.hex(COOKIE));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 9, 15, 41, 64})
    void rejectsCookieOfInvalidLength(int length) {
        assertThat(parse(new RawQuery().option(10, "00".repeat(length)))).isEqualTo(Verdict.FORMERR);
        assertThat(edns.cookieLength()).isZero();
    }

    @Test
    void firstCookieCounts() {
        parse(new RawQuery().option(10, COOKIE).option(10, COOKIE.repeat(3)));

        assertThat(edns.cookieLength()).isEqualTo(8);
    }

    @Test
    void readsRequestedOptions() {
        parse(new RawQuery().option(3, "").option(11, "").option(12, "000000").flags(0xc000));

        assertThat(edns.isNsidRequested()).isTrue();
        assertThat(edns.isKeepaliveRequested()).isTrue();
        assertThat(edns.isPadded()).isTrue();
        assertThat(edns.isDnssecOk()).isTrue();
        assertThat(edns.isCompactOk()).isTrue();

        parse(new RawQuery().flags(0x3fff));

        assertThat(edns.isNsidRequested()).isFalse();
        assertThat(edns.isKeepaliveRequested()).isFalse();
        assertThat(edns.isPadded()).isFalse();
        assertThat(edns.isDnssecOk()).isFalse();
        assertThat(edns.isCompactOk()).isFalse();
    }

    @Test
    void ignoresUnknownOptions() {
        RawQuery raw = new RawQuery().option(65001, "0102").option(4, "").option(3, "");

        assertThat(parse(raw)).isEqualTo(Verdict.ANSWER);
        assertThat(edns.isNsidRequested()).isTrue();
    }

    @Test
    void rejectsOptionLongerThanRecord() {
        assertThat(parse(new RawQuery().option(65001, 3, "0102"))).isEqualTo(Verdict.FORMERR);
        assertThat(parse(new RawQuery().option(65001, 65535, "0102"))).isEqualTo(Verdict.FORMERR);
        assertThat(parse(new RawQuery().option(3, "").option(12, 1, ""))).isEqualTo(Verdict.FORMERR);
        assertThat(edns.isNsidRequested()).isFalse();
    }

    @Test
    void ignoresOptionsOfOtherVersion() {
        assertThat(parse(new RawQuery().version(1).option(10, "00").option(3, 9, "")))
                .isEqualTo(Verdict.BADVERS);
        assertThat(edns.cookieLength()).isZero();
    }

    @Test
    void cookieOnlyQueryNeedsNoQuestion() {
        assertThat(parse(new RawQuery().withoutQuestion().option(10, COOKIE))).isEqualTo(Verdict.COOKIE);
        assertThat(query.hasQuestion()).isFalse();
        assertThat(parse(new RawQuery().withoutQuestion())).isEqualTo(Verdict.FORMERR);
        assertThat(parse(new RawQuery().withoutQuestion().option(10, "00"))).isEqualTo(Verdict.FORMERR);
        assertThat(parse(new RawQuery().withoutQuestion().version(7).option(10, COOKIE)))
                .isEqualTo(Verdict.BADVERS);
    }

    private Verdict parse(RawQuery raw) {
        byte[] wire = raw.toWire();
        return query.parse(wire, wire.length);
    }
}
