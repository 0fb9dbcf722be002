package io.ballast.core.watchdog;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The heartbeat of one thread: a counter that grows with every turn of the thread's loop.
 *
 * <p>Thread safety: {@link #beat}, {@link #beginWait} and {@link #endWait} are called by the thread itself; any
 * thread may call the other methods. Cost of a beat: one opaque store.
 */
public final class Heartbeat {

    private static final VarHandle BEATS;

    static {
        try {
            BEATS = MethodHandles.lookup().findVarHandle(Heartbeat.class, "beats", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String name;
    private final Duration timeout;
    private final List<Runnable> failureActions = new CopyOnWriteArrayList<>();

    @SuppressWarnings("UnusedVariable") // accessed through its VarHandle only
    private long beats;

    private volatile @Nullable Thread thread;
    /** The operating system's id of the thread; 0 if it is not known yet. */
    private volatile long nativeId;

    private volatile String waitingFor = "";
    private volatile boolean stopped;
    private volatile @Nullable End end;

    /** @param cause null if it is not known */
    record End(@Nullable Throwable cause) {}

    /**
     * @param name of the thread, for operators
     * @param timeout maximum time between two beats; longer than any turn of the thread
     */
    public Heartbeat(String name, Duration timeout) {
        this.name = name;
        this.timeout = timeout;
    }

    /** The thread has completed another turn. */
    public void beat() {
        if (thread == null) {
            nativeId = LinuxScheduler.currentThreadId();
            thread = Thread.currentThread();
        }
        BEATS.setOpaque(this, (long) BEATS.getOpaque(this) + 1);
    }

    /**
     * Records that the thread waits for an operation outside of the process that may take any time, such as disk
     * access. During this wait, a missing beat is reported, but the thread does not count as failed.
     */
    public void beginWait(String what) {
        waitingFor = what;
    }

    /** The wait is over. */
    public void endWait() {
        waitingFor = "";
    }

    /** The thread has ended, or will never beat again. Not a failure if it was stopped before. */
    public void markEnded(@Nullable Throwable cause) {
        if (!stopped && end == null) {
            end = new End(cause);
        }
    }

    /** The thread is about to end; it is not watched any more. */
    public void stop() {
        stopped = true;
    }

    /**
     * Runs {@code action} if the thread fails, on the thread that detects the failure. For resources that must be
     * closed with the thread, such as a listening socket whose clients would otherwise not be served.
     */
    public void onThreadFailure(Runnable action) {
        failureActions.add(action);
    }

    /** Cancels {@link #onThreadFailure}. */
    public void removeFailureAction(Runnable action) {
        failureActions.remove(action);
    }

    public String name() {
        return name;
    }

    Duration timeout() {
        return timeout;
    }

    long beats() {
        return (long) BEATS.getOpaque(this);
    }

    long nativeId() {
        return nativeId;
    }

    /** Returns the reason for which the thread waits; empty if it works. */
    String waitingFor() {
        return waitingFor;
    }

    boolean isStopped() {
        return stopped;
    }

    @Nullable End end() {
        return end;
    }

    /** The stack of the thread; null if it never beat. */
    @Nullable Throwable threadStack() {
        Thread hanging = thread;
        if (hanging == null) {
            return null;
        }
        Throwable where = new Throwable("thread " + hanging.getName() + " hangs here");
        where.setStackTrace(hanging.getStackTrace());
        return where;
    }

    List<Runnable> failureActions() {
        return failureActions;
    }
}
