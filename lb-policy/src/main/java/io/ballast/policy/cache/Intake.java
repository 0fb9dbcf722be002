package io.ballast.policy.cache;

import io.ballast.policy.cache.rule.CacheDefaults;
import io.ballast.policy.cache.rule.FreshnessLifetime;
import io.ballast.policy.cache.rule.HeaderLines;
import io.ballast.policy.cache.rule.ResponseMetadata;
import io.ballast.policy.cache.rule.Storability;
import io.ballast.policy.cache.rule.Validity;
import io.ballast.policy.cache.store.BodyRecording;
import io.ballast.policy.cache.store.GrowingBody;
import io.ballast.policy.cache.store.ResponseStore;
import io.ballast.policy.cache.store.StoredBody;
import io.ballast.policy.cache.store.StoredHead;
import io.ballast.policy.cache.store.StoredResponse;
import io.ballast.policy.cache.store.UrlKey;
import io.ballast.policy.cache.store.Variant;
import io.ballast.policy.config.CacheConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Decides which responses are stored, and stores them. Thread safety: any thread. */
final class Intake {

    /** The maximum length of the header values that select a response. */
    private static final int MAX_SELECTION = 4096;

    /** How long requests of a URL do not wait for each other after a response that was not cacheable. */
    private static final long UNCACHEABLE_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final ResponseStore store;
    private final CacheDefaults defaults;
    private final long maxObjectBytes;
    private final LongSupplier nanoTime;
    private final LongSupplier millis;

    Intake(CacheConfig config, ResponseStore store, LongSupplier nanoTime, LongSupplier millis) {
        this.store = store;
        this.defaults = new CacheDefaults(
                (int) config.defaultTtl().toSeconds(),
                (int) config.staleWhileRevalidate().toSeconds(),
                (int) config.staleIfError().toSeconds());
        this.maxObjectBytes = config.maxObjectBytes();
        this.nanoTime = nanoTime;
        this.millis = millis;
    }

    /** The maximum length of a stored body. */
    long maxObjectBytes() {
        return maxObjectBytes;
    }

    /**
     * The head of a received response.
     *
     * @param metadata the parts of the head that matter to a cache
     * @param validity how long the response may be used
     * @param lines the header lines of the response
     * @param nanos when the head arrived
     * @param isStorable whether the response may be stored
     */
    record Received(ResponseMetadata metadata, Validity validity, HeaderLines lines, long nanos, boolean isStorable) {

        /** Returns the head to store, without lines that must not be stored. */
        StoredHead toHead() {
            return headOf(HeadText.storable(lines, metadata.dateMillis()));
        }

        /** Returns a head for one client, with the cookies that the backend has sent; it must not be stored. */
        StoredHead toHead(HeaderLines sent) {
            List<HeaderLines.Line> all = new ArrayList<>(
                    HeadText.storable(lines, metadata.dateMillis()).lines());
            sent.lines().stream().filter(line -> line.is("set-cookie")).forEach(all::add);
            return headOf(new HeaderLines(all));
        }

        private StoredHead headOf(HeaderLines stored) {
            return new StoredHead(metadata, validity, stored, HeadText.bytes(stored), HeadText.tags(stored), nanos);
        }
    }

    /** Describes a request before it is sent, so that its response can be stored. */
    FetchedRequest describe(UrlKey key, RequestView request) {
        return new FetchedRequest(
                key.copy(),
                request.context(),
                request.copyLines(),
                store.removalCount(key),
                millis.getAsLong(),
                request.computedHeaders());
    }

    /** Reads the head of a response that has just arrived. */
    Received read(int status, HeaderLines lines, FetchedRequest request) {
        // Without an explicit lifetime, the response to a request with a cookie may be for one client only
        boolean allowsImplicit = !request.lines().has("cookie");
        return read(status, lines, request, allowsImplicit);
    }

    private Received read(int status, HeaderLines lines, FetchedRequest request, boolean allowsImplicit) {
        ResponseMetadata metadata = ResponseMetadata.of(status, lines, request.sentMillis(), millis.getAsLong());
        FreshnessLifetime lifetime = FreshnessLifetime.of(metadata, defaults, allowsImplicit);
        Validity validity = Validity.of(metadata, lifetime, defaults);
        // Two clients with equal header lines may get different responses if Vary names a computed header
        boolean isStorable = Storability.isStorable(metadata, lifetime, validity)
                && !metadata.vary().namesAny(request.computed());
        return new Received(metadata, validity, lines, nanoTime.getAsLong(), isStorable);
    }

    /**
     * Combines the head of a 304 with the stored response that it confirms (RFC 9111 section 4.3.4).
     *
     * @return null if the 304 is about another response
     */
    @Nullable Received update(StoredHead stored, HeaderLines notModified, FetchedRequest request) {
        String tag = notModified.first("etag");
        if (tag != null && !tag.equals(stored.metadata().tag())) {
            return null;
        }
        List<HeaderLines.Line> lines =
                new ArrayList<>(HeadText.updated(stored.lines(), notModified).lines());
        notModified.lines().stream().filter(line -> line.is("age")).forEach(lines::add);
        // The stored response was accepted without a cookie, so its lifetime may be implicit for all clients
        return read(stored.metadata().status(), new HeaderLines(lines), request, /* allowsImplicit= */ true);
    }

    /** Starts to receive a body of known length; see {@link ResponseStore#receive}. */
    @Nullable GrowingBody receive(long bytes) {
        return store.receive(bytes);
    }

    /** Starts to record a body; see {@link ResponseStore#record}. */
    BodyRecording record(long expectedBytes) {
        return store.record(expectedBytes, maxObjectBytes);
    }

    /**
     * Returns the cache entry for a response, but does not store it.
     *
     * @return null if it must not be stored, because responses for the URL were removed after the request was sent, or
     *     its key is too long
     */
    @Nullable Variant variant(FetchedRequest request, StoredResponse response) {
        String selection =
                response.head().metadata().vary().select(name -> request.lines().values(name));
        boolean isStorable = selection.length() + request.context().length() <= MAX_SELECTION
                && store.removalCount(request.key()) == request.removals();
        return isStorable ? new Variant(request.context(), selection, response) : null;
    }

    /**
     * Stores a response.
     *
     * @param response the caller keeps its reference
     * @return the stored variant; null if it was not stored
     */
    @Nullable Variant store(FetchedRequest request, StoredResponse response) {
        Variant variant = variant(request, response);
        if (variant == null || !response.retain()) {
            return null;
        }
        return store.put(request.key(), variant, request.removals()) ? variant : null;
    }

    /**
     * Creates a response; takes ownership of a reference to the body.
     *
     * @return null if there is no memory
     */
    @Nullable StoredResponse response(StoredHead head, StoredBody body) {
        return StoredResponse.create(store, head, body);
    }

    /**
     * Creates a response with another head and the same body.
     *
     * @return null if there is no memory
     */
    @Nullable StoredResponse replaceHead(StoredResponse response, StoredHead head) {
        return response.with(store, head);
    }

    /** Remembers for some time that the current response of a URL must not be stored. */
    void setUncacheable(UrlKey key) {
        store.setUncacheable(key, nanoTime.getAsLong() + UNCACHEABLE_NANOS);
    }

    /** Removes the responses of a URL because the current one must not be stored. */
    void forget(UrlKey key) {
        store.remove(key);
        setUncacheable(key);
    }
}
