package io.ballast.http.route.key;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.ballast.core.config.HashConfig;
import io.ballast.core.config.HashKey;
import io.ballast.core.config.HashKey.Source;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.route.request.TestRequest;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestKeyTest {

    private static final int MAX_BATCHES = 5_000;

    private final RouteScratch scratch = new RouteScratch(new SplittableRandom(1));

    @ParameterizedTest(name = "{0} and {1}: {2}")
    @CsvSource({"/a, /a, true", "/a, /a?b, true", "/a?c, /a?b, true", "/a, /b, false", "/a, /a/, false", "/a, /A, false"
    })
    void pathWithoutItsQuery(String one, String other, boolean same) {
        RequestKey key = key(HashKey.PATH);

        assertThat(hash(key, get(one)) == hash(key, get(other))).isEqualTo(same);
    }

    @Test
    void usesFirstHeaderLineInAnyCase() {
        RequestKey key = key(new HashKey(Source.HEADER, "X-Tenant"));
        long blue = hash(key, get("/").header("x-tenant", "blue"));

        assertThat(hash(key, get("/other").header("X-TENANT", "blue").header("X-Tenant", "red")))
                .isEqualTo(blue);
        assertThat(hash(key, get("/").header("X-Tenant", "Blue"))).isNotEqualTo(blue);
        assertThat(hash(key, get("/").header("X-Tenan", "blue"))).isEqualTo(RequestKey.NONE);
        assertThat(hash(key, get("/").header("X-Tenant", ""))).isEqualTo(RequestKey.NONE);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "sid=v1                | true",
                "a=b; sid=v1           | true",
                "a=b;sid=v1;sid=v2     | true",
                "a=sid=v1; sid=v1 ; c  | true",
                "sid=v1\t;             | true",
                "; ;sid=v1             | true",
                "SID=v1                | false",
                "xsid=v1               | false",
                "sid =v1               | false",
                "sid                   | false",
                "sid=                  | false",
                "sid=v2; sid=v1        | false",
                "sid=\"v1\"            | false"
            })
    void usesFirstCookie(String line, boolean same) {
        RequestKey key = key(new HashKey(Source.COOKIE, "sid"));
        long expected = hash(key, get("/").header("Cookie", "sid=v1"));

        assertThat(hash(key, get("/").header("cookie", line)) == expected).isEqualTo(same);
    }

    @Test
    void findsCookieInLaterLine() {
        RequestKey key = key(new HashKey(Source.COOKIE, "sid"));

        assertThat(hash(key, get("/").header("Cookie", "a=b").header("Cookie", "sid=v1")))
                .isEqualTo(hash(key, get("/").header("Cookie", "sid=v1")));
        assertThat(hash(key, get("/"))).isEqualTo(RequestKey.NONE);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "/?id=a b, true",
        "/x?id=a+b, true",
        "/x?id=a%20b&id=c, true",
        "/x?y&%69d=a+b, true",
        "/x?y=id=a+b&id=a+b#, false",
        "/x?id=a&id=a+b, false",
        "/x?id, false",
        "/x?id=, false",
        "/x?Id=a+b, false",
        "/id=a+b, false"
    })
    void firstParameterOfANameDecoded(String target, boolean same) {
        RequestKey key = key(new HashKey(Source.QUERY, "id"));
        long expected = hash(key, get("/?id=a+b"));

        assertThat(hash(key, get(target)) == expected).isEqualTo(same);
    }

    @Test
    void otherStrategiesNeedNoKey() {
        assertThat(RequestKey.of(StrategyConfig.of(StrategyKind.HASH))).isNull();
        assertThat(RequestKey.of(StrategyConfig.of(StrategyKind.IP_HASH))).isNull();
        assertThat(RequestKey.of(StrategyConfig.DEFAULT)).isNull();
    }

    @Test
    void hashingAllocatesNothing() {
        assumeTrue(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocations");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<RequestKey> keys = List.of(
                key(HashKey.PATH),
                key(new HashKey(Source.HEADER, "X-Tenant")),
                key(new HashKey(Source.COOKIE, "sid")),
                key(new HashKey(Source.QUERY, "id")));
        RoutedRequest request =
                get("/a/b?id=c+d").header("X-Tenant", "blue").header("Cookie", "a=b; sid=0123456789abcdef");
        long min = Long.MAX_VALUE;

        for (int batch = 0; batch < MAX_BATCHES && min > 0; batch++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            long sum = 0;
            for (int i = 0; i < 1000; i++) {
                for (int k = 0; k < keys.size(); k++) {
                    sum += keys.get(k).hash(request, scratch);
                }
            }
            min = Math.min(min, threads.getCurrentThreadAllocatedBytes() - before);
            assertThat(sum).isNotZero();
        }

        assertThat(min).isZero();
    }

    private long hash(RequestKey key, RoutedRequest request) {
        return key.hash(request, scratch);
    }

    private static RequestKey key(HashKey key) {
        return requireNonNull(
                RequestKey.of(StrategyConfig.of(StrategyKind.HASH).withHash(new HashConfig(key, Optional.empty()))));
    }

    private static TestRequest get(String target) {
        return TestRequest.get("a", target);
    }
}
