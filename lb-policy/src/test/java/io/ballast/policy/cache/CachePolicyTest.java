package io.ballast.policy.cache;

import static io.ballast.policy.cache.CacheSetup.FRESH;
import static io.ballast.policy.cache.CacheSetup.ok;
import static io.ballast.policy.cache.CacheSetup.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import io.ballast.policy.testing.TestPolicies;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests hits and misses with real requests of both HTTP versions. */
class CachePolicyTest {

    private final CacheSetup setup = new CacheSetup();
    private final CachePolicy cache = setup.cache();

    @AfterEach
    void close() {
        setup.close();
    }

    private long count(CacheOutcome outcome) {
        return CacheSetup.count(cache, outcome);
    }

    @ParameterizedTest
    @EnumSource
    void freshResponsesAreReused(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(ok("hello", FRESH, "X-Kept: yes", "Keep-Alive: timeout=5"));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            assertThat(CacheSetup.get(http, balancer, "/a?b=c").body()).isEqualTo("hello");
            setup.advance(7);
            Answer hit = CacheSetup.get(http, balancer, "/a?b=c");

            assertThat(hit.status()).isEqualTo(200);
            assertThat(hit.body()).isEqualTo("hello");
            assertThat(hit.headers("age")).containsExactly("7");
            assertThat(hit.headers("x-kept")).containsExactly("yes");
            assertThat(hit.headers("date")).containsExactly("Thu, 01 Jan 1970 00:00:00 GMT");
            assertThat(hit.headers("content-length")).containsExactly("5");
            assertThat(hit.headers("cache-status")).containsExactly("Ballast; hit; ttl=53; detail=hit");
            assertThat(hit.headers("keep-alive")).isEmpty();
            assertThat(backend.requests()).hasSize(1);
            assertThat(count(CacheOutcome.HIT)).isEqualTo(1);
            assertThat(count(CacheOutcome.MISS)).isEqualTo(1);
            assertThat(count(CacheOutcome.STORED)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherUrlsAreOtherResponses(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(ok("1", FRESH), ok("2", FRESH), ok("3", FRESH), ok("4", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("1");
            assertThat(CacheSetup.get(http, balancer, "/a?").body()).isEqualTo("2");
            assertThat(CacheSetup.get(http, balancer, "/A").body()).isEqualTo("3");
            assertThat(CacheSetup.get(http, balancer, "/%61").body()).isEqualTo("4");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void staleResponsesWithoutValidatorAreReplaced(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(ok("old", FRESH), ok("new", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");
            setup.advance(60);

            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("new");
            assertThat(CacheSetup.get(http, balancer, "/a").headers("age")).containsExactly("0");
            assertThat(backend.requests()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void bodiesOfUnknownLengthAreStored(HttpRequests http) throws Exception {
        String chunked = "HTTP/1.1 200 OK\r\n" + FRESH + "\r\nTransfer-Encoding: chunked\r\n\r\n";
        try (TestBackend backend = TestBackend.playing(
                        Script.answer(chunked + "3\r\nhel\r\n2\r\nlo\r\n0\r\nX-Trailer: a\r\n\r\n"));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            assertThat(CacheSetup.get(http, balancer, "/a").body()).contains("hel");
            Answer hit = CacheSetup.get(http, balancer, "/a");

            assertThat(hit.body()).isEqualTo("hello");
            assertThat(hit.headers("content-length")).containsExactly("5");
            assertThat(hit.headers("transfer-encoding")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void largeBodiesAreSentWhole(HttpRequests http) throws Exception {
        String body = "0123456789abcdef".repeat(8000);
        try (TestBackend backend = TestBackend.playing(ok(body, FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo(body);
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo(body);
            assertThat(backend.requests()).hasSize(1);
            balancer.awaitQuiet();
        }
    }

    @ParameterizedTest
    @EnumSource
    void tooLargeBodiesAreNotStored(HttpRequests http) throws Exception {
        String body = "x".repeat((int) CacheSetup.MEMORY / 8 + 1);
        String chunks = Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n";
        String chunked = "HTTP/1.1 200 OK\r\n" + FRESH + "\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks;
        try (TestBackend backend = TestBackend.playing(ok(body, FRESH), Script.answer(chunked), ok("small", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo(body);
            assertThat(CacheSetup.get(http, balancer, "/a").body()).contains(body);
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("small");
            assertThat(count(CacheOutcome.UNCACHEABLE)).isEqualTo(2);
            assertThat(cache.store().usedBytes()).isLessThan(5000);
        }
    }

    @ParameterizedTest
    @EnumSource
    void brokenBodiesAreNotStored(HttpRequests http) throws Exception {
        String head = "HTTP/1.1 200 OK\r\n" + FRESH + "\r\n";
        try (TestBackend backend = TestBackend.playing(
                        Script.answerAndClose(head + "\r\nuntil the end"), ok("whole", FRESH), ok("other", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("whole");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("whole");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP_1,Authorization,Basic abc",
        "HTTP_2,Authorization,Bearer abc",
        "HTTP_1,If-Match,*",
        "HTTP_1,Upgrade,other"
    })
    void requestsWithCredentialsPassBy(HttpRequests http, String name, String value) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        ok("1", "Cache-Control: public, s-maxage=60"), ok("2", FRESH), ok("3", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            assertThat(CacheSetup.get(http, balancer, "/a", name, value).body()).isEqualTo("1");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("2");
            assertThat(CacheSetup.get(http, balancer, "/a", name, value).body()).isEqualTo("3");
            assertThat(count(CacheOutcome.BYPASS)).isEqualTo(2);
        }
    }

    @Test
    void anOfferOfHttp2IsIgnored() throws Exception {
        try (TestBackend backend = TestBackend.playing(ok("1", FRESH), ok("2", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(HttpRequests.HTTP_1, balancer, "/a");

            Answer hit = CacheSetup.get(
                    HttpRequests.HTTP_1, balancer, "/a", "Upgrade", "h2c", "Connection", "Upgrade, HTTP2-Settings");
            assertThat(hit.body()).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestsOfARouteThatAuthenticatesPassBy(HttpRequests http) throws Exception {
        NamedPolicy login = new TestPolicy("login", Phase.IDENTITY, exchange -> PolicyDecision.PASS).named();
        try (TestBackend backend = TestBackend.playing(ok("1", FRESH), ok("2", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, login, HttpRequests.named("cache", cache))) {
            CacheSetup.get(http, balancer, "/a");

            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("2");
        }
    }

    @ParameterizedTest
    @EnumSource
    void responsesWithCookiesAreNotStored(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(ok("1", FRESH, "Set-Cookie: a=b"), ok("2", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            assertThat(CacheSetup.get(http, balancer, "/a").headers("set-cookie"))
                    .containsExactly("a=b");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("2");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("2");
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestsWithABodyPassBy(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(ok("1", FRESH), ok("2", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");
            assertThat(CacheSetup.get(http, balancer, "/a", "Content-Length", "0")
                            .body())
                    .isEqualTo("1");
            assertThat(http.send(balancer, "OPTIONS", "/a").body()).isEqualTo("2");
            assertThat(count(CacheOutcome.BYPASS)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void headIsAnsweredFromAGetAndStoresNothing(HttpRequests http) throws Exception {
        Script head = Script.answer("HTTP/1.1 200 OK\r\n" + FRESH + "\r\nContent-Length: 99\r\n\r\n");
        try (TestBackend backend = TestBackend.playing(head, ok("hello", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            assertThat(sendHead(http, balancer).headers("content-length")).containsExactly("99");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("hello");
            Answer hit = sendHead(http, balancer);

            assertThat(hit.headers("content-length")).containsExactly("5");
            assertThat(hit.headers("age")).containsExactly("0");
            assertThat(backend.requests()).hasSize(2);
        }
    }

    private static Answer sendHead(HttpRequests http, TestBalancer balancer) {
        if (http == HttpRequests.HTTP_2) {
            return http.send(balancer, "HEAD", "/a");
        }
        try (RawClient client = balancer.client()) {
            RawResponse head =
                    client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n").readToHead();
            return new Answer(head.status(), List.of(head.head().split("\r\n")), "");
        }
    }

    @ParameterizedTest
    @EnumSource
    void varySelectsResponses(HttpRequests http) throws Exception {
        String vary = "Vary: Accept-Language, X-A";
        try (TestBackend backend =
                        TestBackend.playing(ok("en", FRESH, vary), ok("de", FRESH, vary), ok("-", FRESH, vary));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            assertThat(CacheSetup.get(http, balancer, "/a", "Accept-Language", "en")
                            .body())
                    .isEqualTo("en");
            assertThat(CacheSetup.get(http, balancer, "/a", "Accept-Language", "de")
                            .body())
                    .isEqualTo("de");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("-");
            assertThat(CacheSetup.get(http, balancer, "/a", "Accept-Language", "EN")
                            .body())
                    .isEqualTo("en");
            assertThat(CacheSetup.get(http, balancer, "/a", "Accept-Language", "de", "X-B", "1")
                            .body())
                    .isEqualTo("de");
            assertThat(backend.requests()).hasSize(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void headersOutsideOfTheKeyCannotPoison(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(ok("evil", FRESH), ok("good", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            assertThat(CacheSetup.get(http, balancer, "/a", "X-Original-URL", "/evil")
                            .body())
                    .isEqualTo("evil");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("good");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("good");
        }
    }

    /** Tests a name with underscores too, because a backend may read an underscore as a hyphen. */
    @ParameterizedTest
    @EnumSource
    void otherSpellingsOfTheseHeadersCannotPoison(HttpRequests http) throws Exception {
        for (String name : List.of("X_Original_URL", "Forwarded")) {
            try (TestBackend backend = TestBackend.playing(ok("evil", FRESH), ok("good", FRESH));
                    TestBalancer balancer = TestPolicies.start(backend, setup.cache())) {
                CacheSetup.get(http, balancer, "/a", name, "host=evil");

                assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("good");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsGetWhatTheyLack(HttpRequests http) throws Exception {
        String modified = "Wed, 25 Nov 2026 12:00:00 GMT";
        try (TestBackend backend = TestBackend.playing(ok(
                        "0123456789", FRESH, "ETag: \"a\"", "Last-Modified: " + modified, "Content-Type: text/plain"));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");

            Answer unchanged = CacheSetup.get(http, balancer, "/a", "If-None-Match", "\"b\", W/\"a\"");
            assertThat(unchanged.status()).isEqualTo(304);
            assertThat(unchanged.headers("etag")).containsExactly("\"a\"");
            assertThat(unchanged.headers("content-type")).isEmpty();
            assertThat(CacheSetup.get(http, balancer, "/a", "If-Modified-Since", modified)
                            .status())
                    .isEqualTo(304);
            assertThat(CacheSetup.get(http, balancer, "/a", "If-None-Match", "\"b\"")
                            .body())
                    .isEqualTo("0123456789");

            Answer part = CacheSetup.get(http, balancer, "/a", "Range", "bytes=2-4");
            assertThat(part.status()).isEqualTo(206);
            assertThat(part.body()).isEqualTo("234");
            assertThat(part.headers("content-range")).containsExactly("bytes 2-4/10");
            assertThat(part.headers("content-length")).containsExactly("3");
            assertThat(CacheSetup.get(http, balancer, "/a", "Range", "bytes=2-4", "If-Range", "\"b\"")
                            .status())
                    .isEqualTo(200);
            assertThat(CacheSetup.get(http, balancer, "/a", "Range", "bytes=0-1,3-4")
                            .status())
                    .isEqualTo(200);
            Answer outside = CacheSetup.get(http, balancer, "/a", "Range", "bytes=10-");
            assertThat(outside.status()).isEqualTo(416);
            assertThat(outside.headers("content-range")).containsExactly("bytes */10");
            assertThat(backend.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void partsAndConfirmationsAreNotStored(HttpRequests http) throws Exception {
        Script part = Script.answer("HTTP/1.1 206 Partial Content\r\n" + FRESH
                + "\r\nContent-Range: bytes 0-1/5\r\nContent-Length: 2\r\n\r\nhe");
        try (TestBackend backend = TestBackend.playing(part, status("304 Not Modified", FRESH), ok("hello", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            assertThat(CacheSetup.get(http, balancer, "/a", "Range", "bytes=0-1")
                            .body())
                    .isEqualTo("he");
            assertThat(CacheSetup.get(http, balancer, "/a", "If-None-Match", "\"a\"")
                            .status())
                    .isEqualTo(304);
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("hello");
            assertThat(CacheSetup.get(http, balancer, "/a", "Range", "bytes=0-1")
                            .body())
                    .isEqualTo("he");
            assertThat(backend.requests()).hasSize(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void responsesWithoutBodyAreStored(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        Script.answer("HTTP/1.1 204 No Content\r\n" + FRESH + "\r\n\r\n"),
                        status("404 Not Found", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");
            CacheSetup.get(http, balancer, "/b");

            assertThat(CacheSetup.get(http, balancer, "/a").status()).isEqualTo(204);
            assertThat(CacheSetup.get(http, balancer, "/b").status()).isEqualTo(404);
            assertThat(backend.requests()).hasSize(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"HTTP_1,POST", "HTTP_2,DELETE", "HTTP_1,M-SEARCH"})
    void unsafeRequestsRemoveResponses(HttpRequests http, String method) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        ok("1", FRESH),
                        ok("2", FRESH),
                        status("500 Failed"),
                        status("201 Created", "Location: /b", "Content-Location: http://other/a"),
                        ok("3", FRESH),
                        ok("4", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a");
            CacheSetup.get(http, balancer, "/b");
            http.send(balancer, method, "/a", "Content-Length", "0");
            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("1");

            http.send(balancer, method, "/a", "Content-Length", "0");

            assertThat(CacheSetup.get(http, balancer, "/a").body()).isEqualTo("3");
            assertThat(CacheSetup.get(http, balancer, "/b").body()).isEqualTo("4");
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsMayAcceptOnlyStoredResponses(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(ok("1", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            assertThat(CacheSetup.get(http, balancer, "/a", "Cache-Control", "only-if-cached")
                            .status())
                    .isEqualTo(504);
            CacheSetup.get(http, balancer, "/a");
            assertThat(CacheSetup.get(http, balancer, "/a", "Cache-Control", "only-if-cached")
                            .status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void operatorsRemoveResponses(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(ok("1", FRESH, "Cache-Tag: red, blue"), ok("2", FRESH));
                TestBalancer balancer = TestPolicies.start(backend, cache)) {
            CacheSetup.get(http, balancer, "/a/1");
            CacheSetup.get(http, balancer, "/a/2");

            assertThat(purge("", "green")).isZero();
            assertThat(purge("http://a/a/2", "blue")).isZero();
            assertThat(purge("", "blue")).isEqualTo(1);
            assertThat(purge("HTTP://A/a/1", "")).isZero();
            assertThat(purge("http://A*", "green")).isZero();
            assertThat(purge("http://A/a/*", "")).isEqualTo(1);
            assertThat(CacheSetup.get(http, balancer, "/a/1").body()).isEqualTo("2");
            assertThat(purge("HTTP://A/a/1", "")).isEqualTo(1);
            assertThat(CacheSetup.get(http, balancer, "/").body()).isEqualTo("2");
            assertThat(purge("http://a", "")).isEqualTo(1);
            CacheSetup.get(http, balancer, "/");
            assertThat(purge("", "")).isEqualTo(1);
        }
    }

    private int purge(String url, String tag) {
        return cache.purge(
                Optional.of(url).filter(text -> !text.isEmpty()),
                Optional.of(tag).filter(text -> !text.isEmpty()));
    }
}
