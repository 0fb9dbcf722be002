package io.ballast.http.trace;

import io.ballast.core.log.RecordRing;
import io.ballast.http.relay.Failure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A recorded request that has ended. All times are from {@link System#nanoTime}. Immutable.
 *
 * @param idHigh the upper half of the trace id
 * @param idLow the lower half of the trace id
 * @param parentId the id of the sender's span; 0 for none
 * @param spanId the id of the request's own span
 * @param linkedHigh the upper half of the id of a linked trace
 * @param linkedLow the lower half of the id of a linked trace
 * @param linkedSpan the id of a linked span; 0 for none
 * @param secure whether the client's connection uses TLS
 * @param version the version of HTTP, such as {@code 1.1}
 * @param tunnel whether the request became a tunnel
 * @param status the status of the response; 0 for none
 * @param failure the failure of the request; null for none
 * @param attemptCount the number of attempts, including those that are not recorded
 * @param texts the recorded texts; empty texts are not included
 */
public record FinishedTrace(
        long idHigh,
        long idLow,
        long parentId,
        long spanId,
        long linkedHigh,
        long linkedLow,
        long linkedSpan,
        long startNanos,
        long endNanos,
        boolean secure,
        String version,
        boolean tunnel,
        int status,
        @Nullable Failure failure,
        int attemptCount,
        Map<TraceText, String> texts,
        List<FinishedAttempt> attempts) {

    /**
     * An attempt of a request.
     *
     * @param number the number of the attempt, from 0
     * @param status the status of the backend's response; 0 for none
     * @param backend the address of the backend
     * @param failure the failure of the attempt; null for none
     */
    public record FinishedAttempt(
            long spanId,
            int number,
            long startNanos,
            long endNanos,
            int status,
            String backend,
            @Nullable Failure failure) {}

    private static final Failure[] FAILURES = Failure.values();
    private static final TraceText[] TEXTS = TraceText.values();

    /** Reads the current record of a queue, see {@link RecordRing#peek}. */
    public static FinishedTrace read(RecordRing ring) {
        return new Reader(ring).read();
    }

    /** The text; empty if there is none. */
    public String text(TraceText kind) {
        return texts.getOrDefault(kind, "");
    }

    private static final class Reader {

        private final byte[] bytes;
        private int at;

        Reader(RecordRing ring) {
            bytes = ring.bytes();
            at = ring.offset();
        }

        FinishedTrace read() {
            long high = nextLong();
            long low = nextLong();
            long parent = nextLong();
            long span = nextLong();
            long linkedHigh = nextLong();
            long linkedLow = nextLong();
            long linkedSpan = nextLong();
            long start = nextLong();
            long end = nextLong();
            int flags = nextInt();
            int status = nextInt();
            Failure failure = nextFailure();
            int attemptCount = nextInt();
            int stored = nextInt();
            Map<TraceText, String> texts = texts();
            List<FinishedAttempt> attempts = new ArrayList<>(stored);
            for (int i = 0; i < stored; i++) {
                attempts.add(attempt());
            }
            return new FinishedTrace(
                    high,
                    low,
                    parent,
                    span,
                    linkedHigh,
                    linkedLow,
                    linkedSpan,
                    start,
                    end,
                    (flags & RequestTrace.SECURE) != 0,
                    version(flags),
                    (flags & RequestTrace.TUNNEL) != 0,
                    status,
                    failure,
                    attemptCount,
                    texts,
                    List.copyOf(attempts));
        }

        private static String version(int flags) {
            if ((flags & RequestTrace.HTTP_3) != 0) {
                return "3";
            }
            if ((flags & RequestTrace.HTTP_2) != 0) {
                return "2";
            }
            return (flags & RequestTrace.HTTP_1_0) != 0 ? "1.0" : "1.1";
        }

        private Map<TraceText, String> texts() {
            Map<TraceText, String> texts = new EnumMap<>(TraceText.class);
            for (TraceText kind : TEXTS) {
                int length = nextInt();
                if (length > 0) {
                    texts.put(kind, nextText(length));
                }
            }
            return texts;
        }

        private FinishedAttempt attempt() {
            long span = nextLong();
            long start = nextLong();
            long end = nextLong();
            int number = nextInt();
            int status = nextInt();
            Failure failure = nextFailure();
            String backend = nextText(nextInt());
            return new FinishedAttempt(span, number, start, end, status, backend, failure);
        }

        private @Nullable Failure nextFailure() {
            int ordinal = nextInt();
            return ordinal == TraceAttempt.NO_FAILURE ? null : FAILURES[ordinal];
        }

        private String nextText(int length) {
            at += length;
            return new String(bytes, at - length, length, StandardCharsets.UTF_8);
        }

        private long nextLong() {
            at += Long.BYTES;
            return RecordRing.longAt(bytes, at - Long.BYTES);
        }

        private int nextInt() {
            at += Integer.BYTES;
            return RecordRing.intAt(bytes, at - Integer.BYTES);
        }
    }
}
