package io.ballast.policy.compress;

import io.ballast.core.stats.Counters;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.ResponsePolicy;
import io.ballast.http.transform.BodyTransform;
import io.ballast.http.transform.ResponseEdit;
import io.ballast.policy.config.CompressionConfig;
import io.ballast.policy.config.ContentCoding;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compresses the responses of backends if the client accepts it. A compressed response has a weak entity tag, and no
 * {@code Content-Length} and no {@code Accept-Ranges}. {@code Vary} is added to all responses that could be compressed.
 *
 * <p>Thread safety: one object serves all event loops without locks; each event loop has its own compressors.
 * Compressors that are not in use when the policy is replaced are freed by the garbage collector.
 */
public final class CompressionPolicy implements ResponsePolicy {

    private static final byte[] CONTENT_TYPE = ByteClasses.ascii("content-type");
    private static final byte[] CONTENT_ENCODING = ByteClasses.ascii("content-encoding");
    private static final byte[] CONTENT_RANGE = ByteClasses.ascii("content-range");
    private static final byte[] CACHE_CONTROL = ByteClasses.ascii("cache-control");
    private static final byte[] NO_TRANSFORM = ByteClasses.ascii("no-transform");
    private static final byte[] IDENTITY = ByteClasses.ascii("identity");
    private static final byte[] VARY = ByteClasses.ascii("vary");
    private static final byte[] ACCEPT_ENCODING = ByteClasses.ascii("accept-encoding");
    private static final byte[] ANY = {'*'};
    private static final byte[] ETAG = ByteClasses.ascii("etag");
    /** Headers that describe the bytes of the uncompressed body (RFC 9110 section 14.3, RFC 9530). */
    private static final byte[][] BODY_HEADERS = {
        ByteClasses.ascii("accept-ranges"),
        ByteClasses.ascii("content-digest"),
        ByteClasses.ascii("repr-digest"),
        ByteClasses.ascii("digest"),
        ByteClasses.ascii("content-md5")
    };

    /** The header line of each coding. */
    private static final byte[][] CODING_LINES = Arrays.stream(ContentCoding.values())
            .map(coding -> ByteClasses.ascii("Content-Encoding: " + coding.token() + "\r\n"))
            .toArray(byte[][]::new);

    private static final int PARTIAL_CONTENT = 206;
    private static final int NOT_MODIFIED = 304;

    private final AcceptedCodings codings;
    private final MediaTypes types;
    private final int minBytes;
    private final CompressorPool[] pools;
    private final Counters<CompressionOutcome> outcomes;

    /** @param eventLoops the number of event loops, among which the compressors are divided */
    public CompressionPolicy(CompressionConfig config, int eventLoops) {
        this.codings = new AcceptedCodings(NativeCodings.usable(config.encodings()));
        this.types = new MediaTypes(config.types());
        this.minBytes = config.minBytes();
        this.outcomes = new Counters<>(CompressionOutcome.class, eventLoops);
        this.pools = new CompressorPool[eventLoops];
        int perLoop = (config.maxActive() - 1) / eventLoops + 1;
        Arrays.setAll(pools, loop -> new CompressorPool(config, perLoop));
    }

    @Override
    public Phase phase() {
        return Phase.RESPONSE;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        exchange.setMark(step, codings.of(exchange.request()));
        exchange.awaitResponse(step);
        return PolicyDecision.PASS;
    }

    @Override
    public @Nullable BodyTransform respond(PolicyExchange exchange, int step, ResponseEdit response) {
        CompressorPool pool = pools[exchange.loop()];
        CompressionOutcome outcome = outcome(exchange, exchange.mark(step), response);
        ContentCoding coding = AcceptedCodings.coding(exchange.mark(step));
        CompressedBody body = outcome == CompressionOutcome.COMPRESSED && coding != null ? pool.begin(coding) : null;
        if (outcome == CompressionOutcome.COMPRESSED && body == null) {
            outcome = CompressionOutcome.BUSY;
        }
        outcomes.shard(exchange.loop()).increment(outcome);
        if (body != null && coding != null) {
            exchange.responseLines().append(CODING_LINES[coding.ordinal()]);
            removeBodyHeaders(response);
            weakenEntityTag(response);
        }
        return body;
    }

    /** Decides whether to compress, and adds {@code Vary} if this depends on the request. */
    private CompressionOutcome outcome(PolicyExchange exchange, long accepted, ResponseEdit response) {
        CompressionOutcome obstacle = obstacle(response);
        if (obstacle != null) {
            return obstacle;
        }
        addVary(exchange, response);
        boolean isPartial = response.head().status() == PARTIAL_CONTENT || response.line(CONTENT_RANGE, 0) >= 0;
        if (isPartial) {
            return CompressionOutcome.PARTIAL;
        }
        if (AcceptedCodings.coding(accepted) == null || !response.mayReplaceBody()) {
            return CompressionOutcome.NOT_ACCEPTED;
        }
        if (!response.hasBody()) {
            describeCompressed(response);
            return CompressionOutcome.BODILESS;
        }
        boolean isShort = isShort(response.head()) && !AcceptedCodings.refusesIdentity(accepted);
        return isShort ? CompressionOutcome.SIZE : CompressionOutcome.COMPRESSED;
    }

    private boolean isShort(ResponseScanner head) {
        return head.contentLength >= 0 && head.contentLength < minBytes;
    }

    /** The reason why the response is not compressed for any client; null if the client decides. */
    private @Nullable CompressionOutcome obstacle(ResponseEdit response) {
        ResponseScanner head = response.head();
        int encoding = response.line(CONTENT_ENCODING, 0);
        if (encoding >= 0
                && !ByteClasses.equalsIgnoreCase(
                        head.bytes, head.valueStart[encoding], head.valueEnd[encoding], IDENTITY)) {
            return CompressionOutcome.ENCODED;
        }
        if (lists(response, CACHE_CONTROL, NO_TRANSFORM)) {
            return CompressionOutcome.NO_TRANSFORM;
        }
        int type = response.line(CONTENT_TYPE, 0);
        boolean isListed = type < 0
                ? head.status() == NOT_MODIFIED // a 304 has no type, but the stored response may be compressed
                : types.contain(head.bytes, head.valueStart[type], head.valueEnd[type]);
        return isListed ? null : CompressionOutcome.TYPE;
    }

    private static boolean lists(ResponseEdit response, byte[] name, byte[] token) {
        ResponseScanner head = response.head();
        for (int line = response.line(name, 0); line >= 0; line = response.line(name, line + 1)) {
            if (ListedTokens.contains(head.bytes, head.valueStart[line], head.valueEnd[line], token)) {
                return true;
            }
        }
        return false;
    }

    private static void addVary(PolicyExchange exchange, ResponseEdit response) {
        if (!lists(response, VARY, ACCEPT_ENCODING) && !lists(response, VARY, ANY)) {
            exchange.responseLines().appendAscii("Vary: Accept-Encoding\r\n");
        }
    }

    /**
     * Makes the head of a 304 or of a response to HEAD agree with the compressed response. A strong entity tag in a 304
     * would not select the stored compressed response, whose tag is weak (RFC 9111 section 4.3.4).
     */
    private void describeCompressed(ResponseEdit response) {
        if (response.head().status() == NOT_MODIFIED) {
            weakenEntityTag(response);
        } else if (response.isToHeadRequest() && !isShort(response.head())) {
            removeBodyHeaders(response);
            response.removeFraming();
            weakenEntityTag(response);
        }
    }

    private static void removeBodyHeaders(ResponseEdit response) {
        for (byte[] name : BODY_HEADERS) {
            for (int line = response.line(name, 0); line >= 0; line = response.line(name, line + 1)) {
                response.remove(line);
            }
        }
        int encoding = response.line(CONTENT_ENCODING, 0); // only identity is possible, which must not be announced
        if (encoding >= 0) {
            response.remove(encoding);
        }
    }

    /** Makes a strong entity tag weak, because the compressed bytes may differ each time (RFC 9110 section 8.8.1). */
    private static void weakenEntityTag(ResponseEdit response) {
        ResponseScanner head = response.head();
        int line = response.line(ETAG, 0);
        if (line >= 0 && head.valueEnd[line] > head.valueStart[line] && head.bytes[head.valueStart[line]] == '"') {
            response.remove(line);
            response.addedLines().appendAscii("ETag: W/");
            response.addedLines().append(head.bytes, head.valueStart[line], head.valueEnd[line]);
            response.addedLines().appendAscii("\r\n");
        }
    }

    @Override
    public Map<String, Long> responses() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (CompressionOutcome outcome : CompressionOutcome.values()) {
            counts.put(outcome.label(), outcomes.sum(outcome));
        }
        return counts;
    }

    @Override
    public boolean replacesSameKind() {
        return true;
    }
}
