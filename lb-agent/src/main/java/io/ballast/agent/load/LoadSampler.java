package io.ballast.agent.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures the CPU and memory use: of the container, if cgroup version 2 limits it, otherwise of the machine. Each call
 * reads up to four small files of the kernel, which takes less than a millisecond.
 *
 * <p>Thread safety: confined to one thread.
 */
public final class LoadSampler {

    private static final Path CGROUP = Path.of("/sys/fs/cgroup");
    private static final Path PROC = Path.of("/proc");
    private static final long NANOS_PER_MICRO = 1_000;

    private final Path cgroup;
    private final Path proc;
    private long lastUsedNanos = -1;
    private long lastNanos;
    private long lastBusy = -1;
    private long lastTotal;

    /** Creates a sampler of this process's container and machine. */
    public LoadSampler() {
        this(CGROUP, PROC);
    }

    LoadSampler(Path cgroup, Path proc) {
        this.cgroup = cgroup;
        this.proc = proc;
    }

    /**
     * Measures the load since the last call. The first call has no CPU use.
     *
     * @param nowNanos a time that never jumps
     */
    public LoadValues sample(long nowNanos) {
        return new LoadValues(cpu(nowNanos), memory(), OptionalInt.empty());
    }

    private OptionalInt cpu(long nowNanos) {
        OptionalInt ofMachine = machineCpu();
        Optional<Double> cores = cgroupCores();
        Optional<Long> used = number(cgroup.resolve("cpu.stat"), "usage_usec (\\d+)");
        if (cores.isEmpty() || used.isEmpty()) {
            return ofMachine;
        }
        long usedNanos = used.get() * NANOS_PER_MICRO;
        OptionalInt percent = OptionalInt.empty();
        if (lastUsedNanos >= 0 && nowNanos > lastNanos) {
            percent = percent((double) (usedNanos - lastUsedNanos), (nowNanos - lastNanos) * cores.get());
        }
        lastUsedNanos = usedNanos;
        lastNanos = nowNanos;
        return percent;
    }

    /** Returns the number of cores that the container may use; empty if it is not limited. */
    private Optional<Double> cgroupCores() {
        Optional<Long> quota = number(cgroup.resolve("cpu.max"), "^(\\d+) \\d+");
        Optional<Long> period = number(cgroup.resolve("cpu.max"), "^\\d+ (\\d+)");
        return quota.isPresent() && period.isPresent() && period.get() > 0
                ? Optional.of((double) quota.get() / period.get())
                : Optional.empty();
    }

    /** Reads the line {@code cpu  user nice system idle iowait irq softirq steal ...}. */
    private OptionalInt machineCpu() {
        Optional<String> text = read(proc.resolve("stat"));
        if (text.isEmpty() || !text.get().startsWith("cpu ")) {
            return OptionalInt.empty();
        }
        String[] fields = text.get().lines().findFirst().orElse("").trim().split("\\s+");
        long total = 0;
        long idle = 0;
        for (int i = 1; i < Math.min(fields.length, 9); i++) {
            long value = Long.parseLong(fields[i]);
            total += value;
            idle += i == 4 || i == 5 ? value : 0;
        }
        long busy = total - idle;
        OptionalInt percent = lastBusy >= 0 && total > lastTotal
                ? percent((double) (busy - lastBusy), (double) (total - lastTotal))
                : OptionalInt.empty();
        lastBusy = busy;
        lastTotal = total;
        return percent;
    }

    /** Returns the memory use. Memory that the kernel can reclaim from files does not count as used. */
    private OptionalInt memory() {
        Optional<Long> limit = number(cgroup.resolve("memory.max"), "^(\\d+)");
        Optional<Long> used = number(cgroup.resolve("memory.current"), "^(\\d+)");
        if (limit.isPresent() && used.isPresent()) {
            long cached = number(cgroup.resolve("memory.stat"), "(?m)^inactive_file (\\d+)")
                    .orElse(0L);
            return percent((double) (used.get() - cached), (double) limit.get());
        }
        Optional<Long> total = number(proc.resolve("meminfo"), "MemTotal:\\s+(\\d+)");
        Optional<Long> available = number(proc.resolve("meminfo"), "MemAvailable:\\s+(\\d+)");
        return total.isPresent() && available.isPresent()
                ? percent((double) (total.get() - available.get()), (double) total.get())
                : OptionalInt.empty();
    }

    private static OptionalInt percent(double part, double whole) {
        return whole <= 0
                ? OptionalInt.empty()
                : OptionalInt.of((int) Math.max(0, Math.min(100, Math.round(100 * part / whole))));
    }

    private static Optional<Long> number(Path file, String pattern) {
        return read(file)
                .map(text -> Pattern.compile(pattern).matcher(text))
                .filter(Matcher::find)
                .map(found -> Long.valueOf(found.group(1)));
    }

    private static Optional<String> read(Path file) {
        try {
            return Files.isReadable(file)
                    ? Optional.of(Files.readString(file, StandardCharsets.US_ASCII))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // the value cannot be measured here
        }
    }
}
