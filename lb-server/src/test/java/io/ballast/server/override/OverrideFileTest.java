package io.ballast.server.override;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.ActiveMaintenance;
import io.ballast.core.health.ActiveStateOverride;
import io.ballast.core.health.ActiveWeightOverride;
import io.ballast.core.health.OverrideSnapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverrideFileTest {

    private static final ActiveStateOverride DRAIN = new ActiveStateOverride(
            "web",
            "app:80",
            new StateOverride(StateOverride.Kind.DRAIN, "ann", "kernel", Instant.EPOCH, Optional.empty()));

    private static final OverrideTerms TERMS =
            new OverrideTerms("ann", "disk", Instant.EPOCH, Optional.of(Instant.EPOCH.plusSeconds(1)));

    private static final OverrideSnapshot BOOK = new OverrideSnapshot(
            List.of(
                    DRAIN,
                    new ActiveStateOverride(
                            "web", "b:80", new StateOverride(StateOverride.Kind.DRAIN, TERMS, TERMS.until()))),
            List.of(new ActiveWeightOverride("web", "app:80", new WeightOverride(5, TERMS))),
            List.of(new ActiveMaintenance("api", TERMS)));

    private static final ExternalOverride EXTERNAL = new ExternalOverride(
            "web",
            "app:80",
            "probe",
            Optional.of(ExternalOverride.State.DOWN),
            OptionalInt.of(3),
            "lag",
            Instant.EPOCH,
            Instant.EPOCH.plusSeconds(1),
            Instant.EPOCH.plusSeconds(60));

    private final ControlPlane control = ControlPlane.start(Clock.systemUTC());

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        control.close();
    }

    @Test
    void roundTripsOverrides() throws Exception {
        try (OverrideFile file = new OverrideFile(directory, control)) {
            file.save(BOOK);
        }
        try (OverrideFile file = new OverrideFile(directory, control)) {
            assertThat(file.read()).isEqualTo(new SavedOverrides(BOOK, List.of()));
        }
    }

    @Test
    void operatorsAndExternalSourcesShareTheFile() throws Exception {
        ExternalOverride weightOnly = new ExternalOverride(
                "web",
                "b:80",
                "probe",
                Optional.empty(),
                OptionalInt.of(0),
                "",
                Instant.EPOCH,
                Instant.EPOCH,
                Instant.EPOCH.plusSeconds(60));
        try (OverrideFile file = new OverrideFile(directory, control)) {
            file.saveExternal(List.of(EXTERNAL, weightOnly));
            file.save(BOOK);
        }
        try (OverrideFile file = new OverrideFile(directory, control)) {
            assertThat(file.read()).isEqualTo(new SavedOverrides(BOOK, List.of(EXTERNAL, weightOnly)));
        }
    }

    /** After an upgrade, the file may come from an older version, which did not write external overrides. */
    @Test
    void fileOfAnOlderProcessIsRead() throws Exception {
        Files.writeString(directory.resolve(OverrideFile.NAME), "{\"orders\": []}");
        try (OverrideFile file = new OverrideFile(directory, control)) {
            assertThat(file.read()).isEqualTo(SavedOverrides.EMPTY);
        }
    }

    @Test
    void unreadableFileIsKept() throws Exception {
        Path broken = Files.writeString(directory.resolve(OverrideFile.NAME), "{\"orders\": [,]}");
        try (OverrideFile file = new OverrideFile(directory, control)) {
            assertThat(file.read()).isEqualTo(SavedOverrides.EMPTY);
            file.save(BOOK);
        }

        assertThat(broken).content().contains("ann");
        assertThat(directory.resolve("operator.json.bad")).hasContent("{\"orders\": [,]}");
    }

    @Test
    void unknownOverrideIsKept() throws Exception {
        Files.writeString(directory.resolve(OverrideFile.NAME), "{\"orders\": [{\"is\": \"asleep\"}]}");
        try (OverrideFile file = new OverrideFile(directory, control)) {
            assertThat(file.read()).isEqualTo(SavedOverrides.EMPTY);
        }

        assertThat(directory.resolve("operator.json.bad")).content().contains("asleep");
    }

    @Test
    void failedWriteIsRetried() throws Exception {
        Path inTheWay = Files.createDirectories(directory.resolve(
                OverrideFile.NAME + "." + ProcessHandle.current().pid() + "/full"));
        try (OverrideFile file = new OverrideFile(directory, control)) {
            file.save(BOOK);
            awaitTimeline("lost at a restart");

            Files.delete(inTheWay);
            Files.delete(inTheWay.getParent());
        }
        assertThat(directory.resolve(OverrideFile.NAME)).content().contains("ann");
    }

    private void awaitTimeline(String text) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() < deadline) {
            if (control.timeline().recent().stream()
                    .anyMatch(event -> event.toString().contains(text))) {
                return;
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("not told within 60 s: " + text);
    }
}
