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
 * What a connection may send: the window that all of its streams share (RFC 9113 section 5.2), and the streams that wait for
 * it, which go on in turn, or by their priorities once the peer has spoken of any. Event-loop confined.
 *
 * <p>By priorities (RFC 9218 section 10), each turn is one frame, and goes to the lowest urgency; within one, first to those
 * that are of no use in parts, in the order of their requests, then to the others in turn. So that nothing starves, one turn in
 * {@value #SHARED_TURN} goes to the stream that has waited longest.
 */
public final class SendFlow {

    private static final int USEFUL_BYTES = 256;
    /** What may wait for a window in one stream is this part of what a connection may hold, which follows what is free. */
    private static final int STREAMS_PART = 4;

    private static final int SHARED_TURN = 16;

    /** How long a small frame waits for the windows to open further. */
    private static final Duration HESITATION = Duration.ofMillis(100);

    private final Hesitation hesitation = new Hesitation();
    private final FrontendLoop loop;
    private final TransitShare transit;
    private final FrameOutput frames;
    private final HeaderBlock block;
    private final ArrayDeque<StreamOutput> waiting = new ArrayDeque<>();
    /** Those that sent nothing in their turn, while others have theirs. */
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
    /** Whether a stream goes on that may send one frame. */
    private boolean inTurn;

    private boolean turnTaken;

    /**
     * @param block for a moment's use
     * @param transit bounds what waits in a stream
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

    /** The peer has set another size for the windows that streams begin with. */
    public void firstWindow(int bytes) {
        firstWindow = bytes;
    }

    /** How much of {@code wanted} octets of data may go out in one frame now. */
    int mayFrame(int wanted) {
        if (!frames.isWritable() || (inTurn && turnTaken)) {
            return 0;
        }
        return (int) Math.max(0, Math.min(Math.min(wanted, Frame.PAYLOAD_BYTES), window));
    }

    /** What may wait for a window in one stream before the side that it comes from has to. */
    int mostQueuedBytes() {
        return transit.mostHeldBytes() / STREAMS_PART;
    }

    /** Whether a small frame is to wait a moment, after which those that wait are asked again. */
    boolean hesitates() {
        if (!forced && !hesitating) {
            hesitating = true;
            loop.setDeadline(hesitation, HESITATION);
        }
        return !forced;
    }

    /** So many octets of data went out. */
    void sent(int bytes) {
        window -= bytes;
        turnTaken = true;
        sentBytes += bytes;
        if (bytes >= USEFUL_BYTES) {
            usefulFrames++;
        }
    }

    /** Octets of data that went out on all streams. Never falls. */
    public long sentBytes() {
        return sentBytes;
    }

    /** How many frames of a reasonable size went out since the last call: for each, the peer may well open its windows. */
    public int takeUsefulFrames() {
        int taken = usefulFrames;
        usefulFrames = 0;
        return taken;
    }

    /** The peer takes more; false if that is more than anybody may. */
    public boolean grow(int increment) {
        window += increment;
        return window <= Integer.MAX_VALUE;
    }

    /** A stream waits until the windows of stream and connection, and the connection itself, take more. */
    public void await(StreamOutput stream) {
        if (!stream.isListed()) {
            stream.listed(true);
            waiting.add(stream);
        }
    }

    /** A stream waits no longer. */
    public void forget(StreamOutput stream) {
        if (stream.isListed()) {
            stream.listed(false);
            waiting.remove(stream);
        }
    }

    /** From here on, streams go on by their priorities. */
    public void prioritize() {
        prioritized = true;
    }

    public boolean isAwaited() {
        return !waiting.isEmpty();
    }

    /** Has those that wait go on, in turn. */
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
                stalled.add(next); // for a larger window, after which it is asked again
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

    /** Nobody waits any more. */
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
