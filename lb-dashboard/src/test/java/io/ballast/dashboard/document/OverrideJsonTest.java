package io.ballast.dashboard.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OverrideJsonTest {

    @ParameterizedTest
    @ValueSource(strings = {"5", "5.0", "0.5e1", "\"5\""})
    void aWeightIsAWholeNumberInAnyNotation(String weight) {
        assertThat(read("{\"weight\": " + weight + "}")).isEqualTo(Map.of("weight", "5"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5.5", "1e300", "NaN", "null", "[5]"})
    void otherWeightsAreRejected(String weight) {
        assertThatIllegalArgumentException().isThrownBy(() -> read("{\"weight\": " + weight + "}"));
    }

    @Test
    void flagsMayBeBooleans() {
        assertThat(read("{\"confirm\": true, \"backup\": false}"))
                .isEqualTo(Map.of("confirm", "true", "backup", "false"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"who", "why", "until", "deadline", "address"})
    void textsMayNotBeBooleansOrNumbers(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("{\"" + name + "\": false}"))
                .withMessageStartingWith(name + ": unexpected JSON");
        assertThatIllegalArgumentException().isThrownBy(() -> read("{\"" + name + "\": 5}"));
    }

    private static Map<String, String> read(String body) {
        return OverrideJson.read(body.getBytes(StandardCharsets.UTF_8));
    }
}
