package io.ballast.dashboard.process;

import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/**
 * The resource use of this process at one moment.
 *
 * @param rssBytes resident memory, 0 if the system does not report it
 * @param heapBytes Java heap in use
 * @param directBytes memory of direct buffers, including Netty's
 * @param cpuSeconds CPU time since the start
 * @param uptimeSeconds time since the start
 * @param threads live threads
 */
public record ProcessReading(
        long rssBytes, long heapBytes, long directBytes, double cpuSeconds, double uptimeSeconds, int threads) {

    /** Reads the current values. Takes a few tens of microseconds. */
    public static ProcessReading now() {
        return new ProcessReading(
                ResidentMemory.bytes(),
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                readDirectBytes(),
                readCpuSeconds(),
                ManagementFactory.getRuntimeMXBean().getUptime() / 1e3,
                ManagementFactory.getThreadMXBean().getThreadCount());
    }

    /**
     * Returns the direct memory of the JDK plus that of Netty, because Netty's buffers by default bypass the
     * JDK's accounting.
     */
    private static long readDirectBytes() {
        long jdk = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return jdk + Math.max(0, PlatformDependent.usedDirectMemory());
    }

    private static double readCpuSeconds() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return system instanceof com.sun.management.OperatingSystemMXBean sun ? sun.getProcessCpuTime() / 1e9 : 0;
    }
}
