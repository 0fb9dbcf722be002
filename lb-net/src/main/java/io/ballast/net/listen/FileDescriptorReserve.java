package io.ballast.net.listen;

import io.ballast.core.ErrorText;
import io.netty.channel.unix.Errors;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a reserve of file descriptors for when the process reaches its limit.
 *
 * <p>When a connection cannot be accepted for lack of a descriptor, the reserve is released. Existing
 * connections can then still connect to backends, and health checks can run. Accepting resumes when the
 * reserve can be filled again.
 *
 * <p>Thread safety: any thread may call. {@link #isShort} is one volatile read. The other methods take a
 * lock and up to {@value #MAX_RESERVE} system calls, at most a few times a second and only while
 * descriptors are short.
 */
public final class FileDescriptorReserve {

    static final int MAX_RESERVE = 64;

    /** Divisor of the descriptor limit: one in this many descriptors is held in reserve. */
    private static final int RESERVE_SHARE = 8;

    private static final String ANY_FILE = "/dev/null";
    private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int EMFILE = 24;
    private static final int ENFILE = 23;
    private static final int MAX_CAUSES = 10;

    private static final Logger LOG = LoggerFactory.getLogger(FileDescriptorReserve.class);

    /**
     * The instance that all frontends share, because the limit of file descriptors applies to the whole
     * process.
     */
    private static final FileDescriptorReserve OF_PROCESS = new FileDescriptorReserve(System::nanoTime);

    private final LongSupplier nanoTime;
    private final List<FileInputStream> reserve = new ArrayList<>();
    private int wanted;
    private volatile boolean isShort;
    private boolean reported;
    private long lastReportNanos;
    private long suppressed;

    FileDescriptorReserve(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The reserve of this process. */
    public static FileDescriptorReserve ofProcess() {
        return OF_PROCESS;
    }

    /** Whether {@code failure} was caused by the process or the system running out of descriptors. */
    public static boolean isDescriptorExhaustion(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
            if (cause instanceof Errors.NativeIoException nativeError) {
                int error = -nativeError.expectedErr();
                return error == EMFILE || error == ENFILE;
            }
            if (cause instanceof IOException
                    && String.valueOf(cause.getMessage()).contains("Too many open files")) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** The number of descriptors to reserve for a given limit. */
    public static int reserveOf(long limit) {
        return (int) Math.min(limit / RESERVE_SHARE, MAX_RESERVE);
    }

    /** Reserves {@code count} descriptors from now on; reserves none while fewer than {@code count} are free. */
    public synchronized void reserve(int count) {
        wanted = count;
        fill();
    }

    /** Reports a connection that could not be accepted; logged at most once a minute. */
    synchronized void reportAcceptFailure(SocketAddress address, Throwable cause) {
        if (isDescriptorExhaustion(cause)) {
            releaseReserve("accept on " + address);
        } else if (mayReport()) {
            LOG.warn("msg=\"cannot accept connections\" address={} reason=\"{}\"", address, ErrorText.of(cause));
        }
    }

    /**
     * Releases the reserve after an operation has failed because no descriptor was free.
     *
     * @param what the operation that failed; logged at most once a minute
     * @return whether there was a reserve, so that a retry may succeed
     */
    public synchronized boolean releaseReserve(String what) {
        boolean freed = !reserve.isEmpty();
        isShort = true;
        reserve.forEach(FileDescriptorReserve::close);
        reserve.clear();
        long notLogged = suppressed;
        if (mayReport()) {
            LOG.warn(
                    "msg=\"no file descriptor left; raise the limit (ulimit -n, LimitNOFILE)\" failed=\"{}\""
                            + " not_logged={}",
                    what,
                    notLogged);
        }
        return freed;
    }

    private boolean mayReport() {
        long now = nanoTime.getAsLong();
        if (reported && now - lastReportNanos < REPORT_NANOS) {
            suppressed++;
            return false;
        }
        reported = true;
        lastReportNanos = now;
        suppressed = 0;
        return true;
    }

    /** Whether file descriptors ran out and the reserve has not been completely refilled since then. */
    public boolean isShort() {
        return isShort;
    }

    /** Whether new connections may be accepted again; refills the reserve if enough descriptors are free. */
    public synchronized boolean hasRecovered() {
        if (isShort && fill()) {
            isShort = false;
        }
        return !isShort;
    }

    /** Fills the reserve completely or not at all. */
    private boolean fill() {
        try {
            while (reserve.size() < wanted) {
                reserve.add(new FileInputStream(ANY_FILE));
            }
            return true;
        } catch (IOException e) {
            reserve.forEach(FileDescriptorReserve::close);
            reserve.clear();
            return false;
        }
    }

    private static void close(FileInputStream file) {
        try {
            file.close();
        } catch (IOException e) {
            LOG.debug("could not close a reserved file descriptor", e);
        }
    }
}
