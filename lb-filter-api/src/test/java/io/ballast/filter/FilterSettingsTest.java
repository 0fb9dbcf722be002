package io.ballast.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterSettingsTest {

    private static FilterSettings with(Object value) {
        return FilterSettings.of(Map.of("a", value));
    }

    @Test
    void absentSettingsAreEmpty() {
        FilterSettings settings = FilterSettings.EMPTY;

        assertThat(settings.text("a")).isEmpty();
        assertThat(settings.number("a")).isEmpty();
        assertThat(settings.flag("a")).isEmpty();
        assertThat(settings.duration("a")).isEmpty();
        assertThat(settings.texts("a")).isEmpty();
        assertThat(settings.section("a").names()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"250ms, PT0.25S", "10s, PT10S", "5m, PT5M", "1h, PT1H", "0s, PT0S"})
    void durationsAreRead(String text, Duration expected) {
        assertThat(with(text).duration("a")).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-1s", "1.5s", "1d", "9999999999s"})
    void otherDurationsAreRejected(String text) {
        assertThatThrownBy(() -> with(text).duration("a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("(expected: a duration such as 250ms, 10s, 5m or 1h)");
    }

    @Test
    void scalarsAreTexts() {
        assertThat(with(5).text("a")).contains("5");
        assertThat(with(-5).number("a")).hasValue(-5);
        assertThat(with(true).flag("a")).contains(true);
        assertThat(with("one").texts("a")).containsExactly("one");
        assertThat(with(List.of("one", 2)).texts("a")).containsExactly("one", "2");
    }

    @Test
    void problemsNameTheSettingAndNotItsValue() {
        FilterSettings nested = with(Map.of("b", "secret")).section("a");

        assertThatThrownBy(() -> nested.number("b"))
                .hasMessage("settings.a.b: a text of 6 characters (expected: a whole number)");
        assertThatThrownBy(() -> nested.requireText("c")).hasMessage("settings.a.c: no value (expected: a text)");
        assertThatThrownBy(() -> nested.section("b")).hasMessage("settings.a.b: invalid value (expected: a mapping)");
        assertThatThrownBy(() -> nested.requireOnly("c")).hasMessage("settings.a: unknown name 'b' (expected: c)");
        assertThatThrownBy(() -> with(Map.of()).text("a")).hasMessageContaining("(expected: a text)");
        assertThatThrownBy(() -> with(List.of(List.of())).texts("a"))
                .hasMessageContaining("(expected: a list of texts)");
        assertThatThrownBy(() -> with(new Object())).hasMessageContaining("(expected: a text, a list or a map)");
    }

    @Test
    void settingsAreACopy() {
        List<String> list = new ArrayList<>(List.of("one"));
        FilterSettings settings = with(list);
        list.add("two");

        assertThat(settings.texts("a")).containsExactly("one");
        assertThatThrownBy(() -> settings.asMap().put("b", "c")).isInstanceOf(UnsupportedOperationException.class);
    }
}
