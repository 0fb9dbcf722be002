package io.ballast.http.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailureDocTest {

    private static final Path DOCUMENT = Path.of("../docs/metrics.md");

    @ParameterizedTest
    @EnumSource(Failure.class)
    void theDocumentNamesEveryKindOfFailureWithItsStatus(Failure failure) throws Exception {
        assertThat(Files.readString(DOCUMENT)).contains("\n| `" + failure.label() + "` | " + failure.status() + " | ");
    }
}
