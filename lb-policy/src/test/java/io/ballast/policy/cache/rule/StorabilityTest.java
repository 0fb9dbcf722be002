package io.ballast.policy.cache.rule;

import static io.ballast.policy.cache.rule.TestResponse.cacheControl;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorabilityTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max-age=60",
                "s-maxage=60",
                "public, max-age=60",
                "max-age=60, must-revalidate",
                "max-age=0, stale-while-revalidate=60",
                "max-age=60, no-store, must-understand"
            })
    void storesFreshResponses(String directives) {
        assertThat(cacheControl(directives).isStorable()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no-store",
                "max-age=60, no-store",
                "private, max-age=60",
                "max-age=60, private=\"x\"",
                "max-age=0",
                "public",
                "no-cache",
                "max-age=60, no-cache"
            })
    void storesNoOtherResponses(String directives) {
        assertThat(cacheControl(directives).isStorable()).isFalse();
    }

    @Test
    void storesResponsesThatCanBeRevalidated() {
        assertThat(cacheControl("no-cache").with("ETag", "\"a\"").isStorable()).isTrue();
        assertThat(cacheControl("max-age=0").withDate("Last-Modified", -10).isStorable())
                .isTrue();
        assertThat(TestResponse.of(200).with("ETag", "\"a\"").isStorable()).isFalse();
    }

    @Test
    void storesNoResponseWithCookie() {
        assertThat(cacheControl("public, max-age=60").with("Set-Cookie", "a=b").isStorable())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 103, 206, 304, 400, 412, 413, 416, 417, 431})
    void storesNoResponseThatDependsOnOneRequest(int status) {
        assertThat(TestResponse.of(status).with("Cache-Control", "max-age=60").isStorable())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 299, 301, 404, 410, 500, 503, 599})
    void storesExplicitlyFreshResponsesOfAnyStatus(int status) {
        assertThat(TestResponse.of(status).with("Cache-Control", "max-age=60").isStorable())
                .isTrue();
    }

    @Test
    void mustUnderstandNeedsAKnownStatus() {
        assertThat(TestResponse.of(599)
                        .with("Cache-Control", "max-age=60, no-store, must-understand")
                        .isStorable())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "*, *", ", *", "*, Foo", "Foo, *"})
    void storesNoResponseThatVariesWithEverything(String vary) {
        assertThat(cacheControl("max-age=60").with("Vary", vary).isStorable()).isFalse();
    }

    @Test
    void storesNoResponseThatVariesWithManyHeaders() {
        StringBuilder vary = new StringBuilder("h0");
        for (int i = 1; i <= VaryRule.MAX_NAMES; i++) {
            vary.append(", h").append(i);
        }

        assertThat(cacheControl("max-age=60").with("Vary", vary.toString()).isStorable())
                .isFalse();
    }

    @Test
    void storesResponsesThatAreStaleOnArrivalOnlyIfTheyCanBeUsed() {
        TestResponse stale = cacheControl("max-age=60").with("Age", "100");
        assertThat(stale.isStorable()).isFalse();
        assertThat(stale.with("ETag", "\"a\"").isStorable()).isTrue();
    }

    @Test
    void targetedFieldReplacesCacheControl() {
        assertThat(cacheControl("no-store")
                        .with("CDN-Cache-Control", "max-age=60")
                        .isStorable())
                .isTrue();
        assertThat(cacheControl("max-age=60")
                        .with("CDN-Cache-Control", "private")
                        .isStorable())
                .isFalse();
        assertThat(cacheControl("no-store")
                        .with("CDN-Cache-Control", "max-age=60, &&")
                        .isStorable())
                .isFalse();
    }

    @Test
    void defaultLifetimeMakesResponsesStorable() {
        assertThat(TestResponse.of(200).isStorable()).isFalse();
        assertThat(TestResponse.of(200).defaults(new CacheDefaults(60, 0, 0)).isStorable())
                .isTrue();
        assertThat(TestResponse.of(500).defaults(new CacheDefaults(60, 0, 0)).isStorable())
                .isFalse();
    }
}
