package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.testing.ChiSquare;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AffinityTest {

    @ParameterizedTest(name = "{0}/{2} and {1}/{2}: {3}")
    @CsvSource({
        "10.0.0.1, 10.0.0.1, 32, true",
        "10.0.0.1, 10.0.0.2, 32, false",
        "10.0.0.2, 10.0.0.3, 31, true",
        "10.0.0.1, 10.0.0.2, 31, false",
        "10.1.2.3, 10.1.2.250, 24, true",
        "10.1.2.3, 10.1.3.3, 24, false",
        "128.0.0.0, 255.0.0.1, 1, true",
        "127.0.0.0, 128.0.0.0, 1, false",
        "1.2.3.4, 250.6.7.8, 0, true"
    })
    void ipv4AddressesInOneNetworkHaveOneKey(String a, String b, int prefix, boolean same) {
        Affinity affinity = new Affinity(prefix, 64);

        assertThat(affinity.of(bytes(a)) == affinity.of(bytes(b))).isEqualTo(same);
    }

    @ParameterizedTest(name = "{0}/{2} and {1}/{2}: {3}")
    @CsvSource({
        "2001:db8::1, 2001:db8::ffff:1:2:3, 64, true",
        "2001:db8::1, 2001:db8:0:1::1, 64, false",
        "2001:db8::1, 2001:db8:0:1::1, 63, true",
        "2001:db8::1, 2001:db8:0:ff::1, 56, true",
        "2001:db8::1, 2001:db8:0:100::1, 56, false",
        "2001:db8::1, 2001:db8::2, 128, false",
        "2001:db8::2, 2001:db8::3, 127, true",
        "2001:db8::, 2001:db8::8000:0:0:0, 65, false",
        "2001:db8::, 2001:db8::7000:0:0:0, 65, true",
        "1::, ffff::, 0, true"
    })
    void ipv6AddressesInOneNetworkHaveOneKey(String a, String b, int prefix, boolean same) {
        Affinity affinity = new Affinity(32, prefix);

        assertThat(affinity.of(bytes(a)) == affinity.of(bytes(b))).isEqualTo(same);
    }

    @Test
    void allFormsOfIpv4AddressHaveSameKey() {
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, (byte) 192, 0, 2, 7};
        byte[] buffer = {9, 9, (byte) 192, 0, 2, 7, 9};

        assertThat(Affinity.DEFAULT.ofIpv4(0xC0000207))
                .isEqualTo(Affinity.DEFAULT.of(bytes("192.0.2.7")))
                .isEqualTo(Affinity.DEFAULT.of(mapped))
                .isEqualTo(Affinity.DEFAULT.of(buffer, 2, 4))
                .isEqualTo(Affinity.DEFAULT.ofIpv6(0, 0xFFFF_C000_0207L));
    }

    @Test
    void allFormsOfIpv6AddressHaveSameKey() {
        assertThat(Affinity.DEFAULT.ofIpv6(0x20010DB8_00010002L, 0x0003_0004_0005_0006L))
                .isEqualTo(Affinity.DEFAULT.of(bytes("2001:db8:1:2:3:4:5:6")));
        assertThat(new Affinity(32, 128).ofIpv6(0x20010DB8_00010002L, 0x0003_0004_0005_8006L))
                .isEqualTo(new Affinity(32, 128).of(bytes("2001:db8:1:2:3:4:5:8006")));
    }

    @Test
    void ipv4AndIpv6NetworksDoNotShareKeys() {
        assertThat(Affinity.DEFAULT.ofIpv4(0)).isNotEqualTo(Affinity.DEFAULT.ofIpv6(0, 0));
        assertThat(Affinity.DEFAULT.ofIpv6(0, 0x1_0000_0000L)).isEqualTo(Affinity.DEFAULT.ofIpv6(0, 0));
    }

    @Test
    void adjacentAddressesSpreadEvenly() {
        long[] byIpv4 = new long[64];
        long[] byIpv6 = new long[64];
        for (int i = 0; i < 20_000; i++) {
            byIpv4[(int) (Affinity.DEFAULT.ofIpv4(0x0A000000 + i) >>> 58)]++;
            byIpv6[(int) (Affinity.DEFAULT.ofIpv6(0x20010DB8_00000000L + i, 1) >>> 58)]++;
        }

        ChiSquare.assertFits(byIpv4, ChiSquare.equal(64));
        ChiSquare.assertFits(byIpv6, ChiSquare.equal(64));
    }

    @Test
    void rejectsInvalidLengthsAndPrefixes() {
        assertThatThrownBy(() -> Affinity.DEFAULT.of(new byte[5]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("address length: 5 (expected: 4 or 16)");
        assertThatThrownBy(() -> new Affinity(33, 64)).hasMessage("ipv4Prefix: 33 (expected: 0..32)");
        assertThatThrownBy(() -> new Affinity(32, -1)).hasMessage("ipv6Prefix: -1 (expected: 0..128)");
    }

    private static byte[] bytes(String literal) {
        try {
            return InetAddress.getByName(literal).getAddress();
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
