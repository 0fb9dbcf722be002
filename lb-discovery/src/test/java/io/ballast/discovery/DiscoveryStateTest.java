package io.ballast.discovery;

import static io.ballast.discovery.DiscoveryFixture.config;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Tests the state files: results and edits survive a restart, and failed writes are retried. */
class DiscoveryStateTest extends DiscoverySetup {

    @Test
    void resultsSurviveRestart() {
        source("app").found("10.0.0.1");
        scheduler.advance(SECOND);
        discovery().close();

        Discovery next = newDiscovery();
        started = next;
        Overlay restored = next.restore(config);

        assertThat(addresses(restored)).containsExactly("10.0.0.1:80");
        assertThat(next.stats()).extracting(Discovery.SourceStats::backends).containsExactly(1, 0);
    }

    @Test
    void brokenStateFileIsMovedAside() throws Exception {
        discovery().close();
        Files.writeString(directory.resolve(DiscoveredFile.NAME), "[{\"pool\": 5");

        Discovery next = newDiscovery();
        started = next;

        assertThat(next.restore(config)).isEqualTo(Overlay.EMPTY);
        assertThat(directory.resolve("discovered.json.bad")).exists();
    }

    @Test
    void failedEditWriteIsReportedAndRetried() throws Exception {
        Path file = directory.resolve(EditFile.NAME);
        Files.createDirectory(file);
        assertThat(add("10.0.0.7")).isCompletedWithValue("");
        assertThat(applied).hasSize(1);

        assertThat(settled())
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(IOException.class)
                .withMessageContaining("cannot save the backend changes of operators");
        Files.delete(file);
        scheduler.advance(StateWriter.RETRY_DELAY);

        assertThat(file).content().contains("10.0.0.7:80");
        assertThat(settled()).isCompleted();
    }

    @Test
    void stateFileIsTakenAfterOtherProcessReleasesIt() {
        lockedByOther = true;
        add("10.0.0.7");
        assertThat(settled()).isCompletedExceptionally();
        int before = locks;

        lockedByOther = false;
        scheduler.advance(Duration.ofMinutes(5));
        assertThat(locks).isEqualTo(before);
        assertThat(directory.resolve(EditFile.NAME)).doesNotExist();

        discovery().writePendingState();
        assertThat(directory.resolve(EditFile.NAME)).content().contains("10.0.0.7:80");
    }

    @Test
    void failedResultWriteIsRetried() throws Exception {
        Path file = directory.resolve(DiscoveredFile.NAME);
        Files.createDirectory(file);
        source("app").found("10.0.0.1");
        scheduler.advance(SECOND);
        assertThat(settled()).isCompleted();

        Files.delete(file);
        scheduler.advance(StateWriter.RETRY_DELAY);

        assertThat(file).content().contains("10.0.0.1:80");
    }

    private CompletableFuture<Void> settled() {
        CompletableFuture<Void> settled = discovery().flush();
        scheduler.runDue();
        return settled;
    }
}
