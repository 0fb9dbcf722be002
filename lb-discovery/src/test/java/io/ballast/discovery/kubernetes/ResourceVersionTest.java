package io.ballast.discovery.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceVersionTest {

    @ParameterizedTest(name = "{0} before {1}: {2}")
    @CsvSource({
        "99, 100, true",
        "100, 99, false",
        "100, 100, false",
        "18446744073709551615, 18446744073709551616, true",
        "a7, 100, false",
        "7, b, false",
        "'', 100, false",
        "007, 100, false"
    })
    void numbersAreComparedAndOtherVersionsAreNot(String version, String other, boolean before) {
        assertThat(ResourceVersion.isBefore(version, other)).isEqualTo(before);
    }
}
