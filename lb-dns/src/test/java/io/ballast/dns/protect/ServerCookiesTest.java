package io.ballast.dns.protect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.CookieSecret;
import io.ballast.dns.protect.ServerCookies.Verdict;
import io.ballast.dns.testing.RawQuery;
import io.ballast.dns.wire.EdnsResponse;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests server cookies, starting with the examples of RFC 9018 appendix A. */
class ServerCookiesTest {

    private static final CookieSecret SECRET = new CookieSecret("e5e973e5a6b2a43f48e7dc849e37bfcf");
    private static final String CLIENT = "2464c4abcf10c957";
    private static final String MADE = "010000005cf79f111f8130c3eee29480";
    private static final int MADE_AT = 0x5cf79f11;
    private static final IpAddress ADDRESS = IpAddress.parse("198.51.100.100");

    private final ServerCookies cookies = new ServerCookies(List.of(SECRET));
    private final byte[] reply = new byte[EdnsResponse.COOKIE_BYTES];

    @Test
    void newClientGetsCookie() {
        assertThat(exchange(CLIENT, ADDRESS, MADE_AT)).isEqualTo(Verdict.UNPROVEN);
        assertReply(CLIENT + MADE);
    }

    @Test
    void renewsOldCookie() {
        assertThat(exchange(CLIENT + MADE, ADDRESS, 1559734385)).isEqualTo(Verdict.VALID);
        assertReply(CLIENT + "010000005cf7a871d4a564a1442aca77");
    }

    @Test
    void verifiesReservedBytes() {
        String cookie = "fc93fc62807ddb8601abcdef5cf78f71a314227b6679ebf5";

        assertThat(exchange(cookie, IpAddress.parse("203.0.113.203"), 0x5cf78f71 + 3600))
                .isEqualTo(Verdict.VALID);
        assertThat(exchange(cookie, IpAddress.parse("203.0.113.203"), 1559734700))
                .as("older than an hour")
                .isEqualTo(Verdict.BAD);
        assertReply("fc93fc62807ddb86010000005cf7a9acf73a7810aca2381e");
    }

    @Test
    void renewsCookieOfPreviousSecret() {
        ServerCookies rolled = new ServerCookies(List.of(
                new CookieSecret("445536bcd2513298075a5d379663c962"),
                new CookieSecret("dd3bdf9344b678b185a6f5cb60fca715")));
        byte[] cookie = RawQuery.hex("22681ab97d52c298 010000005cf7c57926556bd0934c72f8");
        IpAddress address = IpAddress.parse("2001:db8:220:1:59de:d0f4:8769:82b8");

        Verdict verdict = rolled.exchange(cookie, 0, 24, address.high(), address.low(), 1559741961, reply);

        assertThat(verdict).isEqualTo(Verdict.VALID);
        assertReply("22681ab97d52c298 010000005cf7c609a6bb79d16625507a");
    }

    @Test
    void acceptsCookiesOfServersThatShareItsSecret() {
        CookieSecret shared = new CookieSecret("00112233445566778899aabbccddeeff");
        ServerCookies other = new ServerCookies(List.of(shared));
        byte[] query = RawQuery.hex(CLIENT);
        Verdict first = other.exchange(query, 0, query.length, ADDRESS.high(), ADDRESS.low(), MADE_AT, reply);
        byte[] cookie = reply.clone();
        assertThat(first).isEqualTo(Verdict.UNPROVEN);
        assertThat(cookies.exchange(cookie, 0, cookie.length, ADDRESS.high(), ADDRESS.low(), MADE_AT, reply))
                .isEqualTo(Verdict.BAD);

        cookies.use(List.of(SECRET, shared));
        assertThat(cookies.exchange(cookie, 0, cookie.length, ADDRESS.high(), ADDRESS.low(), MADE_AT, reply))
                .isEqualTo(Verdict.VALID);
    }

    @ParameterizedTest(name = "{displayName} [{index}]: after {0} s")
    @CsvSource({"-301,BAD", "-300,VALID", "0,VALID", "1800,VALID", "1801,VALID", "3600,VALID", "3601,BAD"})
    void cookieIsValidForOneHour(int age, Verdict expected) {
        assertThat(exchange(CLIENT + MADE, ADDRESS, MADE_AT + age)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{displayName} [{index}]: after {0} s")
    @CsvSource({"-300,true", "1800,true", "1801,false", "3601,false"})
    void keepsCookieForHalfAnHour(int age, boolean same) {
        exchange(CLIENT + MADE, ADDRESS, MADE_AT + age);

        assertThat(HexFormat.of().formatHex(reply).equals(CLIENT + MADE)).isEqualTo(same);
        assertThat(exchange(HexFormat.of().formatHex(reply), ADDRESS, MADE_AT + age))
                .isEqualTo(Verdict.VALID);
    }

    @Test
    void acceptsTimeBeyond32Bits() {
        exchange(CLIENT, ADDRESS, -10);

        assertThat(exchange(HexFormat.of().formatHex(reply), ADDRESS, 3000)).isEqualTo(Verdict.VALID);
    }

    @Test
    void rejectsCookieWithChangedBit() {
        byte[] cookie = RawQuery.hex(CLIENT + MADE);
        for (int bit = 0; bit < 8 * cookie.length; bit++) {
            byte[] changed = cookie.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);

            assertThat(exchange(HexFormat.of().formatHex(changed), ADDRESS, MADE_AT))
                    .as("bit %s", bit)
                    .isEqualTo(Verdict.BAD);
        }
        assertThat(exchange(CLIENT + MADE, IpAddress.parse("198.51.100.101"), MADE_AT))
                .isEqualTo(Verdict.BAD);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 9, 15, 17, 32})
    void rejectsCookieOfOtherLength(int serverBytes) {
        byte[] cookie = Arrays.copyOf(RawQuery.hex(CLIENT + MADE), 8 + serverBytes);

        assertThat(exchange(HexFormat.of().formatHex(cookie), ADDRESS, MADE_AT)).isEqualTo(Verdict.BAD);
        assertReply(CLIENT + MADE);
    }

    @Test
    void secretIsHiddenAndHas16Bytes() {
        assertThat(SECRET).hasToString("CookieSecret[...]");
        assertThatThrownBy(() -> new CookieSecret("e5e973"))
                .hasMessage("secret: 6 characters (expected: 32 hexadecimal digits)");
        assertThatThrownBy(() -> new CookieSecret("x5e973e5a6b2a43f48e7dc849e37bfcf"))
                .hasMessageNotContaining("x5e9");
    }

    private Verdict exchange(String cookie, IpAddress client, int nowSeconds) {
        byte[] message = RawQuery.hex("ffffff" + cookie + "ffffff");
        return cookies.exchange(message, 3, message.length - 6, client.high(), client.low(), nowSeconds, reply);
    }

    private void assertReply(String expected) {
        assertThat(reply).isEqualTo(RawQuery.hex(expected));
    }
}
