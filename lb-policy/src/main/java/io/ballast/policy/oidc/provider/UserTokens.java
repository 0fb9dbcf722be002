package io.ballast.policy.oidc.provider;

import io.ballast.core.ErrorText;
import io.ballast.net.fetch.FetchClient;
import io.ballast.policy.config.oidc.OidcClient;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.jwt.token.TokenClaims;
import io.ballast.policy.oidc.provider.IdTokenVerifier.Expected;
import io.ballast.policy.oidc.provider.Provider.Known;
import io.ballast.policy.oidc.provider.ProviderException.Kind;
import io.ballast.policy.work.PolicyEnvironment;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Obtains verified claims of users from an OpenID provider. At most {@value #MAX_IN_FLIGHT} exchanges are in progress.
 *
 * <p>Thread safety: all methods may be called concurrently; they do not block. Futures complete on threads of the client
 * that all policies share.
 */
public final class UserTokens implements AutoCloseable {

    static final int MAX_IN_FLIGHT = 64;

    private final Provider provider;
    private final TokenEndpoint endpoint;
    private final IdTokenVerifier verifier;
    private final ProviderReport report;
    private final Set<String> needed;
    private final LongSupplier millis;
    private final AtomicInteger inFlight = new AtomicInteger();

    private UserTokens(OidcConfig config, PolicyEnvironment environment) {
        OidcClient client = config.client();
        FetchClient fetch = environment.downloads().client(client.ca());
        ProviderClient http = new ProviderClient(fetch, ProviderClient.DEADLINE);
        this.report = new ProviderReport(client.issuer(), environment.events(), environment.nanoTime());
        this.provider = new Provider(client, http, report, environment.downloads(), environment.nanoTime());
        this.endpoint = new TokenEndpoint(client, http);
        this.verifier = new IdTokenVerifier(client, environment.millis());
        this.needed = config.neededClaims();
        this.millis = environment.millis();
    }

    /** Starts the download of the discovery document. */
    public static UserTokens start(OidcConfig config, PolicyEnvironment environment) {
        UserTokens tokens = new UserTokens(config, environment);
        tokens.provider.start();
        return tokens;
    }

    /** The provider. */
    public Provider provider() {
        return provider;
    }

    /**
     * Exchanges an authorization code.
     *
     * @return the grant; null if too many exchanges are in progress. The future fails with a {@link ProviderException}
     */
    public @Nullable CompletableFuture<UserGrant> exchange(Known known, CodeGrant grant) {
        return bounded(
                "cannot log a user in",
                () -> endpoint.exchange(known.metadata(), grant).thenCompose(tokens -> login(known, grant, tokens)));
    }

    private CompletableFuture<UserGrant> login(Known known, CodeGrant grant, TokenSet tokens) {
        Expected expected = new Expected(grant.nonce(), /* subject= */ "", tokens.accessToken());
        return verifier.verify(tokens.idToken(), expected, known.keys())
                .thenCompose(claims -> complete(known, tokens, claims.members(), claims.string("sub")));
    }

    /**
     * Obtains newer claims of a user who has logged in.
     *
     * @param before the last grant of the user, with a refresh token
     * @return the grant; null if too many exchanges are in progress. The future fails with a {@link ProviderException}
     */
    public @Nullable CompletableFuture<UserGrant> refresh(Known known, UserGrant before) {
        return bounded(
                "cannot refresh a session",
                () -> endpoint.refresh(known.metadata(), before.refreshToken())
                        .thenCompose(tokens -> refreshed(known, before, tokens)));
    }

    private CompletableFuture<UserGrant> refreshed(Known known, UserGrant before, TokenSet tokens) {
        String subject = new TokenClaims(before.claims()).string("sub");
        String refreshToken = tokens.refreshToken().isEmpty() ? before.refreshToken() : tokens.refreshToken();
        TokenSet next = new TokenSet(tokens.accessToken(), tokens.idToken(), refreshToken, tokens.expiresSeconds());
        if (next.idToken().isEmpty()) { // keeps the claims of the first ID token
            TokenSet with = new TokenSet(next.accessToken(), before.idToken(), refreshToken, next.expiresSeconds());
            return complete(known, with, Map.of(), subject).thenApply(newer -> newer.after(before));
        }
        Expected expected = new Expected(/* nonce= */ "", subject, next.accessToken());
        return verifier.verify(next.idToken(), expected, known.keys())
                .thenCompose(claims -> complete(known, next, claims.members(), subject));
    }

    /** Adds the claims of the userinfo endpoint if the ID token lacks a claim that the policy needs. */
    private CompletableFuture<UserGrant> complete(
            Known known, TokenSet tokens, Map<String, Object> claims, String subject) {
        Optional<URI> userInfo = known.metadata().userInfo();
        if (userInfo.isEmpty() || claims.keySet().containsAll(needed)) {
            return CompletableFuture.completedFuture(grant(tokens, claims));
        }
        return endpoint.userInfo(userInfo.get(), tokens.accessToken()).thenApply(further -> {
            if (!subject.equals(further.get("sub"))) { // required by OpenID Connect Core 1.0 section 5.3.2
                throw new ProviderException(Kind.ANSWER, "the userinfo endpoint answered with another user");
            }
            Map<String, Object> all = new LinkedHashMap<>(further);
            all.putAll(claims);
            return grant(tokens, all);
        });
    }

    private UserGrant grant(TokenSet tokens, Map<String, Object> claims) {
        long seconds = tokens.expiresSeconds();
        long expires = seconds == 0 ? 0 : millis.getAsLong() + seconds * 1000;
        return new UserGrant(claims, tokens.idToken(), tokens.refreshToken(), expires);
    }

    /**
     * Revokes the refresh token of a user who has logged out, if the provider has an endpoint for it and not too many
     * exchanges are in progress. A failure is logged.
     */
    public void revoke(Known known, String refreshToken) {
        Optional<URI> endpointUrl = known.metadata().revocation();
        if (endpointUrl.isPresent() && !refreshToken.isEmpty()) {
            CompletableFuture<Void> unused = bounded(
                    "cannot revoke a refresh token",
                    () -> endpoint.revoke(endpointUrl.get(), known.metadata(), refreshToken));
        }
    }

    private <T> @Nullable CompletableFuture<T> bounded(String action, Supplier<CompletableFuture<T>> exchange) {
        if (inFlight.incrementAndGet() > MAX_IN_FLIGHT) {
            inFlight.decrementAndGet();
            return null;
        }
        return exchange.get()
                .whenComplete((grant, failure) -> ended(action, failure))
                .exceptionally(failure -> {
                    throw new CompletionException(cause(failure));
                });
    }

    private void ended(String action, @Nullable Throwable failure) {
        inFlight.decrementAndGet();
        ProviderException cause = failure == null ? null : cause(failure);
        if (cause == null || cause.kind() != Kind.UNREACHABLE) {
            report.answered();
        }
        if (cause != null) {
            report.failed(action, cause);
        }
    }

    private static ProviderException cause(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof ProviderException known
                ? known
                : new ProviderException(Kind.ANSWER, ErrorText.reason(cause));
    }

    @Override
    public void close() {
        provider.close();
    }
}
