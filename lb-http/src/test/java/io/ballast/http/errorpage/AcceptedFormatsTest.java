package io.ballast.http.errorpage;

import static io.ballast.core.config.errorpage.PageFormat.HTML;
import static io.ballast.core.config.errorpage.PageFormat.JSON;
import static io.ballast.core.config.errorpage.PageFormat.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.errorpage.PageFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AcceptedFormatsTest {

    @ParameterizedTest
    @MethodSource
    void namedFormatsAreSortedByWeight(String accept, List<PageFormat> expected) {
        assertThat(AcceptedFormats.of(accept).named()).isEqualTo(expected);
    }

    static Stream<Arguments> namedFormatsAreSortedByWeight() {
        return Stream.of(
                Arguments.of(null, List.of()),
                Arguments.of("", List.of()),
                Arguments.of("*/*, text/*;q=0.3", List.of()),
                Arguments.of("TEXT/HTML;level=1", List.of(HTML)),
                Arguments.of("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", List.of(HTML)),
                Arguments.of("application/json, text/plain, */*", List.of(JSON, TEXT)),
                Arguments.of("text/plain; q=0.5, application/problem+json ;q=0.75", List.of(JSON, TEXT)),
                Arguments.of("text/html;q=0, text/plain;q=0.001", List.of(TEXT)),
                Arguments.of("text/html;q=2, text/plain;q=x", List.of()),
                Arguments.of(",,;q=1,/,text/html", List.of(HTML)),
                Arguments.of("a/b,".repeat(64) + "text/html", List.of()));
    }
}
