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
 * Flow control for the data that a connection sends: the connection window (RFC 9113 section 5.2) and the
 * streams that wait for it. The streams are served in round-robin order, or by priority once the peer has
 * sent a priority. Event-loop confined.
 *
 * <p>By priority (RFC 9218 section 10), each turn sends one frame, for the stream with the lowest urgency
 * value. Among streams of the same urgency, non-incremental streams go first, in the order of their
 * requests. Incremental streams follow in round-robin order. To prevent starvation, one turn in
 * {@value #FAIR_TURN_INTERVAL} goes to the stream that has waited longest.
 */
public final class SendFlow {

    private static final int USEFUL_BYTES = 256;
    /**
     * The queue limit of a stream is the connection's buffer limit divided by this number. The buffer limit
     * depends on free memory.
     */
    private static final int STREAMS_PART = 4;

    private static final int FAIR_TURN_INTERVAL = 16;

    /** Maximum delay of a small frame while the sender waits for a larger window. */
    private static final Duration SMALL_FRAME_DELAY = Duration.ofMillis(100);

    private final SendDelay sendDelay = new SendDelay();
    private final FrontendLoop loop;
    private final TransitShare transit;
    private final FrameOutput frames;
    private final HeaderBlock block;
    private final ArrayDeque<StreamOutput> waiting = new ArrayDeque<>();
    /** Streams that could send nothing in their turn; they are queued again at the end of the current {@link #pump}. */
    private final List<StreamOutput> stalled = new ArrayList<>(0);

    private long window = Setting.DEFAULT_WINDOW;
    private boolean pumping;
    private long sentBytes;
    private int usefulFrames;
    private int initialWindow = Setting.DEFAULT_WINDOW;
    private boolean smallFrameTimerStarted;
    private boolean sendsSmallFrames;
    private boolean prioritized;
    private int turns;
    /** Whether a stream currently has its turn to send. It may send one frame per turn. */
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

    /** The temporary buffer for header blocks. */
    public HeaderBlock block() {
        return block;
    }

    /** The initial window of new streams. */
    public int initialWindow() {
        return initialWindow;
    }

    /** Sets the initial window of new streams, from the peer's setting. */
    public void initialWindow(int bytes) {
        initialWindow = bytes;
    }

    /** Returns how many of {@code wanted} data bytes may be sent in one frame now. */
    int sendableBytes(int wanted) {
        if (!frames.isWritable() || (inTurn && turnTaken)) {
            return 0;
        }
        return (int) Math.max(0, Math.min(Math.min(wanted, Frame.MAX_PAYLOAD_BYTES), window));
    }

    /** Maximum bytes that a stream queues before back-pressure applies to the source. */
    int maxQueuedBytes() {
        return transit.maxBufferedBytes() / STREAMS_PART;
    }

    /** Whether a small frame must wait for a larger window. If so, starts a timer that resumes the waiting streams. */
    boolean mustDelaySmallFrame() {
        if (!sendsSmallFrames && !smallFrameTimerStarted) {
            smallFrameTimerStarted = true;
            loop.setDeadline(sendDelay, SMALL_FRAME_DELAY);
        }
        return !sendsSmallFrames;
    }

    /** Records that {@code bytes} bytes of data were sent. */
    void recordSent(int bytes) {
        window -= bytes;
        turnTaken = true;
        sentBytes += bytes;
        if (bytes >= USEFUL_BYTES) {
            usefulFrames++;
        }
    }

    /** The number of data bytes sent on all streams. Never decreases. */
    public long sentBytes() {
        return sentBytes;
    }

    /**
     * Returns the number of frames with at least {@value #USEFUL_BYTES} bytes that were sent since the last call. The
     * peer may send a window update for each of them.
     */
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
    public void enqueue(StreamOutput stream) {
        if (!stream.isQueued()) {
            stream.queued(true);
            waiting.add(stream);
        }
    }

    /** Removes a stream from the queue. */
    public void dequeue(StreamOutput stream) {
        if (stream.isQueued()) {
            stream.queued(false);
            waiting.remove(stream);
        }
    }

    /** Switches from round-robin to priority order. */
    public void prioritize() {
        prioritized = true;
    }

    public boolean hasWaitingStreams() {
        return !waiting.isEmpty();
    }

    /** Resumes the waiting streams: by priority if the client uses priorities, otherwise round robin. */
    public void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        if (prioritized) {
            pumpByPriority();
        } else {
            pumpRoundRobin();
        }
        pumping = false;
        frames.flushSoon();
    }

    private void pumpRoundRobin() {
        int left = waiting.size();
        while (left-- > 0 && window > 0 && frames.isWritable()) {
            StreamOutput next = waiting.poll();
            if (next == null) {
                break;
            }
            next.queued(false);
            if (!next.owner().resume()) {
                enqueue(next);
            }
        }
    }

    private void pumpByPriority() {
        while (!waiting.isEmpty() && window > 0 && frames.isWritable()) {
            StreamOutput next = takeNext();
            next.queued(false);
            inTurn = true;
            turnTaken = false;
            boolean done = next.owner().resume();
            inTurn = false;
            if (!done && turnTaken) {
                enqueue(next);
            } else if (!done) {
                stalled.add(next); // the stream needs a larger window; it is queued again below
            }
        }
        for (int i = 0; i < stalled.size(); i++) {
            if (stalled.get(i).isWaiting()) {
                enqueue(stalled.get(i));
            }
        }
        stalled.clear();
    }

    private StreamOutput takeNext() {
        StreamOutput next = waiting.element();
        if (++turns % FAIR_TURN_INTERVAL != 0) {
            for (StreamOutput each : waiting) {
                if (each.precedes(next)) {
                    next = each;
                }
            }
        }
        waiting.remove(next);
        return next;
    }

    /** Removes all streams from the queue. */
    public void clear() {
        loop.deadlines().remove(sendDelay);
        waiting.forEach(stream -> stream.queued(false));
        waiting.clear();
    }

    private final class SendDelay extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            smallFrameTimerStarted = false;
            sendsSmallFrames = true;
            pump();
            sendsSmallFrames = false;
        }
    }
}
