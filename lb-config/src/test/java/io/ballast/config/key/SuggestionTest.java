package io.ballast.config.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {

    private static final List<String> KNOWN = List.of("listeners", "pools", "dns", "strategy", "ip");

    @ParameterizedTest
    @CsvSource({
        "stratgey, strategy", // neighbours swapped
        "startegy, strategy",
        "strategie, strategy", // one changed, one added
        "listener, listeners",
        "pol, pools",
        "sdn, dns"
    })
    void wordWithUpToTwoTypingErrorsIsRecognised(String typed, String meant) {
        assertThat(Suggestion.nearest(typed, KNOWN)).hasValue(meant);
    }

    @ParameterizedTest
    @CsvSource({"colour", "strangely", "xy", "x", "''"})
    void unrelatedWordHasNoSuggestion(String typed) {
        assertThat(Suggestion.nearest(typed, KNOWN)).isEmpty();
    }

    @Test
    void suggestsNearestWord() {
        assertThat(Suggestion.nearest("backend", List.of("backed_up", "backends", "back")))
                .hasValue("backends");
    }
}
