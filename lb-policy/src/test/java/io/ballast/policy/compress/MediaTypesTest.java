package io.ballast.policy.compress;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.config.CompressionConfig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MediaTypesTest {

    private static boolean contain(List<String> patterns, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
        return new MediaTypes(patterns).contain(bytes, 0, bytes.length);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/html                       | true",
                "Text/HTML;charset=utf-8         | true",
                "application/json                | true",
                "application/json ; v=1          | true",
                "application/vnd.api+json        | true",
                "application/wasm                | true",
                "image/svg+xml                   | true",
                "application/jsonp               | false",
                "application/+json               | false",
                "image/png                       | false",
                "application/zip                 | false",
                "application/octet-stream        | false",
                "text                            | false",
                "application/grpc                | false",
                "application/grpc-web+json       | false",
            })
    void defaultTypesAreText(String value, boolean expected) {
        assertThat(contain(CompressionConfig.DEFAULT_TYPES, value)).isEqualTo(expected);
    }
}
