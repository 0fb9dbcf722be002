package io.ballast.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IpAddressTest {

    @ParameterizedTest
    @CsvSource({
        "0:0:0:0:0:0:0:0, ::",
        "0:0:0:0:0:0:0:1, ::1",
        "1:0:0:0:0:0:0:0, 1::",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0db8:0:0:0:0:0002:0001, 2001:db8::2:1",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
        "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::FFFF:1.2.3.4, 1.2.3.4",
        "255.255.255.255, 255.255.255.255",
    })
    void addressesArePrintedInTheirShortestForm(String text, String printed) {
        assertThat(IpAddress.parse(text)).hasToString(printed);
    }

    /** Tests that the JDK parses the printed text to the same address. */
    @Test
    void printedAddressParsesBackLikeJdk() throws UnknownHostException {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
            for (int j = 0; j < bytes.length; j++) {
                bytes[j] = random.nextInt(3) > 0 ? 0 : (byte) random.nextInt();
            }
            IpAddress address = IpAddress.of(bytes);

            String text = address.toString();

            assertThat(IpAddress.parse(text)).isEqualTo(address);
            assertThat(IpAddress.of(InetAddress.getByName(text).getAddress())).isEqualTo(address);
        }
    }

    @Test
    void rejectsInvalidLengths() {
        assertThatThrownBy(() -> IpAddress.of(new byte[5])).hasMessage("bytes: 5 (expected: 4 or 16)");
        assertThatThrownBy(() -> IpAddress.parse("example.org"))
                .hasMessage("address: example.org (expected: " + AddressText.EXPECTED + ")");
    }
}
