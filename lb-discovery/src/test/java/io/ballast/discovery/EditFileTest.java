package io.ballast.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HostPort;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the file that stores operators' edits of backends. */
class EditFileTest {

    @TempDir
    private Path directory;

    @Test
    void editIsReadBackWithAllFields() {
        BackendConfig ofFile = new BackendConfig(
                new HostPort("10.0.0.1", 5432), 1, 2, /* backup= */ true, Optional.of("eu"), OptionalInt.of(8008));
        BackendEdit edit = new BackendEdit(
                BackendEdit.Kind.CHANGED,
                ofFile.with(/* otherWeight= */ 7, /* otherBackup= */ false),
                Optional.of(ofFile),
                new OverrideTerms("ann", "sale", Instant.EPOCH, Optional.empty()));
        BackendEdits edits = BackendEdits.NONE.with(new BackendEdits.Key("db", ofFile.address()), edit);

        try (EditFile file = new EditFile(directory, () -> () -> {})) {
            file.setPending(edits);
            assertThat(file.write()).isTrue();
            assertThat(file.read()).isEqualTo(edits);
        }
    }
}
