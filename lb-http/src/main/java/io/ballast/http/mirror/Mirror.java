package io.ballast.http.mirror;

import io.ballast.core.Checks;
import io.ballast.core.pool.Pool;
import io.ballast.core.stats.Counters;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.net.Worker;
import io.ballast.http.policy.RequestCopy;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The limits and counters of one configured mirror. Its requests hold at most {@code maxInFlight * maxBodyBytes} bytes
 * of bodies.
 *
 * <p>Thread safety: any event loop may call any method; there are no locks.
 */
public final class Mirror {

    /** The header that marks mirrored requests. Its value is {@code true}. */
    public static final String HEADER = "X-Mirrored-Request";

    /**
     * The maximum length of a response body. A longer body ends the mirrored request. All response bodies are
     * discarded.
     */
    public static final long MAX_RESPONSE_BYTES = 64L * 1024 * 1024;

    static final byte[] HEADER_LINE = ByteClasses.ascii(HEADER + ": true\r\n");

    private final int maxBodyBytes;
    private final int maxInFlight;
    private final Duration timeout;
    private final MirroredHeadReader[] readers;
    private final Counters<MirrorOutcome> outcomes;
    /** The number of requests that are being copied or are in flight. */
    private final AtomicInteger inFlight = new AtomicInteger();

    /**
     * @param maxBodyBytes the maximum length of a request body; requests with a longer body are not mirrored
     * @param maxInFlight the maximum number of requests from the start of the copy until the end of the response
     * @param timeout the time until the response must be complete
     * @param eventLoops the number of event loops
     */
    public Mirror(int maxBodyBytes, int maxInFlight, Duration timeout, int eventLoops) {
        Checks.atLeast(maxBodyBytes, 0, "maxBodyBytes");
        this.maxBodyBytes = maxBodyBytes;
        this.maxInFlight = Checks.positive(maxInFlight, "maxInFlight");
        this.timeout = timeout;
        this.outcomes = new Counters<>(MirrorOutcome.class, eventLoops);
        this.readers = new MirroredHeadReader[eventLoops];
        Arrays.setAll(readers, loop -> new MirroredHeadReader());
    }

    /**
     * Returns an object that copies a request and sends the copy to {@code pool}. The object holds no data until the
     * request is sent to a backend.
     *
     * @param generation the generation of the topology that selected the pool
     */
    public RequestCopy copy(Worker worker, Pool pool, int generation) {
        return new MirroredRequest(this, worker, pool, generation);
    }

    /** Counts the outcome of a request. */
    public void count(MirrorOutcome outcome, int loop) {
        outcomes.shard(loop).increment(outcome);
    }

    /** The number of requests by outcome. */
    public Map<String, Long> outcomes() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (MirrorOutcome outcome : MirrorOutcome.values()) {
            counts.put(outcome.label(), outcomes.sum(outcome));
        }
        return counts;
    }

    /** The number of requests that are being copied or are in flight. */
    public int inFlight() {
        return inFlight.get();
    }

    /** Counts a request as in flight; false if there are too many. */
    boolean tryAcquire() {
        if (inFlight.incrementAndGet() <= maxInFlight) {
            return true;
        }
        inFlight.decrementAndGet();
        return false;
    }

    /** Ends a request that has been {@linkplain #tryAcquire acquired}. */
    void end(MirrorOutcome outcome, int loop) {
        count(outcome, loop);
        inFlight.decrementAndGet();
    }

    MirroredHeadReader reader(int loop) {
        return readers[loop];
    }

    int maxBodyBytes() {
        return maxBodyBytes;
    }

    Duration timeout() {
        return timeout;
    }
}
