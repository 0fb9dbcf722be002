package io.ballast.server.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.load.LoadedConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.Event;
import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.ReloadReport.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how a changed configuration is activated. */
class ConfigReloaderTest {

    @TempDir
    private Path directory;

    private final List<String> calls = new ArrayList<>();
    private final List<String> notified = new ArrayList<>();
    private int outdated;
    private boolean fails;

    private final class Recorded implements Reloadable.Preparation {

        @Override
        public boolean isEmpty() {
            return false;
        }

        @Override
        public boolean isCurrent() {
            return outdated-- <= 0;
        }

        @Override
        public void update() {
            calls.add("update");
        }

        @Override
        public void commit() {
            calls.add("commit");
            if (fails) {
                throw new IllegalStateException("torn");
            }
        }

        @Override
        public CompletableFuture<Void> quiescence() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void releasePrevious() {
            calls.add("settle");
        }

        @Override
        public void close() {}
    }

    @Test
    void preparedChangeIsUpdatedToCurrentHealth() throws Exception {
        outdated = 2;

        assertThat(reload().join().outcome()).isEqualTo(Outcome.APPLIED);

        assertThat(calls).containsExactly("update", "update", "commit", "settle");
    }

    @Test
    void reloadCompletesDespiteConstantHealthChanges() throws Exception {
        outdated = Integer.MAX_VALUE;

        assertThat(reload().join().outcome()).isEqualTo(Outcome.APPLIED);

        assertThat(calls).endsWith("update", "commit", "settle");
    }

    @Test
    void partialFailureIsNotReportedAsRejection() throws Exception {
        fails = true;

        CompletableFuture<ReloadReport> report = reload();

        assertThat(report).isCompletedExceptionally();
        assertThat(notified)
                .containsExactly(
                        "reload by test failed and was only partly applied; restart the process to apply it completely");
        assertThat(calls).containsExactly("commit"); // the previous configuration may still be in use
    }

    @Test
    void requestSharesReloadThatHasNotBegun() throws Exception {
        List<Runnable> tasks = new ArrayList<>();
        try (ControlPlane control = ControlPlane.start(Clock.systemUTC())) {
            ConfigReloader reloader = reloader(control, tasks::add);

            CompletableFuture<ReloadReport> first = reloader.reload(/* dryRun= */ false, "SIGHUP");
            CompletableFuture<ReloadReport> second = reloader.reload(/* dryRun= */ false, "SIGHUP");
            reloader.reload(/* dryRun= */ true, "SIGHUP");
            reloader.reload(/* dryRun= */ false, "ann");

            assertThat(tasks).hasSize(3);
            tasks.get(0).run();
            assertThat(first.join().outcome()).isEqualTo(Outcome.APPLIED);
            assertThat(second.join()).isSameAs(first.join());

            reloader.reload(/* dryRun= */ false, "SIGHUP");
            assertThat(tasks).hasSize(4);
        }
    }

    private ConfigReloader reloader(ControlPlane control, Executor thread) throws Exception {
        Path file = Files.writeString(
                directory.resolve("lb.yaml"), "listeners: [{bind: '127.0.0.1:0', routes: [{respond: {status: 204}}]}]");
        LoadedConfig loaded = ConfigLoader.ofProcess().load(file);
        Reloadable running = new Reloadable() {
            @Override
            public BallastConfig config() {
                return loaded.config();
            }

            @Override
            public Preparation prepare(BallastConfig next) {
                return new Recorded();
            }
        };
        return new ConfigReloader(file, loaded, running, control, thread, config -> List.of());
    }

    private CompletableFuture<ReloadReport> reload() throws Exception {
        try (ControlPlane control = ControlPlane.start(Clock.systemUTC())) {
            ConfigReloader reloader = reloader(control, ConfigReloaderTest::runAndForget);
            CompletableFuture<ReloadReport> report = reloader.reload(/* dryRun= */ false, "test");
            CompletableFuture<Void> done = new CompletableFuture<>();
            control.execute(() -> done.complete(null));
            done.join();
            control.timeline().recent().stream().map(Event::text).forEach(notified::add);
            return report;
        }
    }

    private static void runAndForget(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            assertThat(e).hasMessageContaining("torn"); // the real control thread logs the exception
        }
    }
}
