package io.ballast.policy.oidc.provider;

import io.ballast.policy.config.jwt.JwtAlgorithm;
import io.ballast.policy.config.jwt.JwtClaimRules;
import io.ballast.policy.config.oidc.OidcClient;
import io.ballast.policy.jwt.key.KeySet;
import io.ballast.policy.jwt.key.KeySource;
import io.ballast.policy.jwt.key.VerificationKey;
import io.ballast.policy.jwt.token.ParsedToken;
import io.ballast.policy.jwt.token.TokenClaims;
import io.ballast.policy.jwt.token.TokenParser;
import io.ballast.policy.jwt.token.TokenProblem;
import io.ballast.policy.jwt.token.TokenResult;
import io.ballast.policy.jwt.token.TokenRules;
import io.ballast.policy.oidc.provider.ProviderException.Kind;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Verifies ID tokens (OpenID Connect Core 1.0 sections 3.1.3.6, 3.1.3.7 and 12.2): the signature with a public key of
 * the provider, the issuer, the audience, the times, the nonce and the hash of the access token. Immutable. Cost: up to
 * 1 ms, so it does not run on event loops.
 */
final class IdTokenVerifier {

    /** An identifier of a user has at most this many characters (OpenID Connect Core 1.0 section 2). */
    private static final int MAX_SUBJECT = 255;

    private final String clientId;
    private final TokenRules rules;
    private final LongSupplier millis;

    /**
     * Values that an ID token must contain.
     *
     * @param nonce the nonce of the login; empty after a refresh, when the token need not have one
     * @param subject the user who has logged in; empty if that is not known yet
     */
    record Expected(String nonce, String subject, String accessToken) {
        @Override
        public String toString() {
            return "Expected[...]";
        }
    }

    IdTokenVerifier(OidcClient client, LongSupplier millis) {
        this.clientId = client.clientId();
        Set<JwtAlgorithm> algorithms = EnumSet.allOf(JwtAlgorithm.class);
        algorithms.removeIf(JwtAlgorithm::isSymmetric);
        JwtClaimRules claims = JwtClaimRules.ofIdTokens(client.issuer(), clientId);
        this.rules = new TokenRules(algorithms, claims);
        this.millis = millis;
    }

    /**
     * Verifies a token. If no key matches the token, waits for newer keys.
     *
     * @return the claims; the future fails with a {@link ProviderException} if the token is not valid
     */
    CompletableFuture<TokenClaims> verify(String text, Expected expected, KeySource keys) {
        TokenResult result = TokenParser.parse(text.getBytes(StandardCharsets.UTF_8));
        if (result instanceof TokenProblem problem) {
            return CompletableFuture.failedFuture(invalid(problem.description()));
        }
        ParsedToken token = (ParsedToken) result;
        TokenProblem problem = rules.check(token, millis.getAsLong());
        String other = problem == null ? problem(token, expected) : problem.description();
        if (other != null) {
            return CompletableFuture.failedFuture(invalid(other));
        }
        Optional<CompletableFuture<Void>> refresh = fitting(token, keys).isEmpty() ? keys.refresh() : Optional.empty();
        return refresh.map(downloaded -> downloaded.thenApply(done -> signed(token, keys)))
                .orElseGet(() -> CompletableFuture.completedFuture(token).thenApply(parsed -> signed(parsed, keys)));
    }

    private static List<VerificationKey> fitting(ParsedToken token, KeySource keys) {
        KeySet current = keys.current();
        return current == null ? List.of() : current.fitting(token.algorithm(), token.keyId());
    }

    private static TokenClaims signed(ParsedToken token, KeySource keys) {
        byte[] content = token.signedPart();
        List<VerificationKey> fitting = fitting(token, keys);
        for (VerificationKey key : fitting) {
            if (key.verifies(token.algorithm(), content, token.signature())) {
                return token.claims();
            }
        }
        if (keys.current() == null) {
            throw new ProviderException(Kind.UNREACHABLE, "the keys of the provider are not known");
        }
        throw invalid(fitting.isEmpty() ? "no key matches the token" : "the signature is not valid");
    }

    private @Nullable String problem(ParsedToken token, Expected expected) {
        TokenClaims claims = token.claims();
        String subject = claims.string("sub");
        if (subject.isEmpty() || subject.length() > MAX_SUBJECT) {
            return "the token has no valid subject";
        }
        if (!expected.subject().isEmpty() && !expected.subject().equals(subject)) {
            return "the token is of another user";
        }
        if (claims.seconds("iat") < 0) {
            return "the token has no time of issue";
        }
        if (!isAuthorizedParty(claims)) {
            return "the token was issued to another client";
        }
        if (!expected.nonce().isEmpty() && !isEqual(expected.nonce(), claims.string("nonce"))) {
            return "the nonce differs from the nonce of the login";
        }
        String hash = claims.string("at_hash");
        boolean hasHash = claims.members().containsKey("at_hash");
        return hasHash && !isEqual(hash, hash(token.algorithm(), expected.accessToken()))
                ? "the hash of the access token is wrong"
                : null;
    }

    /**
     * Whether the token was issued for this client. A token for several audiences must name the client in {@code azp}.
     */
    private boolean isAuthorizedParty(TokenClaims claims) {
        boolean hasSeveral = claims.members().get("aud") instanceof List<?> audiences && audiences.size() > 1;
        boolean isNamed = claims.members().containsKey("azp");
        return isNamed ? claims.string("azp").equals(clientId) : !hasSeveral;
    }

    /** Returns the left half of the hash of the access token (OpenID Connect Core 1.0 section 3.1.3.6). */
    private static String hash(JwtAlgorithm algorithm, String accessToken) {
        String name = algorithm == JwtAlgorithm.EDDSA
                ? "SHA-512"
                : "SHA-" + algorithm.text().substring(2);
        try {
            byte[] hash = MessageDigest.getInstance(name).digest(accessToken.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, hash.length / 2));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isEqual(String a, String b) {
        return MessageDigest.isEqual(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    private static ProviderException invalid(String problem) {
        return new ProviderException(Kind.ID_TOKEN, "the ID token is not valid: " + problem);
    }
}
