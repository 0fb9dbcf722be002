package io.ballast.http.trace;

import io.ballast.core.log.RecordRing;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.MajorVersion;
import io.ballast.http.relay.Failure;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The trace of the current request of a connection or stream: its ids, which backends receive, and if it is recorded,
 * the data of its spans. One object serves all requests, in sequence. Event-loop confined; allocates only until its
 * bounded buffers have reached their largest size.
 */
public final class RequestTrace {

    /** The maximum number of recorded attempts; a further attempt replaces the last one. */
    public static final int MAX_ATTEMPTS = 10;

    static final int LONGS = 9;
    static final int INTS = 5;
    static final int SECURE = 1;
    static final int HTTP_2 = 2;
    static final int HTTP_1_0 = 4;
    static final int TUNNEL = 8;
    static final int HTTP_3 = 16;

    private static final byte[] STATE_NAME = ByteClasses.ascii("tracestate: ");
    private static final byte[] LINE_END = ByteClasses.ascii("\r\n");
    private static final byte[] NOTHING = {};

    private final SplittableRandom random;
    private final TraceState state = new TraceState();
    private final byte[] parentLine = TraceParent.newLine();
    private final byte[] idText = new byte[TraceParent.TRACE_ID_DIGITS];
    private final byte[][] texts = new byte[TraceText.COUNT][0];
    private final int[] lengths = new int[TraceText.COUNT];
    private final TraceAttempt[] attempts = new TraceAttempt[MAX_ATTEMPTS];

    private TraceSink sink = TraceSink.NONE;
    private boolean active;
    private boolean sampled;
    private boolean recorded;
    private long idHigh;
    private long idLow;
    private long parentId;
    private long linkedHigh;
    private long linkedLow;
    private long linkedSpan;
    private long spanId;
    private long startNanos;
    private long endNanos;
    private int attemptCount;
    private int status;
    private int flags;
    private @Nullable Failure failure;

    /** @param random the generator of ids */
    public RequestTrace(SplittableRandom random) {
        this.random = random;
    }

    /** Ends the recording of the last request. */
    public void clear() {
        active = false;
        recorded = false;
    }

    // ---- begin

    /** Begins a trace with a new id. */
    public void begin(long now) {
        idHigh = random.nextLong();
        idLow = newId(); // an id of zeros is invalid
        begin(/* parent= */ 0, now);
    }

    /** Continues the trace of the client, which has sent the valid {@code traceparent} value at {@code from}. */
    public void continueFrom(byte[] value, int from, long now) {
        idHigh = TraceParent.traceIdHigh(value, from);
        idLow = TraceParent.traceIdLow(value, from);
        begin(TraceParent.parentId(value, from), now);
    }

    private void begin(long parent, long now) {
        parentId = parent;
        linkedHigh = 0;
        linkedLow = 0;
        linkedSpan = 0;
        spanId = newId();
        startNanos = now;
        attemptCount = 0;
        status = 0;
        flags = 0;
        failure = null;
        state.clear();
        active = true;
        sampled = false;
        recorded = false;
    }

    private long newId() {
        long id = random.nextLong();
        return id == 0 ? 1 : id;
    }

    /** Links the trace to the trace of the valid {@code traceparent} value at {@code from}. */
    public void link(byte[] value, int from) {
        linkedHigh = TraceParent.traceIdHigh(value, from);
        linkedLow = TraceParent.traceIdLow(value, from);
        linkedSpan = TraceParent.parentId(value, from);
    }

    /** The lower half of the trace id, which samplers use for their decision. */
    public long idLow() {
        return idLow;
    }

    /** The data of other tracing systems, which is passed on. */
    public TraceState state() {
        return state;
    }

    /** Marks the trace as sampled, and records the request if the sink is active. */
    public void sample(TraceSink target) {
        sampled = true;
        if (target.isActive()) {
            sink = target;
            recorded = true;
            for (int i = 0; i < lengths.length; i++) {
                lengths[i] = 0;
            }
        }
    }

    /** Whether the current request has a trace. */
    public boolean isActive() {
        return active;
    }

    /** Whether the spans of the current request are recorded. */
    public boolean isRecorded() {
        return recorded;
    }

    /** Stores {@code source[from, to)}, truncated to the length limit of the text. */
    public void text(TraceText kind, byte[] source, int from, int to) {
        int index = kind.ordinal();
        int length = Math.min(to - from, kind.maxBytes());
        reserve(index, length, kind.maxBytes());
        System.arraycopy(source, from, texts[index], 0, length);
        lengths[index] = length;
    }

    /** Stores an ASCII text, truncated to the length limit of the text. */
    public void text(TraceText kind, String ascii) {
        int index = kind.ordinal();
        int length = Math.min(ascii.length(), kind.maxBytes());
        reserve(index, length, kind.maxBytes());
        for (int i = 0; i < length; i++) {
            texts[index][i] = (byte) ascii.charAt(i);
        }
        lengths[index] = length;
    }

    private void reserve(int index, int length, int max) {
        if (texts[index].length < length) {
            texts[index] = new byte[Math.min(max, Math.max(length, 2 * texts[index].length))];
        }
    }

    // ---- attempts

    /** Records an attempt, which ends the one before it. */
    public void attempt(byte[] backend, long now) {
        attemptEnded(/* cause= */ null, now);
        int index = Math.min(attemptCount, MAX_ATTEMPTS - 1);
        TraceAttempt next = attempts[index];
        if (next == null) {
            next = new TraceAttempt();
            attempts[index] = next;
        }
        next.begin(attemptCount, newId(), backend, now);
        attemptCount++;
    }

    /** Records the status of the current attempt's response. */
    public void attemptAnswered(int code) {
        current().answered(code);
    }

    /** Records the end of the current attempt, if it has not ended yet. */
    public void attemptEnded(@Nullable Failure cause, long now) {
        if (attemptCount > 0) {
            current().end(cause, now);
        }
    }

    private TraceAttempt current() {
        return attempts[storedAttempts() - 1];
    }

    private int storedAttempts() {
        return Math.min(attemptCount, MAX_ATTEMPTS);
    }

    // ---- headers

    /** Appends the header lines for the backend of the current attempt. */
    public void appendLines(ByteAppender target) {
        long sender = recorded && attemptCount > 0 ? current().spanId : spanId;
        TraceParent.write(idHigh, idLow, sender, sampled, parentLine);
        target.append(parentLine);
        if (state.members().length() > 0) {
            target.append(STATE_NAME);
            target.append(state.members());
            target.append(LINE_END);
        }
    }

    /** The trace id as hexadecimal digits; valid until the next request, and must not be modified. */
    public byte[] id() {
        TraceParent.writeId(idHigh, idLow, idText);
        return idText;
    }

    // ---- end

    /** Records whether the client's connection uses TLS, and which version of HTTP. */
    public void connection(boolean tls, MajorVersion version, boolean version10) {
        flags = (tls ? SECURE : 0)
                | switch (version) {
                    case HTTP_1 -> version10 ? HTTP_1_0 : 0;
                    case HTTP_2 -> HTTP_2;
                    case HTTP_3 -> HTTP_3;
                };
    }

    /**
     * Ends the trace, and passes it to the sink if it is recorded.
     *
     * @param code the status of the response; 0 for none
     * @param tunnel whether the exchange has become a tunnel
     * @param cause the failure of the exchange; null for none
     * @param loop the index of the event loop
     */
    public void end(int code, boolean tunnel, @Nullable Failure cause, int loop, long now) {
        if (!recorded) {
            return;
        }
        recorded = false;
        status = code;
        failure = cause;
        endNanos = now;
        if (attemptCount > 0) {
            if (tunnel) {
                current().extend(now);
            }
            current().end(cause, now);
        }
        flags |= tunnel ? TUNNEL : 0;
        byte[] members =
                state.members().length() == 0 ? NOTHING : state.members().bytes();
        text(TraceText.STATE, members, 0, state.members().length());
        sink.offer(loop, this);
    }

    /** Puts the trace into a queue; false if it does not fit. Only called by a {@link TraceSink}. */
    public boolean offerTo(RecordRing ring) {
        int stored = storedAttempts();
        int max = LONGS * Long.BYTES + INTS * Integer.BYTES;
        for (int i = 0; i < lengths.length; i++) {
            max += Integer.BYTES + lengths[i];
        }
        for (int i = 0; i < stored; i++) {
            max += attempts[i].bytes();
        }
        if (!ring.claim(max)) {
            return false;
        }
        ring.putLong(idHigh);
        ring.putLong(idLow);
        ring.putLong(parentId);
        ring.putLong(spanId);
        ring.putLong(linkedHigh);
        ring.putLong(linkedLow);
        ring.putLong(linkedSpan);
        ring.putLong(startNanos);
        ring.putLong(endNanos);
        ring.putInt(flags);
        ring.putInt(status);
        ring.putInt(failure == null ? TraceAttempt.NO_FAILURE : failure.ordinal());
        ring.putInt(attemptCount);
        ring.putInt(stored);
        for (int i = 0; i < lengths.length; i++) {
            ring.putInt(lengths[i]);
            ring.putBytes(texts[i], lengths[i]);
        }
        for (int i = 0; i < stored; i++) {
            attempts[i].writeTo(ring);
        }
        ring.commit();
        return true;
    }
}
