package io.ballast.policy.cache.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.cache.rule.CacheDefaults;
import io.ballast.policy.cache.rule.FreshnessLifetime;
import io.ballast.policy.cache.rule.HeaderLines;
import io.ballast.policy.cache.rule.ResponseMetadata;
import io.ballast.policy.cache.rule.Validity;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResponseStoreTest {

    private static final int MEMORY = 1024 * 1024;

    private final ResponseStore store = new ResponseStore(MEMORY);

    private static UrlKey key(String url) {
        byte[] bytes = url.getBytes(StandardCharsets.US_ASCII);
        UrlKey key = new UrlKey();
        key.set(bytes, bytes.length, url.hashCode() * 0x9E3779B97F4A7C15L);
        return key.copy();
    }

    private static StoredHead head(String... tags) {
        ResponseMetadata metadata = ResponseMetadata.of(200, HeaderLines.NONE, 0, 0);
        FreshnessLifetime lifetime = FreshnessLifetime.of(metadata, CacheDefaults.NONE, /* allowsImplicit= */ true);
        Validity validity = Validity.of(metadata, lifetime, CacheDefaults.NONE);
        return new StoredHead(metadata, validity, HeaderLines.NONE, new byte[0], List.of(tags), 0);
    }

    private @Nullable StoredResponse response(int bytes, String... tags) {
        BodyRecording recording = store.record(bytes, MEMORY);
        return recording.add(ByteBuffer.allocate(bytes))
                ? StoredResponse.create(store, head(tags), recording.finish())
                : null;
    }

    private boolean put(String url, String selection, int bytes, String... tags) {
        StoredResponse response = response(bytes, tags);
        UrlKey key = key(url);
        return response != null && store.put(key, new Variant("", selection, response), store.removalCount(key));
    }

    private List<Variant> find(String url) {
        UrlEntry entry = store.find(key(url));
        return entry == null ? List.of() : entry.variants();
    }

    @Test
    void findsWhatWasStored() {
        assertThat(put("/a", "", 1000)).isTrue();

        assertThat(find("/a")).hasSize(1);
        assertThat(find("/b")).isEmpty();
        assertThat(store.responses()).isEqualTo(1);
        assertThat(store.usedBytes()).isBetween(1000L, 3000L);
    }

    @Test
    void aResponseReplacesTheOneForTheSameRequests() {
        put("/a", "", 1000);
        long used = store.usedBytes();

        put("/a", "", 1000);

        assertThat(find("/a")).hasSize(1);
        assertThat(store.usedBytes()).isEqualTo(used);
    }

    @Test
    void variantsOfAUrlAreBounded() {
        for (int i = 0; i < 1000; i++) {
            put("/a", "v" + i, 10);
        }

        assertThat(find("/a")).hasSize(UrlEntry.MAX_VARIANTS);
        assertThat(find("/a").get(0).selection()).isEqualTo("v999");
    }

    @Test
    void oneUrlTakesAPartOfTheMemory() {
        for (int i = 0; i < 20; i++) {
            put("/a", "v" + i, MEMORY / 16);
        }

        assertThat(find("/a")).hasSize(3);
    }

    @Test
    void memoryIsBounded() {
        for (int i = 0; i < 5000; i++) {
            put("/" + i, "", 1000);
            assertThat(store.usedBytes()).isLessThanOrEqualTo(MEMORY);
        }

        assertThat(store.evictions()).isPositive();
        assertThat(store.responses()).isBetween(300L, 1000L);
    }

    @Test
    void allMemoryIsGivenBack() {
        for (int i = 0; i < 3000; i++) {
            put("/" + i % 700, "v" + i % 3, i % 5000);
        }

        store.removeIf((url, variant) -> true);
        for (int i = 0; i < 5000; i++) { // evicts the empty entries
            store.setUncacheable(key("/x" + i), 0);
        }
        put("/large", "", MEMORY / 4);

        assertThat(store.responses()).isEqualTo(1);
        assertThat(find("/large")).hasSize(1);
    }

    @Test
    void usedUrlsSurviveAScan() {
        for (int i = 0; i < 100; i++) {
            put("/hot" + i, "", 1000);
        }
        int lost = 0;
        for (int i = 0; i < 20_000; i++) {
            UrlEntry hot = store.find(key("/hot" + i % 100));
            if (hot == null) {
                lost++;
            } else {
                hot.use();
            }
            put("/scanned" + i, "", 1000);
        }

        assertThat(lost).isLessThan(200);
    }

    @Test
    void aResponseOfBeforeARemovalIsNotStored() {
        UrlKey key = key("/a");
        long before = store.removalCount(key);

        store.remove(key);

        assertThat(store.put(key, new Variant("", "", requireNonNull(response(10))), before))
                .isFalse();
        assertThat(find("/a")).isEmpty();
    }

    @Test
    void removesByUrlAndTag() {
        put("/a/1", "", 10, "red");
        put("/a/2", "", 10, "red", "blue");
        put("/b", "", 10);

        assertThat(store.removeIf((url, variant) -> url.startsWith("/b"))).isEqualTo(1);
        assertThat(store.removeIf(
                        (url, variant) -> variant.response().head().tags().contains("blue")))
                .isEqualTo(1);
        assertThat(store.remove(key("/a/1"))).isEqualTo(1);
        assertThat(store.remove(key("/a/1"))).isZero();
        assertThat(store.responses()).isZero();
    }

    @Test
    void aResponseInUseCountsUntilItsRelease() {
        put("/a", "", 100_000);
        StoredResponse used = find("/a").get(0).response();
        assertThat(used.retain()).isTrue();

        store.remove(key("/a"));
        assertThat(store.usedBytes()).isGreaterThan(100_000);
        used.release();

        assertThat(store.usedBytes()).isLessThan(1000);
        assertThat(used.retain()).isFalse();
    }

    @Test
    void responsesInUseFillTheStore() {
        List<StoredResponse> used = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            if (put("/" + i, "", MEMORY / 10)) {
                StoredResponse response = find("/" + i).get(0).response();
                response.retain();
                used.add(response);
            }
        }

        assertThat(used).hasSizeLessThan(10);
        assertThat(put("/next", "", MEMORY / 10)).isFalse();
        used.forEach(StoredResponse::release);
        assertThat(put("/next", "", MEMORY / 10)).isTrue();
    }

    @Test
    void anotherHeadSharesTheBody() {
        put("/a", "", 100_000);
        StoredResponse first = find("/a").get(0).response();

        StoredResponse second = requireNonNull(first.with(store, head()));
        store.put(key("/a"), new Variant("", "", second), store.removalCount(key("/a")));

        assertThat(second.body()).isSameAs(first.body());
        assertThat(store.usedBytes()).isLessThan(110_000);
    }

    @Test
    void uncacheableUrlsAreRemembered() {
        store.setUncacheable(key("/a"), 100);

        UrlEntry entry = requireNonNull(store.find(key("/a")));
        assertThat(entry.isUncacheable(99)).isTrue();
        assertThat(entry.isUncacheable(100)).isFalse();
        put("/a", "", 10);
        assertThat(entry.isUncacheable(99)).isFalse();
    }

    @Test
    void bodiesConsistOfFullPieces() {
        Random random = new Random(3);
        byte[] content = new byte[300_000];
        random.nextBytes(content);
        for (int expected : new int[] {-1, content.length, 10}) {
            BodyRecording recording = store.record(expected, MEMORY);
            int at = 0;
            while (at < content.length) {
                int length = Math.min(content.length - at, random.nextInt(16_384));
                assertThat(recording.add(ByteBuffer.wrap(content, at, length))).isTrue();
                at += length;
            }
            StoredBody body = recording.finish();
            byte[] read = new byte[content.length];
            for (int from = 0; from < read.length; from += StoredBody.PIECE_BYTES) {
                int length = Math.min(StoredBody.PIECE_BYTES, read.length - from);
                System.arraycopy(body.piece(from / StoredBody.PIECE_BYTES), 0, read, from, length);
            }
            assertThat(body.length()).isEqualTo(content.length);
            assertThat(read).isEqualTo(content);
            body.release();
            assertThat(store.usedBytes()).isZero();
        }
    }

    @Test
    void aRecordingStopsAtTheMaximum() {
        BodyRecording recording = store.record(-1, 1000);

        assertThat(recording.add(ByteBuffer.allocate(1000))).isTrue();
        assertThat(recording.add(ByteBuffer.allocate(1))).isFalse();
        assertThat(recording.add(ByteBuffer.allocate(0))).isFalse();
        ByteBuffer kept = ByteBuffer.allocate(2000);
        recording.read(0, kept);
        assertThat(kept.position()).isEqualTo(1000);
        recording.discard();
        assertThat(store.usedBytes()).isZero();
    }

    @Test
    void aGrowingBodyIsReadWhileItIsReceived() {
        byte[] content = new byte[200_000];
        new Random(5).nextBytes(content);
        GrowingBody growing = requireNonNull(store.receive(content.length));
        StoredBody body = growing.body();
        AtomicInteger calls = new AtomicInteger();

        body.whenMore(0, calls::incrementAndGet);
        assertThat(calls).hasValue(0);
        growing.add(ByteBuffer.wrap(content, 0, 70_000));
        assertThat(calls).hasValue(1);
        assertThat(body.availableBytes()).isEqualTo(70_000);
        body.whenMore(0, calls::incrementAndGet);
        assertThat(calls).as("there is more already").hasValue(2);
        growing.add(ByteBuffer.wrap(content, 70_000, 130_000));

        ByteBuffer read = ByteBuffer.allocate(content.length);
        while (read.hasRemaining()) {
            growing.read(read.position(), read);
        }
        assertThat(growing.isComplete()).isTrue();
        assertThat(read.array()).isEqualTo(content);
        assertThat(body.piece(3)).endsWith(content[content.length - 1]);
        assertThat(calls).hasValue(2);
        body.release();
        assertThat(store.usedBytes()).isZero();
    }

    @Test
    void aBrokenBodyWakesItsReaders() {
        GrowingBody growing = requireNonNull(store.receive(10));
        AtomicInteger calls = new AtomicInteger();

        growing.body().whenMore(0, calls::incrementAndGet);
        growing.fail();
        growing.body().whenMore(0, calls::incrementAndGet);

        assertThat(calls).hasValue(2);
        assertThat(growing.body().isBroken()).isTrue();
        assertThat(growing.add(ByteBuffer.allocate(1))).isFalse();
    }

    @Test
    void aGrowingBodyTakesItsMemoryBefore() {
        GrowingBody growing = requireNonNull(store.receive(MEMORY));

        assertThat(store.usedBytes()).isEqualTo(MEMORY);
        assertThat(store.receive(1)).isNull();
        assertThat(growing.add(ByteBuffer.allocate(MEMORY + 1))).isFalse();
        growing.body().release();
        assertThat(store.usedBytes()).isZero();
    }

    @Test
    void concurrentUseKeepsTheCounts() throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            Random random = new Random(t);
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                    for (int i = 0; i < 20_000; i++) {
                        concurrentStep(random);
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            thread.start();
            threads.add(thread);
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(failure.get()).isNull();
        store.removeIf((url, variant) -> true);
        assertThat(store.responses()).isZero();
        assertThat(store.usedBytes()).isBetween(0L, 50_000L); // the memory of empty entries
    }

    private void concurrentStep(Random random) {
        String url = "/" + random.nextInt(50);
        switch (random.nextInt(10)) {
            case 0 -> store.remove(key(url));
            case 1 -> store.setUncacheable(key(url), 1);
            case 2, 3, 4 -> put(url, "v" + random.nextInt(3), random.nextInt(20_000));
            default ->
                find(url).forEach(variant -> {
                    if (variant.response().retain()) {
                        assertThat(store.usedBytes()).isBetween(0L, (long) MEMORY);
                        variant.response().release();
                    }
                });
        }
    }
}
