package io.ballast.http.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.net.IpAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressReaderTest {

    private static final String ALPHABET = "0123456789abcdefABCDEF::::....xg%";

    private final AddressReader reader = new AddressReader();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.0.2.1",
                "0.0.0.0",
                "255.255.255.255",
                "::",
                "::1",
                "1::",
                "2001:db8::1",
                "2001:DB8:0:0:8:800:200C:417A",
                "::ffff:192.0.2.1",
                "1:2:3:4:5:6:1.2.3.4",
                "1:2:3:4:5:6:7::",
                "::2:3:4:5:6:7:8",
                "fe80::1:0:0:1"
            })
    void readsAddresses(String text) {
        assertThat(read(text)).contains(IpAddress.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1.2.3",
                "1.2.3.4.",
                "1.2.3.4.5",
                "1.2.3.256",
                "01.2.3.4",
                "1.2.3.1234",
                "1..2.3",
                ".1.2.3",
                "unknown",
                "_hidden",
                ":",
                ":::",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "::1::",
                "1:2:3:4:5:6:7:1.2.3.4",
                "::1.2.3",
                "12345::",
                "g::",
                ":1::",
                "1::2:",
                "fe80::1%eth0",
                "1.2.3.4:80"
            })
    void rejectsOtherTexts(String text) {
        assertThat(read(text)).isEmpty();
    }

    @Test
    void agreesWithConfigurationParser() {
        SplittableRandom random = new SplittableRandom(1);
        int addresses = 0;
        for (int i = 0; i < 200_000; i++) {
            StringBuilder text = new StringBuilder(i % 2 == 0 ? "1:2::" : "10.");
            int length = random.nextInt(12);
            for (int j = 0; j < length; j++) {
                text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            }
            Optional<IpAddress> read = read(text.toString());
            addresses += read.isPresent() ? 1 : 0;

            assertThat(read).as(text.toString()).isEqualTo(reference(text.toString()));
        }
        assertThat(addresses).isGreaterThan(1000);
    }

    private Optional<IpAddress> read(String text) {
        byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.US_ASCII);
        return Optional.ofNullable(reader.read(bytes, 1, bytes.length - 1)).map(IpAddress::of);
    }

    private static Optional<IpAddress> reference(String text) {
        try {
            return Optional.of(IpAddress.parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
