package io.ballast.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.0.0.0/8, 10.255.255.255",
        "0.0.0.0/0, 0.0.0.0/0, 255.255.255.255",
        "192.0.2.7, 192.0.2.7/32, 192.0.2.7",
        "192.0.2.128/25, 192.0.2.128/25, 192.0.2.255",
        "::/0, ::/0, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        "2001:DB8::/32, 2001:db8::/32, 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
        "2001:db8::/63, 2001:db8::/63, 2001:db8:0:1:ffff:ffff:ffff:ffff",
        "2001:db8::/65, 2001:db8::/65, 2001:db8::7fff:ffff:ffff:ffff",
        "::1, ::1/128, ::1",
        "::ffff:10.0.0.0/104, 10.0.0.0/8, 10.255.255.255",
        "::ffff:0:0/96, 0.0.0.0/0, 255.255.255.255",
        "::ffff:192.0.2.1, 192.0.2.1/32, 192.0.2.1",
    })
    void parsesNetwork(String text, String printed, String last) {
        assertThat(Cidr.parse(text)).hasToString(printed);
        assertThat(Cidr.parse(text).last()).hasToString(last);
        assertThat(Cidr.parse(printed)).isEqualTo(Cidr.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/8",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/08",
                "10.0.0.0/-1",
                "10.0.0.0/8/8",
                "10.0.0/8",
                "10/8",
                "010.0.0.0/8",
                "1.2.3.256",
                "1.2.3.4.5",
                "1.2.3.",
                "example.org",
                "::/129",
                "1::2::3",
                ":::",
                ":",
                "1:",
                ":1",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7::8",
                "12345::",
                "g::",
                "fe80::1%eth0",
                "[::1]",
                "::1.2.3",
                "1.2.3.4::",
                "::1.2.3.4:5",
                " 10.0.0.0/8",
                "10.0.0.0/8 ",
                "٣.0.0.0",
                "+1.0.0.0"
            })
    void rejectsInvalidNetwork(String text) {
        assertThatThrownBy(() -> Cidr.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cidr: " + text + " (expected: " + Cidr.EXPECTED + ")");
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7/24, 192.0.2.0/24",
        "192.0.2.0/24, 192.0.2.0/24",
        "2001:db8::1/32, 2001:db8::/32",
        "10.1.2.3, 10.1.2.3/32"
    })
    void lenientParsingDropsHostBits(String text, String network) {
        assertThat(Cidr.parseLeniently(text)).hasToString(network);
    }

    @Test
    void rejectsHostBitsAndSuggestsNetwork() {
        assertThatThrownBy(() -> Cidr.parse("10.1.2.3/8"))
                .hasMessage("cidr: 10.1.2.3/8 (expected: 10.0.0.0/8, because the host bits must be zero)");
        assertThatThrownBy(() -> Cidr.parse("2001:db8:0:0:1::/64"))
                .hasMessage("cidr: 2001:db8:0:0:1::/64 (expected: 2001:db8::/64, because the host bits must be zero)");
        assertThatThrownBy(() -> new Cidr(IpAddress.parse("10.1.2.3"), 8))
                .hasMessage("cidr: 10.1.2.3/8 (expected: 10.0.0.0/8)");
    }

    @Test
    void rejectsMappedNetworkShorterThan96Bits() {
        assertThatThrownBy(() -> Cidr.parse("::ffff:0:0/95"))
                .hasMessage("cidr: ::ffff:0:0/95 (expected: a length of at least 96 for IPv4-mapped addresses)");
    }
}
