package io.ballast.core.watchdog;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads the scheduling times of threads from {@code /proc/self/task}. All times are unknown on other systems,
 * and if the kernel does not keep these statistics. Cost: reads two small files for the times of one thread;
 * for the process, one file for each of its threads.
 */
final class LinuxScheduler implements Scheduler {

    private static final Path SELF = Path.of("/proc/thread-self");

    private final Path tasks;

    LinuxScheduler() {
        this(Path.of("/proc/self/task"));
    }

    LinuxScheduler(Path tasks) {
        this.tasks = tasks;
    }

    /** Returns the operating system's id of the calling thread; 0 if it is unknown. */
    static long currentThreadId() {
        try {
            return Long.parseLong(Files.readSymbolicLink(SELF).getFileName().toString());
        } catch (IOException | RuntimeException e) {
            return 0; // not Linux, or /proc is not mounted
        }
    }

    @Override
    public SchedulerTimes ofThread(long nativeId) {
        if (nativeId == 0) {
            return SchedulerTimes.UNKNOWN;
        }
        Path task = tasks.resolve(Long.toString(nativeId));
        try {
            String[] times = schedstat(task);
            String stat = Files.readString(task.resolve("stat"), StandardCharsets.ISO_8859_1);
            // The state follows the name, which is in parentheses and may contain any character.
            boolean isRunnable = stat.charAt(stat.lastIndexOf(')') + 2) == 'R';
            return new SchedulerTimes(Long.parseLong(times[0]), Long.parseLong(times[1]), isRunnable);
        } catch (IOException | RuntimeException e) {
            return SchedulerTimes.UNKNOWN; // the thread has ended
        }
    }

    @Override
    public SchedulerTimes ofProcess() {
        long ran = 0;
        long waited = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
            for (Path task : all) {
                String[] times = schedstatOrZero(task);
                ran += Long.parseLong(times[0]);
                waited += Long.parseLong(times[1]);
            }
        } catch (IOException | DirectoryIteratorException | NumberFormatException e) {
            return SchedulerTimes.UNKNOWN;
        }
        return new SchedulerTimes(ran, waited, /* isRunnable= */ true);
    }

    private static String[] schedstatOrZero(Path task) {
        try {
            return schedstat(task);
        } catch (IOException e) {
            return new String[] {"0", "0"}; // the task ended while the directory was read
        }
    }

    /** Returns the nanoseconds on a CPU, the nanoseconds waiting for a CPU, and the number of time slices. */
    private static String[] schedstat(Path task) throws IOException {
        String[] times = Files.readString(task.resolve("schedstat"), StandardCharsets.ISO_8859_1)
                .split(" ", -1);
        if (times.length < 2) {
            throw new IOException("unknown format of " + task + "/schedstat");
        }
        return times;
    }
}
