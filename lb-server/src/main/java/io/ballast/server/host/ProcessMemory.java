package io.ballast.server.host;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import io.ballast.core.Checks;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * Divides the memory of this process: the heap uses the JVM's setting, and direct buffers use the memory that remains
 * after the JVM's other needs.
 *
 * @param availableBytes memory of the machine or limit of the control group
 * @param heapBytes maximum heap
 */
public record ProcessMemory(long availableBytes, long heapBytes) {

    /** With less memory, the process would be killed under load or at its start. */
    static final long MIN_BYTES = 128L << 20;

    /** The number of bytes by which the measured memory limit may be lower than {@link #MIN_BYTES}. */
    private static final long TOLERANCE_BYTES = 2L << 20;

    /**
     * Memory for classes, compiled code, stacks, and temporary needs of the compiler. Measured; see decision 71.
     */
    private static final long OTHER_BYTES = 56L << 20;

    private static final long MIN_DIRECT_BYTES = 8L << 20;

    public ProcessMemory {
        Checks.that(availableBytes > 0, "availableBytes", availableBytes, "> 0");
        Checks.that(heapBytes > 0, "heapBytes", heapBytes, "> 0");
    }

    /** Returns the memory limits of this process. */
    public static ProcessMemory ofProcess() {
        return new ProcessMemory(
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize(),
                Runtime.getRuntime().maxMemory());
    }

    /** Explains why there is too little memory; empty if there is enough. */
    public Optional<String> shortage() {
        if (availableBytes >= MIN_BYTES - TOLERANCE_BYTES) {
            return Optional.empty();
        }
        return Optional.of(
                "too little memory: this machine, container or control group allows " + mebibytes(availableBytes)
                        + " MiB (expected: at least " + mebibytes(MIN_BYTES) + " MiB); raise its limit");
    }

    /** Limits Netty's direct buffers to the remaining memory. Called before any class of Netty is loaded. */
    public void limitDirectBuffers() {
        String setting = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue();
        long max = setting.equals("0") ? heapBytes : Long.parseLong(setting); // 0 if MaxDirectMemorySize is not set
        long direct = directBytes(max);
        if (direct < max) {
            NettyDefaults.set("io.netty.maxDirectMemory", Long.toString(direct));
        }
    }

    /** Returns the number of bytes to allow for direct buffers, at most {@code maxBytes}. */
    public long directBytes(long maxBytes) {
        long left = availableBytes - heapBytes - OTHER_BYTES;
        return Math.min(maxBytes, Math.max(MIN_DIRECT_BYTES, left));
    }

    private static long mebibytes(long bytes) {
        return bytes >> 20;
    }
}
