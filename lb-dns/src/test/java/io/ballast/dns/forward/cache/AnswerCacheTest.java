package io.ballast.dns.forward.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.forward.question.Question;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Rcode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

/** Tests lookup, limits and flushing of the cache. */
class AnswerCacheTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long NOW = UpstreamMessage.NOW;

    private final AnswerCache cache = new AnswerCache(1 << 20, Duration.ofSeconds(100));
    private final CacheReader reader = cache.reader();

    private @Nullable CacheEntry find(String name, int type, int flags, int group, long nowNanos) {
        Query query = UpstreamMessage.parsed(Messages.query(name, type).toWire());
        return reader.find(query.name(), type, flags, group, nowNanos);
    }

    private @Nullable CacheEntry find(String name) {
        return find(name, Type.A, 0, 0, NOW);
    }

    private static CacheEntry address(String name) {
        return UpstreamMessage.answering(name, Type.A)
                .answer(name + ". 60 IN A 192.0.2.1")
                .kept();
    }

    private CacheEntry put(String name) {
        CacheEntry answer = address(name);
        cache.put(UpstreamMessage.question(name, Type.A), answer);
        return answer;
    }

    private static CacheEntry failure(long nowNanos) {
        return CacheEntry.failure(UpstreamMessage.question("www.example.com", Type.A), Rcode.SERVFAIL, 5, nowNanos);
    }

    @Test
    void findsSameQuestionOnly() {
        CacheEntry answer = put("www.example.com");

        assertThat(find("www.example.com")).isSameAs(answer);
        assertThat(find("WWW.Example.COM")).isSameAs(answer);
        assertThat(find("ww.example.com")).isNull();
        assertThat(find("www.example.com", Type.AAAA, 0, 0, NOW)).isNull();
        assertThat(find("www.example.com", Type.A, Question.DNSSEC_OK, 0, NOW)).isNull();
        assertThat(find("www.example.com", Type.A, Question.CHECKING_DISABLED, 0, NOW))
                .isNull();
        assertThat(find("www.example.com", Type.A, 0, 1, NOW)).isNull();
    }

    @Test
    void keepsStaleAnswers() {
        CacheEntry answer = put("www.example.com");

        assertThat(find("www.example.com", Type.A, 0, 0, NOW + 159 * SECOND)).isSameAs(answer);
        assertThat(find("www.example.com", Type.A, 0, 0, NOW + 160 * SECOND)).isNull();
        cache.setStaleTime(Duration.ZERO);
        assertThat(find("www.example.com", Type.A, 0, 0, NOW + 60 * SECOND - 1)).isSameAs(answer);
        assertThat(find("www.example.com", Type.A, 0, 0, NOW + 60 * SECOND)).isNull();
    }

    @Test
    void doesNotCacheZeroLifetime() {
        cache.put(
                UpstreamMessage.question("www.example.com", Type.A),
                UpstreamMessage.answering("www.example.com", Type.A)
                        .answer("www.example.com. 0 IN A 192.0.2.1")
                        .kept());

        assertThat(find("www.example.com")).isNull();
        assertThat(cache.statistics().insertions()).isZero();
    }

    @Test
    void failureExpiresAfterLifetime() {
        CacheEntry failure = failure(NOW);
        cache.put(UpstreamMessage.question("www.example.com", Type.A), failure);

        assertThat(find("www.example.com", Type.A, 0, 0, NOW + 5 * SECOND - 1)).isSameAs(failure);
        assertThat(find("www.example.com", Type.A, 0, 0, NOW + 5 * SECOND)).isNull();
    }

    @Test
    void failureDelaysRefreshOfStaleAnswer() {
        put("www.example.com");
        long failed = NOW + 70 * SECOND;

        cache.put(UpstreamMessage.question("www.example.com", Type.A), failure(failed));
        CacheEntry found = find("www.example.com", Type.A, 0, 0, failed);

        assertThat(found).isNotNull();
        assertThat(found.kind()).isEqualTo(CacheEntry.Kind.POSITIVE);
        assertThat(found.ageSeconds(failed)).isEqualTo(70);
        assertThat(found.isFresh(failed)).isFalse();
        assertThat(found.isRefreshDue(failed + 5 * SECOND - 1)).isFalse();
        assertThat(found.isRefreshDue(failed + 5 * SECOND)).isTrue();
        assertThat(Messages.answers(UpstreamMessage.respond(found, Messages.query("www.example.com", Type.A), 0)))
                .containsExactly("192.0.2.1");
    }

    @Test
    void failureReplacesExpiredAnswer() {
        put("www.example.com");
        CacheEntry first = failure(NOW + 160 * SECOND);
        CacheEntry second = failure(NOW + 161 * SECOND);

        cache.put(UpstreamMessage.question("www.example.com", Type.A), first);
        assertThat(find("www.example.com", Type.A, 0, 0, NOW + 161 * SECOND)).isSameAs(first);
        cache.put(UpstreamMessage.question("www.example.com", Type.A), second);
        assertThat(find("www.example.com", Type.A, 0, 0, NOW + 161 * SECOND)).isSameAs(second);
    }

    @Test
    void laterAnswerReplacesEarlierAnswer() {
        put("www.example.com");
        CacheEntry second = put("www.example.com");

        assertThat(find("www.example.com")).isSameAs(second);
        assertThat(cache.statistics().entries()).isEqualTo(1);
        assertThat(cache.statistics().insertions()).isEqualTo(2);
        assertThat(cache.statistics().evictions()).isZero();
    }

    @Test
    void staysWithinMemoryLimit() {
        put("n0.example.com");
        long one = cache.statistics().bytes();
        cache.resize(100 * one);
        for (int i = 1; i < 1000; i++) {
            put("n" + i + ".example.com");
        }

        CacheStatistics full = cache.statistics();
        assertThat(one).isBetween(200L, 500L);
        assertThat(full.bytes()).isLessThanOrEqualTo(100 * one).isGreaterThan(90 * one);
        assertThat(full.entries()).isBetween(90L, 100L);
        assertThat(full.maxBytes()).isEqualTo(100 * one);
        assertThat(full.evictions()).isEqualTo(1000 - full.entries());

        cache.resize(10 * one);
        assertThat(cache.statistics().bytes()).isLessThanOrEqualTo(10 * one);
        cache.resize(0);
        assertThat(cache.statistics().entries()).isZero();
    }

    @Test
    void largerAnswersUseMoreMemory() {
        put("www.example.com");
        long small = cache.statistics().bytes();
        UpstreamMessage upstream = UpstreamMessage.answering("www.example.com", Type.A);
        for (int i = 0; i < 100; i++) {
            upstream.answer("www.example.com. 60 IN A 192.0.2." + i);
        }

        cache.put(upstream.question(), upstream.kept());

        assertThat(cache.statistics().bytes() - small).isBetween(99 * 18L - 8, 99 * 18L + 8);
    }

    @Test
    void popularNamesSurviveScan() {
        cache.resize(200_000);
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 50; i++) {
                if (find("hot" + i + ".example.com") == null) {
                    put("hot" + i + ".example.com");
                }
            }
        }
        int found = 0;
        for (int i = 0; i < 20_000; i++) {
            put("scan" + i + ".example.com");
            // Popular names are queried again after the scan has filled the cache; plain LRU would have evicted them.
            if (i % 20 == 0) {
                String popular = "hot" + i / 20 % 50 + ".example.com";
                if (find(popular) == null) {
                    put(popular);
                } else {
                    found++;
                }
            }
        }

        assertThat(cache.statistics().entries()).isLessThan(900);
        assertThat(found).isGreaterThan(500);
    }

    @Test
    void flushesByNameSuffixTypeAndAll() {
        for (String name : new String[] {"example.com", "www.example.com", "wwwexample.com", "a.www.example.com"}) {
            put(name);
        }
        cache.put(UpstreamMessage.question("www.example.com", Type.AAAA), address("www.example.com"));
        byte[] www = UpstreamMessage.question("www.example.com", Type.A).name();

        assertThat(cache.flushType(www, Type.MX)).isZero();
        assertThat(cache.flushType(www, Type.AAAA)).isEqualTo(1);
        assertThat(cache.flush(www)).isEqualTo(1);
        assertThat(cache.flush(www)).isZero();
        assertThat(find("www.example.com")).isNull();
        assertThat(find("a.www.example.com")).isNotNull();
        assertThat(cache.flushSuffix(
                        UpstreamMessage.question("example.com", Type.A).name()))
                .isEqualTo(2);
        assertThat(find("wwwexample.com")).isNotNull();
        put("example.com");
        assertThat(cache.flushSuffix(new byte[1])).as("the root").isEqualTo(2);
        put("example.com");
        assertThat(cache.flush()).isEqualTo(1);
        assertThat(cache.statistics().entries()).isZero();
        assertThat(cache.statistics().bytes()).isZero();
        assertThat(cache.statistics().evictions()).isZero();
    }

    @Test
    void rejectsInvalidLimits() {
        assertThatThrownBy(() -> new AnswerCache(-1, Duration.ZERO)).hasMessageStartingWith("maxBytes: -1");
        assertThatThrownBy(() -> cache.resize(-1)).hasMessageStartingWith("maxBytes: -1");
        assertThatThrownBy(() -> cache.setStaleTime(Duration.ofSeconds(-1))).hasMessageStartingWith("stale: -1s");
    }
}
