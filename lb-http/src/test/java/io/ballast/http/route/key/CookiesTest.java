package io.ballast.http.route.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.net.config.ClientLimits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CookiesTest {

    private static @Nullable String find(String name, String... headers) {
        StringBuilder head = new StringBuilder("GET / HTTP/1.1\r\nHost: a\r\n");
        for (String header : headers) {
            head.append("Cookie: ").append(header).append("\r\n");
        }
        byte[] bytes = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        RequestScanner request = new RequestScanner();
        byte[] withSlack = Arrays.copyOf(bytes, bytes.length + ByteAppender.SLACK);
        assertThat(request.scan(withSlack, bytes.length, HeadLimits.of(ClientLimits.DEFAULT)))
                .isEqualTo(ScanResult.COMPLETE);
        long range = Cookies.find(request, name.getBytes(StandardCharsets.US_ASCII));
        return range == Cookies.NONE
                ? null
                : new String(
                        request.bytes(),
                        Cookies.from(range),
                        Cookies.to(range) - Cookies.from(range),
                        StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "a=1 | a | 1",
                "a=1; b=2 | b | 2",
                "a=1;b=2 ;c=3 | b | 2",
                "a=1; a=2 | a | 1",
                "aa=1; a=2 | a | 2",
                "a; b=2 | b | 2",
                "a= | a | \"\"",
                "a=b=c; d=e | a | b=c",
                "x; =; ;; a=1 | a | 1",
                "a=12345678;b=2 | a | 12345678",
                "a=123456789012345678901234567890; b=2 | b | 2",
                "A=1 | a | ",
                "b=a=1 | a | ",
            })
    void findsValueByName(String header, String name, String expected) {
        assertThat(find(name, header)).isEqualTo(expected);
    }

    @Test
    void findsCookieInALaterLine() {
        assertThat(find("b", "a=1", "c=3; b=2")).isEqualTo("2");
    }

    @Test
    void findsEverySemicolonAmongBytesThatResembleIt() {
        char[] similar = {':', '<', '\u00bb', ';', '1', '\u00ff', 'z', '\u0080'};
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 5_000; i++) {
            StringBuilder value = new StringBuilder();
            int length = random.nextInt(40);
            for (int c = 0; c < length; c++) {
                value.append(similar[random.nextInt(similar.length)]);
            }
            String expected = value.toString().split(";", -1)[0];
            assertThat(find("a", "x=1; a=" + value)).isEqualTo(expected);
            assertThat(find("z", "a=" + value + "; z=end")).isEqualTo("end");
        }
    }
}
