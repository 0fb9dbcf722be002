package io.ballast.policy.cors;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedOriginsTest {

    private final AllowedOrigins origins = new AllowedOrigins(List.of(
            "https://app.example",
            "http://localhost:3000",
            "https://*.wild.example",
            "https://*.port.example:8443",
            "http://[::1]:80"));

    private boolean contains(String origin) {
        byte[] bytes = ("x" + origin + "y").getBytes(StandardCharsets.ISO_8859_1);
        return origins.contains(bytes, 1, bytes.length - 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://app.example",
                "http://localhost:3000",
                "https://a.wild.example",
                "https://a-1.b_2.wild.example",
                "https://a.port.example:8443",
                "http://[::1]:80"
            })
    void containsExactOriginsAndSubdomains(String origin) {
        assertThat(contains(origin)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "*",
                "http://app.example",
                "https://app.example:443",
                "https://app.example/",
                "https://app.example.evil",
                "https://APP.example",
                "https://app.exampl",
                "https://app.example https://app.example",
                "https://wild.example",
                "https://.wild.example",
                "https://a..wild.example",
                "https://*.wild.example",
                "https://evilwild.example",
                "https://evil/.wild.example",
                "https://evil:1.wild.example",
                "https://evil?.wild.example",
                "https://evil#.wild.example",
                "https://u@a.wild.example",
                "https://A.wild.example",
                "http://a.wild.example",
                "https://a.wild.example:8443",
                "https://a.port.example",
                "https://a\u00e4.wild.example"
            })
    void doesNotContainOtherOrigins(String origin) {
        assertThat(contains(origin)).isFalse();
    }
}
