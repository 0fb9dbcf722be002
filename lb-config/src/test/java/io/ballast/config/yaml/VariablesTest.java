package io.ballast.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VariablesTest {

    private final Variables variables = new Variables(Map.of("A", "one", "EMPTY", "", "DOLLAR", "${A}")::get);

    @ParameterizedTest
    @CsvSource({
        "plain, plain",
        "${A}, one",
        "x${A}y${A}, xoney" + "one",
        "${UNSET:-two}, two",
        "${UNSET:-}, ''",
        "${EMPTY}, ''",
        "${EMPTY:-three}, three",
        "${A:-two}, one",
        "$${A}, ${A}",
        "$$$$, $$",
        "$A costs $, $A costs $",
        "${DOLLAR}, ${A}",
        "${UNSET:-a:b-c}, a:b-c"
    })
    void textIsExpandedOnce(String text, String expanded) {
        assertThat(variables.expand(text)).isEqualTo(expanded);
    }

    @Test
    void rejectsVariableWithoutValueAndDefault() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> variables.expand("a ${UNSET}"))
                .withMessage(
                        "the environment variable UNSET is not set; set it, or give a default (${UNSET:-default})");
    }

    @ParameterizedTest
    @ValueSource(strings = {"${", "${}", "${A", "${1}", "${A-B}", "${A B}", "${:-x}"})
    void rejectsMalformedVariable(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> variables.expand(text))
                .withMessageContaining("is not a valid variable reference");
    }

    @ParameterizedTest
    @ValueSource(strings = {"$", "$$", "${A}", "a$${b}$", "none"})
    void readsEscapedText(String text) {
        assertThat(variables.expand(Variables.escape(text))).isEqualTo(text);
    }
}
