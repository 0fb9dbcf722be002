package io.ballast.policy.oidc;

import static io.ballast.policy.oidc.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.testing.HttpRequests;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the cookies of logins and sessions never prevent the next login. */
class OidcLimitsTest {

    /** Uses paths of backslashes, because each of them needs two characters in the JSON text of the cookie. */
    @ParameterizedTest
    @ValueSource(strings = {"/a?q=", "/"})
    void cookieOfALoginIsNotLongerThanTheCallbackAccepts(String start) throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);
            String host = ("a".repeat(60) + ".").repeat(4) + "example";

            assertThat(browser.open("http://" + host + start + "\\".repeat(1000))
                            .status())
                    .isEqualTo(302);
            assertThat(browser.cookies().values()).allMatch(value -> value.length() <= 3072);
        }
    }

    @ParameterizedTest
    @EnumSource
    void largeSessionThatIsRefusedDoesNotPreventLogins(HttpRequests version) throws Exception {
        try (OidcSetup setup = OidcSetup.start()) {
            setup.provider.refreshable = true;
            setup.provider.userClaims = Map.of("sub", "ann", "email", "ann@id.example", "note", "n".repeat(4300));
            TestBrowser browser = new TestBrowser(version, setup.balancer);
            browser.logIn(setup.provider, "/");
            assertThat(browser.cookies().toString()).hasSizeGreaterThan(5500);
            setup.provider.token = exchange -> ScriptedProvider.error(400, "invalid_grant");
            setup.seconds.addAndGet(3600);

            for (int tab = 0; tab < 10; tab++) {
                assertThat(browser.open("/" + "x".repeat(700)).status()).isEqualTo(302);
                assertThat(browser.cookies().toString()).hasSizeLessThan(8000);
            }
            setup.provider.token = null;

            assertThat(location(browser.logIn(setup.provider, "/last"))).isEqualTo("http://a/last");
            assertThat(browser.open("/").status()).isEqualTo(200);
        }
    }
}
