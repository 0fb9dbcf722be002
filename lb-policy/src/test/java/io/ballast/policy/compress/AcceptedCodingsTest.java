package io.ballast.policy.compress;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.policy.config.ContentCoding;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptedCodingsTest {

    private static final HeadLimits LIMITS = new HeadLimits(1000, 1000, 1000, 10);

    private static final AcceptedCodings GZIP = new AcceptedCodings(List.of(ContentCoding.GZIP));
    private static final AcceptedCodings ALL =
            new AcceptedCodings(List.of(ContentCoding.ZSTD, ContentCoding.BR, ContentCoding.GZIP));

    private static long choice(AcceptedCodings codings, String lines) {
        byte[] bytes = ("GET / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        RequestScanner request = new RequestScanner();
        ScanResult result =
                request.scan(Arrays.copyOf(bytes, bytes.length + RequestScanner.SLACK), bytes.length, LIMITS);
        assertThat(result).isEqualTo(ScanResult.COMPLETE);
        return codings.of(request);
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
        long choice = choice(GZIP, "Accept-Encoding: " + value + "\r\n");

        assertThat(AcceptedCodings.coding(choice)).isEqualTo(gzip ? ContentCoding.GZIP : null);
        assertThat(AcceptedCodings.refusesIdentity(choice)).isEqualTo(identityRefused);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip, deflate, br, zstd      | ZSTD",
                "gzip, br                     | BR",
                "br;q=0.5, gzip;q=0.6         | GZIP",
                "br;q=0.5, gzip;q=0.5         | BR",
                "*                            | ZSTD",
                "zstd;q=0, *;q=0.1            | BR",
                "*;q=0.5, gzip                | GZIP",
                "br;q=0.4, identity;q=0.5     | ",
                "identity                     | ",
                "br;q=0, zstd;q=0, gzip;q=0   | ",
            })
    void selectsTheHeaviestCoding(String value, ContentCoding expected) {
        assertThat(AcceptedCodings.coding(choice(ALL, "Accept-Encoding: " + value + "\r\n")))
                .isEqualTo(expected);
    }

    @Test
    void severalLinesAreOneList() {
        long choice = choice(GZIP, "Accept-Encoding: br\r\naccept-encoding: gzip\r\n");

        assertThat(AcceptedCodings.coding(choice)).isEqualTo(ContentCoding.GZIP);
    }

    @Test
    void requestWithoutHeaderOrWithEmptyOneAcceptsNothing() {
        assertThat(choice(ALL, "")).isZero();
        assertThat(choice(ALL, "Accept-Encoding:\r\n")).isZero();
    }
}
