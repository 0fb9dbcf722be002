package io.ballast.acme.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ballast.acme.challenge.ChallengeResponder;
import io.ballast.acme.challenge.ChallengeResponse;
import io.ballast.acme.config.AcmeChallenge;
import io.ballast.acme.config.AcmeConfig;
import io.ballast.acme.config.AcmeIssuer;
import io.ballast.acme.config.CertificateKeyType;
import io.ballast.acme.config.ExternalAccount;
import io.ballast.acme.config.HmacKey;
import io.ballast.acme.state.AccountKey;
import io.ballast.acme.state.AcmeDirectory;
import io.ballast.acme.testing.ScriptedAuthority;
import io.ballast.net.tls.SubjectAltNames;
import io.ballast.net.tls.TlsIdentity;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class Acme4jClientTest implements ChallengeResponder {

    private static final String NAME = "shop.example.com";

    @TempDir
    private Path directory;

    private final List<ChallengeResponse> served = new ArrayList<>();
    private final List<ChallengeResponse> published = new ArrayList<>();
    private ScriptedAuthority authority;

    @BeforeEach
    void start() throws Exception {
        authority = new ScriptedAuthority();
        authority.verify(() -> served.size() == 1);
    }

    @AfterEach
    void stop() {
        authority.close();
    }

    @Override
    public void publish(ChallengeResponse response) {
        served.add(response);
        published.add(response);
    }

    @Override
    public void withdraw(ChallengeResponse response) {
        served.remove(response);
    }

    @ParameterizedTest
    @EnumSource
    void ordersWithEachChallenge(AcmeChallenge challenge) throws Exception {
        TlsIdentity issued = client(challenge).order(NAME, Optional.empty());

        assertThat(SubjectAltNames.hosts(issued.certificate())).containsExactly(NAME);
        assertThat(issued.key().getAlgorithm()).isEqualTo("EC");
        assertThat(served).isEmpty();
        assertThat(published).singleElement().satisfies(response -> {
            assertThat(response.name()).isEqualTo(NAME);
            assertThat(response)
                    .isInstanceOf(
                            switch (challenge) {
                                case HTTP_01 -> ChallengeResponse.HttpFile.class;
                                case DNS_01 -> ChallengeResponse.TextRecord.class;
                                case TLS_ALPN_01 -> ChallengeResponse.Handshake.class;
                            });
        });
    }

    @Test
    void wildcardIsVerifiedByNameWithoutAsterisk() throws Exception {
        TlsIdentity issued = client(AcmeChallenge.DNS_01).order("*.example.com", Optional.empty());

        assertThat(SubjectAltNames.hosts(issued.certificate())).containsExactly("*.example.com");
        assertThat(published).extracting(ChallengeResponse::name).containsExactly("example.com");
    }

    @Test
    void accountIsCreatedOnceAndFoundAfterRestart() throws Exception {
        AcmeClient first = client(AcmeChallenge.HTTP_01);
        first.order(NAME, Optional.empty());
        first.order(NAME, Optional.empty());
        client(AcmeChallenge.HTTP_01).order(NAME, Optional.empty());

        assertThat(accountRequests()).hasSize(2);
        assertThat(accountRequests().get(0))
                .contains("termsOfServiceAgreed\":true")
                .contains("mailto:ops@example.com");
        assertThat(accountRequests().get(1)).contains("onlyReturnExisting");
    }

    @Test
    void accountIsCreatedAgainIfAuthorityHasLostIt() throws Exception {
        client(AcmeChallenge.HTTP_01).order(NAME, Optional.empty());
        authority.forgetAccount();

        client(AcmeChallenge.HTTP_01).order(NAME, Optional.empty());

        assertThat(accountRequests()).hasSize(3);
    }

    @Test
    void externalAccountIsBound() throws Exception {
        ExternalAccount account =
                new ExternalAccount("kid-1", new HmacKey("zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3M"));
        AcmeConfig config = new AcmeConfig(
                List.of(issuer(Optional.of(account), Optional.empty())),
                AcmeChallenge.HTTP_01,
                CertificateKeyType.RSA2048,
                Optional.empty(),
                Optional.empty());

        TlsIdentity issued = client(config).order(NAME, Optional.empty());

        assertThat(accountRequests()).singleElement().asString().contains("externalAccountBinding");
        assertThat(issued.key().getAlgorithm()).isEqualTo("RSA");
    }

    @Test
    void rejectedNonceIsRetried() throws Exception {
        authority.rejectNonces(2);

        assertThat(client(AcmeChallenge.HTTP_01).order(NAME, Optional.empty())).isNotNull();
    }

    @Test
    void failedVerificationHasReasonAndIsWithdrawn() throws Exception {
        authority.verify(() -> false);
        AcmeClient client = client(AcmeChallenge.HTTP_01);

        OrderException failure = catchThrowableOfType(OrderException.class, () -> client.order(NAME, Optional.empty()));

        assertThat(failure).hasMessage("the CA refused shop.example.com: wrong response");
        assertThat(failure.kind()).isEqualTo(OrderException.Kind.NOT_VERIFIED);
        assertThat(served).isEmpty();
    }

    @Test
    void interruptedOrderIsNoFailure() throws Exception {
        Thread orderer = Thread.currentThread();
        authority.verify(() -> {
            orderer.interrupt();
            return true;
        });
        AcmeClient client = client(AcmeChallenge.HTTP_01);

        assertThatThrownBy(() -> client.order(NAME, Optional.empty())).isInstanceOf(InterruptedException.class);

        boolean unused = Thread.interrupted(); // the HTTP client may leave the interrupt flag set
        assertThat(served).isEmpty();
    }

    @Test
    void rateLimitHasTime() throws Exception {
        authority.refuseOrders("rateLimited", "too many certificates");
        AcmeClient client = client(AcmeChallenge.HTTP_01);

        OrderException failure = catchThrowableOfType(OrderException.class, () -> client.order(NAME, Optional.empty()));

        assertThat(failure).hasMessageContaining("too many certificates");
        assertThat(failure.retryAfter()).contains(Instant.parse("2099-01-01T00:00:00Z"));
        assertThat(failure.kind()).isEqualTo(OrderException.Kind.REFUSED);
    }

    @Test
    void unreachableAuthorityIsNamed() throws Exception {
        URI closed = authority.directory();
        AcmeClient client = client(AcmeChallenge.HTTP_01);
        authority.close();

        OrderException failure = catchThrowableOfType(OrderException.class, () -> client.order(NAME, Optional.empty()));

        assertThat(failure).hasMessageStartingWith("cannot reach " + closed);
        assertThat(failure.kind()).isEqualTo(OrderException.Kind.UNREACHABLE);
    }

    @Test
    void untrustedAuthorityIsRefused() throws Exception {
        AcmeClient client = client(AcmeConfig.of(authority.directory(), AcmeChallenge.HTTP_01));

        OrderException failure = catchThrowableOfType(OrderException.class, () -> client.order(NAME, Optional.empty()));

        assertThat(failure).hasMessageContaining("certif");
        assertThat(authority.requests()).isEmpty();
    }

    @Test
    void profileIsRequested() throws Exception {
        AcmeConfig config = AcmeConfig.of(authority.directory(), AcmeChallenge.HTTP_01)
                .withIssuers(List.of(issuer(Optional.empty(), Optional.of("shortlived"))));
        authority.offerProfile("shortlived");

        client(config).order(NAME, Optional.empty());

        assertThat(authority.requests())
                .anyMatch(request -> request.startsWith("/order ") && request.contains("\"profile\":\"shortlived\""));
    }

    @Test
    void suggestionIsRead() throws Exception {
        authority.suggestRenewals();
        AcmeClient client = client(AcmeChallenge.HTTP_01);
        TlsIdentity issued = client.order(NAME, Optional.empty());

        RenewalWindow window = client.renewalWindow(issued.certificate()).orElseThrow();

        assertThat(window.start()).isEqualTo(Instant.parse("2030-01-01T00:00:00Z"));
        assertThat(window.end()).isEqualTo(Instant.parse("2030-01-03T00:00:00Z"));
        client.order(NAME, Optional.of(issued.certificate()));
        assertThat(authority.requests()).anyMatch(request -> request.contains("\"replaces\":"));
    }

    @Test
    void authorityWithoutSuggestionsIsNotAsked() throws Exception {
        AcmeClient client = client(AcmeChallenge.HTTP_01);
        TlsIdentity issued = client.order(NAME, Optional.empty());

        assertThat(client.renewalWindow(issued.certificate())).isEmpty();
        client.order(NAME, Optional.of(issued.certificate()));
        assertThat(authority.requests()).noneMatch(request -> request.contains("\"replaces\":"));
    }

    @Test
    void revokesOnceAndAcceptsThatItIsRevoked() throws Exception {
        AcmeClient client = client(AcmeChallenge.HTTP_01);
        TlsIdentity issued = client.order(NAME, Optional.empty());

        client.revoke(issued.certificate(), RevocationCode.KEY_COMPROMISE);
        client.revoke(issued.certificate(), RevocationCode.KEY_COMPROMISE);

        assertThat(authority.requests().stream().filter(request -> request.startsWith("/revoke ")))
                .hasSize(2)
                .allMatch(request -> request.contains("\"reason\":1"));
    }

    private List<String> accountRequests() {
        return authority.requests().stream()
                .filter(request -> request.startsWith("/account "))
                .toList();
    }

    private AcmeClient client(AcmeChallenge challenge) throws Exception {
        return client(AcmeConfig.of(authority.directory(), challenge)
                .withIssuers(List.of(issuer(Optional.empty(), Optional.empty()))));
    }

    private AcmeIssuer issuer(Optional<ExternalAccount> account, Optional<String> profile) throws Exception {
        return new AcmeIssuer(
                "scripted",
                authority.directory(),
                Optional.of("ops@example.com"),
                account,
                Optional.of(authority.trusted(directory)),
                profile);
    }

    private AcmeClient client(AcmeConfig config) throws Exception {
        Path data = Files.createDirectories(directory.resolve("data"));
        AcmeIssuer issuer = config.issuers().get(0);
        return new Acme4jClient(config, issuer, new AccountKey(new AcmeDirectory(data, issuer)), this);
    }
}
