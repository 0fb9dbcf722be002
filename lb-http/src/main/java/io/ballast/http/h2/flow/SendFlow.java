package io.ballast.http.h2.flow;

import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.HeaderBlock;
import io.ballast.http.h2.wire.Setting;
import io.ballast.net.budget.TransitShare;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.timer.DeadlineWheel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Flow control of what a connection sends: the connection window (RFC 9113 section 5.2) and the streams that
 * wait for it. The streams are served in round-robin order, or by priority once the peer has sent a priority.
 * Event-loop confined.
 *
 * <p>By priority (RFC 9218 section 10), each turn sends one frame, for the stream with the lowest urgency
 * value. Within one urgency, non-incremental streams go first, in the order of their requests, then
 * incremental ones in round-robin order. To prevent starvation, one turn in {@value #SHARED_TURN} goes to the
 * stream that has waited longest.
 */
public final class SendFlow {

    private static final int USEFUL_BYTES = 256;
    /** A stream may queue the connection's buffer limit, which depends on free memory, divided by this number. */
    private static final int STREAMS_PART = 4;

    private static final int SHARED_TURN = 16;

    /** Time for which a small frame waits for larger windows. */
    private static final Duration HESITATION = Duration.ofMillis(100);

    private final Hesitation hesitation = new Hesitation();
    private final FrontendLoop loop;
    private final TransitShare transit;
    private final FrameOutput frames;
    private final HeaderBlock block;
    private final ArrayDeque<StreamOutput> waiting = new ArrayDeque<>();
    /** Streams that could send nothing in their turn; they rejoin after the loop. */
    private final List<StreamOutput> stalled = new ArrayList<>(0);

    private long window = Setting.DEFAULT_WINDOW;
    private boolean pumping;
    private long sentBytes;
    private int usefulFrames;
    private int firstWindow = Setting.DEFAULT_WINDOW;
    private boolean hesitating;
    private boolean forced;
    private boolean prioritized;
    private int turns;
    /** Whether a stream is in its turn, in which it may send one frame. */
    private boolean inTurn;

    private boolean turnTaken;

    /**
     * @param block a temporary buffer for header blocks
     * @param transit the limit on bytes queued in a stream
     */
    public SendFlow(FrameOutput frames, HeaderBlock block, FrontendLoop loop, TransitShare transit) {
        this.loop = loop;
        this.transit = transit;
        this.frames = frames;
        this.block = block;
    }

    FrameOutput frames() {
        return frames;
    }

    HeaderBlock block() {
        return block;
    }

    int firstWindow() {
        return firstWindow;
    }

    /** Sets the initial window of new streams, from the peer's setting. */
    public void firstWindow(int bytes) {
        firstWindow = bytes;
    }

    /** Returns how many of {@code wanted} data bytes may be sent in one frame now. */
    int mayFrame(int wanted) {
        if (!frames.isWritable() || (inTurn && turnTaken)) {
            return 0;
        }
        return (int) Math.max(0, Math.min(Math.min(wanted, Frame.PAYLOAD_BYTES), window));
    }

    /** Maximum bytes that a stream queues before back-pressure applies to the source. */
    int maxQueuedBytes() {
        return transit.maxBufferedBytes() / STREAMS_PART;
    }

    /** Whether a small frame should wait. Starts a timer that resumes the waiting streams. */
    boolean hesitates() {
        if (!forced && !hesitating) {
            hesitating = true;
            loop.setDeadline(hesitation, HESITATION);
        }
        return !forced;
    }

    /** Accounts for {@code bytes} of sent data. */
    void sent(int bytes) {
        window -= bytes;
        turnTaken = true;
        sentBytes += bytes;
        if (bytes >= USEFUL_BYTES) {
            usefulFrames++;
        }
    }

    /** Data bytes sent on all streams. Never decreases. */
    public long sentBytes() {
        return sentBytes;
    }

    /** Number of frames of useful size sent since the last call; the peer may send a window update for each. */
    public int takeUsefulFrames() {
        int taken = usefulFrames;
        usefulFrames = 0;
        return taken;
    }

    /** Enlarges the connection window; false if it exceeds the maximum. */
    public boolean grow(int increment) {
        window += increment;
        return window <= Integer.MAX_VALUE;
    }

    /** Adds a stream to the queue that waits for window space or a writable connection. */
    public void await(StreamOutput stream) {
        if (!stream.isListed()) {
            stream.listed(true);
            waiting.add(stream);
        }
    }

    /** Removes a stream from the queue. */
    public void forget(StreamOutput stream) {
        if (stream.isListed()) {
            stream.listed(false);
            waiting.remove(stream);
        }
    }

    /** Switches from round-robin to priority order. */
    public void prioritize() {
        prioritized = true;
    }

    public boolean isAwaited() {
        return !waiting.isEmpty();
    }

    /** Resumes the waiting streams, in order. */
    public void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        if (prioritized) {
            pumpByPriority();
        } else {
            pumpInTurn();
        }
        pumping = false;
        frames.flushSoon();
    }

    private void pumpInTurn() {
        int left = waiting.size();
        while (left-- > 0 && window > 0 && frames.isWritable()) {
            StreamOutput next = waiting.poll();
            if (next == null) {
                break;
            }
            next.listed(false);
            if (!next.owner().resume()) {
                await(next);
            }
        }
    }

    private void pumpByPriority() {
        while (!waiting.isEmpty() && window > 0 && frames.isWritable()) {
            StreamOutput next = takeNext();
            next.listed(false);
            inTurn = true;
            turnTaken = false;
            boolean done = next.owner().resume();
            inTurn = false;
            if (!done && turnTaken) {
                await(next);
            } else if (!done) {
                stalled.add(next); // needs a larger window; retried after the loop
            }
        }
        for (int i = 0; i < stalled.size(); i++) {
            if (stalled.get(i).isWaiting()) {
                await(stalled.get(i));
            }
        }
        stalled.clear();
    }

    private StreamOutput takeNext() {
        StreamOutput next = waiting.element();
        if (++turns % SHARED_TURN != 0) {
            for (StreamOutput each : waiting) {
                if (each.goesBefore(next)) {
                    next = each;
                }
            }
        }
        waiting.remove(next);
        return next;
    }

    /** Removes all streams from the queue. */
    public void clear() {
        loop.deadlines().remove(hesitation);
        waiting.forEach(stream -> stream.listed(false));
        waiting.clear();
    }

    private final class Hesitation extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            hesitating = false;
            forced = true;
            pump();
            forced = false;
        }
    }
}
