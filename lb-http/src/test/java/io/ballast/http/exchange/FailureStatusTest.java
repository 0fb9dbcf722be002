package io.ballast.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.relay.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailureStatusTest {

    private static final Path DOCUMENT = Path.of("../docs/metrics.md");

    @ParameterizedTest
    @EnumSource(Failure.class)
    void documentListsAllFailuresWithStatus(Failure failure) throws Exception {
        assertThat(Files.readString(DOCUMENT))
                .contains("\n| `" + failure.label() + "` | " + FailureStatus.of(failure) + " | ");
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void documentStatesWhichFailuresAreErrors(Failure failure) {
        assertThat(failure.isError()).isEqualTo(FailureStatus.of(failure) >= 500);
    }
}
