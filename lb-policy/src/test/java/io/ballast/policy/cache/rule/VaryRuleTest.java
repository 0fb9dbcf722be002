package io.ballast.policy.cache.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VaryRuleTest {

    private static String select(String vary, String... values) {
        return VaryRule.parse(List.of(vary)).select(name -> List.of(values));
    }

    @Test
    void ignoresOrderAndCaseOfNames() {
        assertThat(VaryRule.parse(List.of("Foo, BAR", "foo"))).isEqualTo(VaryRule.parse(List.of("bar,foo")));
        assertThat(VaryRule.parse(List.of(""))).isEqualTo(VaryRule.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Accept|1, 2|1,2",
                "Accept-Language|en, de|eN ,  De",
                "Accept-Encoding|gzip;q=0.5, br|br, gzip; q=0.5"
            })
    void equivalentValuesSelectTheSameResponse(String vary, String first, String second) {
        assertThat(select(vary, first)).isEqualTo(select(vary, second));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Foo|1|2",
                "Foo|a|A",
                "Foo|1, 2|2, 1",
                "Accept-Language|en|de",
                "Accept-Language|en, de|de, en",
                "Origin|https://a.example|https://a.example,"
            })
    void otherValuesSelectOtherResponses(String vary, String first, String second) {
        assertThat(select(vary, first)).isNotEqualTo(select(vary, second));
    }

    @Test
    void combinesLines() {
        assertThat(select("Accept", "1", "2")).isEqualTo(select("Accept", "1, 2"));
    }

    @Test
    void aMissingHeaderIsAValueOfItsOwn() {
        assertThat(select("Foo")).isNotEqualTo(select("Foo", ""));
    }
}
