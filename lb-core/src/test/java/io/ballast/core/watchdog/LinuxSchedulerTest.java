package io.ballast.core.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class LinuxSchedulerTest {

    private final LinuxScheduler scheduler = new LinuxScheduler();
    private final CompletableFuture<Long> id = new CompletableFuture<>();

    @TempDir
    private Path directory;

    @BeforeEach
    void thereAreStatistics() {
        Assumptions.assumeTrue(Files.exists(Path.of("/proc/self/schedstat")));
    }

    @Test
    void runningThreadIsRunnableWithGrowingTime() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        Thread spinning = new Thread(() -> {
            id.complete(LinuxScheduler.currentThreadId());
            while (!stop.get()) {
                Thread.onSpinWait();
            }
        });
        spinning.start();
        try {
            long thread = id.get(10, TimeUnit.SECONDS);
            SchedulerTimes first = scheduler.ofThread(thread);
            SchedulerTimes process = scheduler.ofProcess();

            SchedulerTimes later = first;
            while (later.ranNanos() - first.ranNanos() < TimeUnit.MILLISECONDS.toNanos(50)) {
                later = scheduler.ofThread(thread);
            }

            assertThat(later.isRunnable()).isTrue();
            assertThat(scheduler.ofProcess().ranNanos() - process.ranNanos())
                    .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(40));
        } finally {
            stop.set(true);
            spinning.join();
        }
    }

    @Test
    void blockedThreadIsNotRunnable() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Thread blocked = new Thread(() -> {
            id.complete(LinuxScheduler.currentThreadId());
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        blocked.start();
        long thread = id.get(10, TimeUnit.SECONDS);

        while (blocked.getState() != Thread.State.WAITING
                || scheduler.ofThread(thread).isRunnable()) {
            Thread.onSpinWait();
        }
        assertThat(scheduler.ofThread(thread).ranNanos()).isPositive();

        never.countDown();
        blocked.join();
    }

    @Test
    void endedThreadIsUnknown() throws Exception {
        Thread ended = new Thread(() -> id.complete(LinuxScheduler.currentThreadId()));
        ended.start();
        ended.join();
        long thread = id.get(10, TimeUnit.SECONDS);

        while (Files.exists(Path.of("/proc/self/task/" + thread))) {
            Thread.onSpinWait(); // the system removes the directory shortly after the thread's end
        }

        assertThat(scheduler.ofThread(thread)).isEqualTo(SchedulerTimes.UNKNOWN);
    }

    @Test
    void parsesThreadNameWithParenthesesAndSpaces() throws Exception {
        Path task = Files.createDirectory(directory.resolve("7"));
        Files.writeString(task.resolve("schedstat"), "1000 200 3\n");
        Files.writeString(task.resolve("stat"), "7 (a R) b) S 1 1 1\n");

        SchedulerTimes times = new LinuxScheduler(directory).ofThread(7);

        assertThat(times).isEqualTo(new SchedulerTimes(1000, 200, /* isRunnable= */ false));
    }

    @Test
    void missingStatisticsAreUnknown() {
        LinuxScheduler none = new LinuxScheduler(directory.resolve("none"));

        assertThat(none.ofThread(1)).isEqualTo(SchedulerTimes.UNKNOWN);
        assertThat(none.ofThread(0)).isEqualTo(SchedulerTimes.UNKNOWN);
        assertThat(none.ofProcess()).isEqualTo(SchedulerTimes.UNKNOWN);
    }
}
