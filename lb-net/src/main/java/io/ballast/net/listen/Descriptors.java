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
 * The file descriptors of this process, of which it has a limited number, and what to do when none is left.
 *
 * <p>A few are held in reserve. When a connection cannot be accepted for lack of one, they are let go, so that what was
 * accepted already finds some to reach backends with, and health checks do, too; accepting goes on when as many are free
 * again.
 *
 * <p>Thread safety: any thread may call. {@link #isShort} is one volatile read; the rest takes a lock and up to {@value
 * #MOST_RESERVE} system calls, at most a few times a second and only while descriptors are short.
 */
public final class Descriptors {

    static final int MOST_RESERVE = 64;

    /** One in how many is held in reserve. */
    private static final int RESERVE_SHARE = 8;

    private static final String ANY_FILE = "/dev/null";
    private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int EMFILE = 24;
    private static final int ENFILE = 23;
    private static final int MOST_CAUSES = 10;

    private static final Logger LOG = LoggerFactory.getLogger(Descriptors.class);

    /** There is one limit for the process, whoever uses them: frontends that know nothing of each other share this. */
    private static final Descriptors OF_PROCESS = new Descriptors(System::nanoTime);

    private final LongSupplier nanoTime;
    private final List<FileInputStream> reserve = new ArrayList<>();
    private int wanted;
    private volatile boolean isShort;
    private boolean reported;
    private long lastReportNanos;
    private long suppressed;

    Descriptors(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Those of this process. */
    public static Descriptors ofProcess() {
        return OF_PROCESS;
    }

    /** Whether something failed because the process, or the system, has no descriptor left. */
    public static boolean areExhausted(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; cause != null && i < MOST_CAUSES; i++) {
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

    /** How many to hold in reserve of {@code limit}. */
    public static int reserveOf(long limit) {
        return (int) Math.min(limit / RESERVE_SHARE, MOST_RESERVE);
    }

    /** Holds {@code count} in reserve from now on, or as many as there are. */
    public synchronized void reserve(int count) {
        wanted = count;
        fill();
    }

    /** A connection could not be accepted; logged at most once a minute. */
    synchronized void failedToAccept(SocketAddress address, Throwable cause) {
        if (areExhausted(cause)) {
            exhausted("accept on " + address);
        } else if (mayReport()) {
            LOG.warn("msg=\"could not accept\" address={} reason=\"{}\"", address, ErrorText.of(cause));
        }
    }

    /**
     * Something failed for lack of a descriptor: lets go of the reserve.
     *
     * @param what failed; logged at most once a minute
     * @return whether there was a reserve, so that another try may succeed
     */
    public synchronized boolean exhausted(String what) {
        boolean freed = !reserve.isEmpty();
        isShort = true;
        reserve.forEach(Descriptors::close);
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

    /** Whether there was none left, and the reserve is not full again. */
    public boolean isShort() {
        return isShort;
    }

    /** Whether new connections may be accepted again: fills the reserve if as many are free. */
    public synchronized boolean hasRecovered() {
        if (isShort && fill()) {
            isShort = false;
        }
        return !isShort;
    }

    /** Takes all or none. */
    private boolean fill() {
        try {
            while (reserve.size() < wanted) {
                reserve.add(new FileInputStream(ANY_FILE));
            }
            return true;
        } catch (IOException e) {
            reserve.forEach(Descriptors::close);
            reserve.clear();
            return false;
        }
    }

    private static void close(FileInputStream file) {
        try {
            file.close();
        } catch (IOException e) {
            LOG.debug("could not close a descriptor held in reserve", e);
        }
    }
}
