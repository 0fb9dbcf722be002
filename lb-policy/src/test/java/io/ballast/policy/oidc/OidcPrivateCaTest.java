package io.ballast.policy.oidc;

import static io.ballast.policy.oidc.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.net.fetch.CaFile;
import io.ballast.net.testing.TestCertificate;
import io.ballast.policy.config.oidc.OidcClient;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.testing.Await;
import io.ballast.policy.testing.HttpRequests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests a provider whose certificate a private CA has issued. */
class OidcPrivateCaTest {

    private static final TestCertificate CERTIFICATE = TestCertificate.create();

    private static OidcSetup start(Optional<TestCertificate> trusted) throws Exception {
        return OidcSetup.start(
                provider -> {
                    provider.close();
                    try {
                        return ScriptedProvider.overTls(provider.clock(), CERTIFICATE);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                config -> withCa(config, trusted.map(OidcPrivateCaTest::file)));
    }

    private static CaFile file(TestCertificate certificate) {
        try {
            return CaFile.parse(Path.of("ca.pem"), certificate.certificatePem());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static OidcConfig withCa(OidcConfig config, Optional<CaFile> ca) {
        OidcClient client = config.client();
        return new OidcConfig(
                new OidcClient(
                        client.issuer(),
                        client.allowHttp(),
                        client.clientId(),
                        client.secret(),
                        client.secretFile(),
                        client.scopes(),
                        ca),
                config.pages(),
                config.cookie(),
                config.required(),
                config.headers(),
                config.identity(),
                config.session());
    }

    @Test
    void providerOfAPrivateCaLogsUsersIn() throws Exception {
        try (OidcSetup setup = start(Optional.of(CERTIFICATE))) {
            TestBrowser browser = new TestBrowser(HttpRequests.HTTP_1, setup.balancer);

            assertThat(location(browser.logIn(setup.provider, "/a")))
                    .isEqualTo("http://a/a"); // fetches the discovery document, the tokens and the keys
            assertThat(browser.open("/a").status()).isEqualTo(200);
        }
    }

    @Test
    void providerOfAnotherCaIsNotTrusted() throws Exception {
        for (Optional<TestCertificate> trusted :
                List.of(Optional.<TestCertificate>empty(), Optional.of(TestCertificate.create()))) {
            try (OidcSetup setup = start(trusted)) {
                Await.until(() -> !setup.events.isEmpty());

                assertThat(setup.events.get(0)).contains("unreachable");
                assertThat(new TestBrowser(HttpRequests.HTTP_1, setup.balancer)
                                .open("/")
                                .status())
                        .isEqualTo(503);
            }
        }
    }
}
