package io.ballast.core.watchdog;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The heartbeat of one thread: a counter that increases with every iteration of the thread's loop.
 *
 * <p>Thread safety: {@link #beat}, {@link #beginWait} and {@link #endWait} are called by the thread itself;
 * any thread may call the other methods. Cost of a beat: one opaque store.
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

    /**
     * The end of a thread.
     *
     * @param cause the exception that ended the thread; null if it is not known
     */
    record End(@Nullable Throwable cause) {}

    /**
     * @param name the name of the thread, as shown to operators
     * @param timeout maximum time between two beats; longer than any iteration of the thread's loop
     */
    public Heartbeat(String name, Duration timeout) {
        this.name = name;
        this.timeout = timeout;
    }

    /** Records that the thread has completed another iteration. */
    public void beat() {
        if (thread == null) {
            nativeId = LinuxScheduler.currentThreadId();
            thread = Thread.currentThread();
        }
        BEATS.setOpaque(this, (long) BEATS.getOpaque(this) + 1);
    }

    /**
     * Records that the thread waits for an operation outside the process that may take any amount of time, such
     * as disk access. During this wait, a missing heartbeat is reported, but the thread does not count as failed.
     */
    public void beginWait(String what) {
        waitingFor = what;
    }

    /** Records that the wait has ended. */
    public void endWait() {
        waitingFor = "";
    }

    /**
     * Records that the thread has ended or will never beat again. This is not a failure if it was stopped before.
     */
    public void markEnded(@Nullable Throwable cause) {
        if (!stopped && end == null) {
            end = new End(cause);
        }
    }

    /** Records that the thread is about to end; it is no longer watched. */
    public void stop() {
        stopped = true;
    }

    /**
     * Runs {@code action} if the thread fails, on the thread that detects the failure. It is meant for resources
     * that must be closed with the thread. An example is a listening socket whose clients would otherwise not be
     * served.
     */
    public void onThreadFailure(Runnable action) {
        failureActions.add(action);
    }

    /** Removes an action registered by {@link #onThreadFailure}. */
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

    /** Returns what the thread is waiting for; empty if it is not waiting. */
    String waitingFor() {
        return waitingFor;
    }

    boolean isStopped() {
        return stopped;
    }

    @Nullable End end() {
        return end;
    }

    /** The stack of the thread; null if the thread has not sent a heartbeat yet. */
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
