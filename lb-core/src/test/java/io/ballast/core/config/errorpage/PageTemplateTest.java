package io.ballast.core.config.errorpage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageTemplateTest {

    private static final String ID = "a'b&c";

    @ParameterizedTest
    @CsvSource({
        "HTML, a&#39;b&amp;c 404 Not Found",
        "TEXT, a'b&c 404 Not Found",
        "JSON, a'b&c 404 Not Found",
    })
    void variablesAreEscapedForTheFormat(PageFormat format, String expected) {
        PageTemplate page = new PageTemplate("{{request_id}} {{ status }} {{reason}}");

        assertThat(page.isConstant()).isFalse();
        assertThat(new String(page.render(format, 404, "Not Found", ID), UTF_8)).isEqualTo(expected);
    }

    @Test
    void quotesAreEscapedInJson() {
        PageTemplate page = new PageTemplate("{\"reason\":\"{{reason}}\"}");

        assertThat(new String(page.render(PageFormat.JSON, 404, "\"\\", ID), UTF_8))
                .isEqualTo("{\"reason\":\"\\\"\\\\\"}");
    }

    @Test
    void otherNamesArePlainText() {
        PageTemplate page = new PageTemplate("é {{user}} {{statuses}} {status} {{}} {{status");

        assertThat(page.isConstant()).isTrue();
        assertThat(page.unknownNames()).containsExactly("user", "statuses");
        assertThat(new String(page.constant(), UTF_8)).isEqualTo(page.toString());
    }

    @Test
    void lengthIsLimited() {
        String longest = "é".repeat(PageTemplate.MAX_BYTES / 2);
        String rest = "x".repeat(PageTemplate.MAX_BYTES_WITH_VARIABLES - "{{status}}".length());

        assertThat(new PageTemplate(longest).constant()).hasSize(PageTemplate.MAX_BYTES);
        assertThat(new PageTemplate("{{status}}" + rest).isConstant()).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PageTemplate(longest + "x"))
                .withMessage("page: 1048577 bytes (expected: at most 1048576)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PageTemplate("{{status}}x" + rest))
                .withMessage("page: 65537 bytes (expected: at most 65536 bytes for a page with variables)");
    }

    @Test
    void numberOfVariablesIsLimited() {
        assertThat(new PageTemplate("{{reason}}".repeat(PageTemplate.MAX_VARIABLES)).isConstant())
                .isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PageTemplate("{{reason}}".repeat(PageTemplate.MAX_VARIABLES + 1)));
        assertThat(new PageTemplate("{{x}}".repeat(1000)).unknownNames()).hasSize(PageTemplate.MAX_VARIABLES);
    }

    @ParameterizedTest
    @CsvSource({"404, 404, 404", "4xx, 400, 499", "5xx, 500, 599", "default, 400, 599"})
    void statusesAreReadAndPrinted(String word, int low, int high) {
        ErrorStatuses statuses = ErrorStatuses.parse(word);

        assertThat(statuses).isEqualTo(new ErrorStatuses(low, high)).hasToString(word);
    }

    @ParameterizedTest
    @CsvSource({"200", "3xx", "60", "4x", "4xxx", "''", "500-504", "DEFAULT"})
    void otherWordsAreRefused(String word) {
        assertThatIllegalArgumentException().isThrownBy(() -> ErrorStatuses.parse(word));
    }
}
