package io.ballast.policy.cache.rule;

import static io.ballast.policy.cache.rule.TestResponse.cacheControl;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.cache.rule.Validity.Use;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FreshnessTest {

    private static final long SECOND = 1_000_000_000;

    private static CacheDirectives request(String value) {
        return CacheDirectives.parse(List.of(value));
    }

    private static Use use(TestResponse response, long seconds) {
        return response.validity().use(seconds * SECOND, CacheDirectives.NONE);
    }

    @Test
    void sharedLifetimeTakesPrecedence() {
        assertThat(cacheControl("max-age=60, s-maxage=5").lifetime()).isEqualTo(new FreshnessLifetime(5, true));
        assertThat(cacheControl("max-age=60").withDate("Expires", 5).lifetime().seconds())
                .isEqualTo(60);
        assertThat(cacheControl("max-age=60")
                        .with("CDN-Cache-Control", "max-age=7")
                        .lifetime()
                        .seconds())
                .isEqualTo(7);
    }

    @Test
    void expiresIsRelativeToDate() {
        assertThat(TestResponse.of(200)
                        .withDate("Date", 10)
                        .withDate("Expires", 25)
                        .lifetime()
                        .seconds())
                .isEqualTo(15);
        assertThat(TestResponse.of(200).withDate("Expires", -25).lifetime()).isEqualTo(new FreshnessLifetime(0, true));
        assertThat(TestResponse.of(200).with("Expires", "0").lifetime()).isEqualTo(new FreshnessLifetime(0, true));
    }

    @Test
    void heuristicLifetimeIsATenthOfTheTimeSinceTheModification() {
        assertThat(TestResponse.of(200).withDate("Last-Modified", -1000).lifetime())
                .isEqualTo(new FreshnessLifetime(100, false));
        assertThat(TestResponse.of(200)
                        .withDate("Last-Modified", -100_000_000)
                        .lifetime()
                        .seconds())
                .isEqualTo(86_400);
        assertThat(TestResponse.of(200)
                        .withDate("Last-Modified", 1000)
                        .lifetime()
                        .seconds())
                .isZero();
        assertThat(TestResponse.of(503)
                        .withDate("Last-Modified", -1000)
                        .lifetime()
                        .seconds())
                .isZero();
        assertThat(TestResponse.of(599)
                        .with("Cache-Control", "public")
                        .withDate("Last-Modified", -1000)
                        .lifetime()
                        .seconds())
                .isEqualTo(100);
    }

    @Test
    void responsesToCookiesHaveNoImplicitLifetime() {
        assertThat(TestResponse.of(200)
                        .withDate("Last-Modified", -1000)
                        .toCookie()
                        .lifetime()
                        .seconds())
                .isZero();
        assertThat(TestResponse.of(200)
                        .defaults(new CacheDefaults(60, 0, 0))
                        .toCookie()
                        .lifetime()
                        .seconds())
                .isZero();
        assertThat(cacheControl("max-age=60").toCookie().lifetime().seconds()).isEqualTo(60);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "30|30",
                "abc|0",
                "-7200|0",
                "7200.0|0",
                "7200, 0|7200",
                "0, 7200|0",
                "2147483649|2147483647",
                "''|0"
            })
    void readsTheFirstAge(String age, int seconds) {
        assertThat(cacheControl("max-age=60").with("Age", age).metadata().ageSeconds())
                .isEqualTo(seconds);
    }

    @Test
    void ageIsAtLeastTheTimeSinceDate() {
        assertThat(cacheControl("max-age=60").withDate("Date", -40).metadata().ageSeconds())
                .isEqualTo(40);
        assertThat(cacheControl("max-age=60")
                        .withDate("Date", -40)
                        .with("Age", "50")
                        .metadata()
                        .ageSeconds())
                .isEqualTo(50);
        assertThat(cacheControl("max-age=60").with("Date", "foo").metadata().ageSeconds())
                .isZero();
    }

    @Test
    void ageContainsTheTimeOfTheRequest() {
        HeaderLines lines = new HeaderLines(List.of(new HeaderLines.Line("Age", "5")));

        assertThat(ResponseMetadata.of(200, lines, TestResponse.NOW - 3000, TestResponse.NOW)
                        .ageSeconds())
                .isEqualTo(8);
    }

    @Test
    void becomesStaleWhenItsAgeReachesItsLifetime() {
        TestResponse response = cacheControl("max-age=60").with("Age", "10");

        assertThat(use(response, 49)).isEqualTo(Use.DIRECT);
        assertThat(use(response, 50)).isEqualTo(Use.AFTER_VALIDATION);
    }

    @Test
    void staleWhileRevalidateHasAWindow() {
        TestResponse response = cacheControl("max-age=10, stale-while-revalidate=5");

        assertThat(use(response, 9)).isEqualTo(Use.DIRECT);
        assertThat(use(response, 15)).isEqualTo(Use.WHILE_REVALIDATING);
        assertThat(use(response, 16)).isEqualTo(Use.AFTER_VALIDATION);
    }

    @ParameterizedTest
    @CsvSource({"must-revalidate", "proxy-revalidate", "no-cache"})
    void directivesForbidStaleUse(String directive) {
        TestResponse response = cacheControl("max-age=10, stale-while-revalidate=5, stale-if-error=5, " + directive)
                .defaults(new CacheDefaults(0, 60, 60));

        assertThat(use(response, 12)).isEqualTo(Use.AFTER_VALIDATION);
        assertThat(response.validity().allowsErrors(12 * SECOND)).isFalse();
    }

    @Test
    void configuredStaleUseDoesNotApplyToSharedLifetimes() {
        CacheDefaults defaults = new CacheDefaults(0, 60, 60);

        assertThat(use(cacheControl("max-age=10").defaults(defaults), 12)).isEqualTo(Use.WHILE_REVALIDATING);
        assertThat(use(cacheControl("s-maxage=10").defaults(defaults), 12)).isEqualTo(Use.AFTER_VALIDATION);
        assertThat(use(cacheControl("s-maxage=10, stale-while-revalidate=5").defaults(defaults), 12))
                .isEqualTo(Use.WHILE_REVALIDATING);
    }

    @Test
    void staleIfErrorHasAWindow() {
        Validity validity = cacheControl("max-age=10, stale-if-error=5").validity();

        assertThat(validity.allowsErrors(15 * SECOND)).isTrue();
        assertThat(validity.allowsErrors(16 * SECOND)).isFalse();
    }

    @Test
    void noCacheIsAlwaysValidated() {
        assertThat(use(cacheControl("max-age=60, no-cache"), 0)).isEqualTo(Use.AFTER_VALIDATION);
    }

    @ParameterizedTest
    @CsvSource({
        "no-cache,0,AFTER_VALIDATION",
        "max-age=5,5,DIRECT",
        "max-age=5,6,AFTER_VALIDATION",
        "max-age=0,1,AFTER_VALIDATION",
        "min-fresh=10,50,DIRECT",
        "min-fresh=10,51,AFTER_VALIDATION",
        "nothing-to-see-here,59,DIRECT"
    })
    void clientsMayRequireFresherResponses(String directives, long seconds, Use expected) {
        assertThat(cacheControl("max-age=60").validity().use(seconds * SECOND, request(directives)))
                .isEqualTo(expected);
    }
}
