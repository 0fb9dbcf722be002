package io.ballast.policy.compress;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ScanResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptedCodingsTest {

    private static final HeadLimits LIMITS = new HeadLimits(1000, 1000, 1000, 10);

    private static long flags(String lines) {
        byte[] bytes = ("GET / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        RequestScanner request = new RequestScanner();
        ScanResult result =
                request.scan(Arrays.copyOf(bytes, bytes.length + RequestScanner.SLACK), bytes.length, LIMITS);
        assertThat(result).isEqualTo(ScanResult.COMPLETE);
        return AcceptedCodings.of(request);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip                         | true  | false",
                "deflate, GZip ,br            | true  | false",
                "gzip;q=0.001                 | true  | false",
                "gzip ; q=1.000               | true  | false",
                "gzip;Q=0.5,identity;q=0.5    | true  | false",
                "gzip;q=0.5,identity;q=0.501  | false | false",
                "gzip;q=0                     | false | false",
                "gzip;q=0.000, *              | false | false",
                "*                            | true  | false",
                "*;q=0                        | false | true",
                "gzip, *;q=0                  | true  | true",
                "gzip, identity;q=0           | true  | true",
                "gzip, identity;q=0.1, *;q=0  | true  | false",
                "x-gzip                       | true  | false",
                "gzip;q=2                     | false | false",
                "gzip;q=0.5x                  | false | false",
                "gzip;q=                      | false | false",
                "gzip;level=3                 | false | false",
                "gzipped, br                  | false | false",
                ",,                           | false | false",
            })
    void readsWeights(String value, boolean gzip, boolean identityRefused) {
        assertThat(flags("Accept-Encoding: " + value + "\r\n"))
                .isEqualTo(
                        (gzip ? AcceptedCodings.GZIP : 0) | (identityRefused ? AcceptedCodings.IDENTITY_REFUSED : 0));
    }

    @Test
    void severalLinesAreOneList() {
        assertThat(flags("Accept-Encoding: br\r\naccept-encoding: gzip\r\n")).isEqualTo(AcceptedCodings.GZIP);
    }

    @Test
    void requestWithoutHeaderOrWithEmptyOneAcceptsNothing() {
        assertThat(flags("")).isZero();
        assertThat(flags("Accept-Encoding:\r\n")).isZero();
    }
}
