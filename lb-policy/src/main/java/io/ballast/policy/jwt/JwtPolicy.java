package io.ballast.policy.jwt;

import io.ballast.core.hash.SipHash24;
import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.policy.config.jwt.JwtConfig;
import io.ballast.policy.config.jwt.JwtTokenPlace;
import io.ballast.policy.jwt.key.KeySet;
import io.ballast.policy.jwt.key.KeySource;
import io.ballast.policy.jwt.key.VerificationKey;
import io.ballast.policy.jwt.token.ParsedToken;
import io.ballast.policy.jwt.token.TokenParser;
import io.ballast.policy.jwt.token.TokenProblem;
import io.ballast.policy.jwt.token.TokenResult;
import io.ballast.policy.jwt.token.TokenRules;
import io.ballast.policy.work.SlowWork;
import io.ballast.policy.work.WorkShare;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests with a valid JSON Web Token pass. A cached token needs no cryptography. For other tokens, the event
 * loop checks everything except the signature, which another thread verifies. If no key matches the token, the request
 * waits for new keys.
 *
 * <p>Thread safety: one object serves all event loops without locks.
 */
public final class JwtPolicy implements Policy {

    /** How long a request waits for keys. */
    public static final Duration KEY_WAIT = Duration.ofSeconds(5);

    /** The maximum number of tokens that wait for the verification of their signatures; further requests get 503. */
    static final int MAX_VERIFYING = 512;
    /** The maximum number of requests that wait for keys; further requests get 503. */
    static final int MAX_WAITING = 1000;

    private static final Refusal NO_KEYS = Refusal.undecided("jwt_keys_unavailable");

    private final TokenPlace place;
    private final List<String> requestHeaders;
    private final List<String> credentialHeaders;
    private final TokenRules rules;
    private final TokenVerifier verifier;
    private final Challenges challenges;
    private final TokenCache<VerifiedToken> cache;
    private final KeySource keys;
    private final WorkShare work;
    private final LongSupplier millis;
    private final Duration keyWait;
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * @param rules checks the claims that {@code config} requires
     * @param keys closed with the policy
     * @param hash a hash function with a random key
     * @param millis the time of day in milliseconds since 1970
     * @param keyWait how long a request waits for keys; see {@link #KEY_WAIT}
     */
    public JwtPolicy(
            JwtConfig config,
            TokenRules rules,
            KeySource keys,
            SipHash24 hash,
            SlowWork work,
            LongSupplier millis,
            Duration keyWait) {
        this.place = TokenPlace.of(config.from());
        this.requestHeaders = List.copyOf(config.headers().keySet());
        this.credentialHeaders = credentialHeaders(config);
        this.rules = rules;
        this.verifier = new TokenVerifier(rules, config.headers());
        this.challenges =
                new Challenges(config.realm(), config.claims().required().getOrDefault("scope", List.of()));
        this.cache = new TokenCache<>(config.cached(), hash);
        this.keys = keys;
        this.work = new WorkShare(work, MAX_VERIFYING);
        this.millis = millis;
        this.keyWait = keyWait;
    }

    private static List<String> credentialHeaders(JwtConfig config) {
        if (config.forwards()) {
            return List.of();
        }
        return List.of(
                config.from().kind() == JwtTokenPlace.Kind.HEADER
                        ? config.from().name()
                        : "Authorization");
    }

    @Override
    public Phase phase() {
        return Phase.IDENTITY;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        long range = place.find(exchange.request());
        if (range < 0) {
            TokenProblem problem = range == TokenPlace.NONE ? TokenProblem.MISSING : TokenProblem.REPEATED;
            return challenges.refuse(problem, exchange);
        }
        byte[] bytes = exchange.request().bytes();
        int from = TokenPlace.from(range);
        int to = TokenPlace.to(range);
        if (to - from > TokenParser.MAX_BYTES) {
            return challenges.refuse(TokenProblem.TOO_LARGE, exchange);
        }
        long now = millis.getAsLong();
        VerifiedToken known = cache.find(bytes, from, to, now);
        return known != null && keys.current() != null
                ? accept(known, exchange)
                : check(Arrays.copyOfRange(bytes, from, to), now, exchange);
    }

    private PolicyDecision accept(VerifiedToken token, PolicyExchange exchange) {
        if (!token.permits()) {
            return challenges.refuse(TokenProblem.INSUFFICIENT, exchange);
        }
        exchange.setIdentity(token.identity());
        exchange.requestLines().append(token.requestLines());
        return PolicyDecision.PASS;
    }

    /** Checks a token that is not in the cache. */
    private PolicyDecision check(byte[] text, long now, PolicyExchange exchange) {
        TokenResult result = TokenParser.parse(text);
        if (result instanceof TokenProblem problem) {
            return challenges.refuse(problem, exchange);
        }
        ParsedToken token = (ParsedToken) result;
        TokenProblem problem = rules.check(token, now);
        if (problem != null) {
            return challenges.refuse(problem, exchange);
        }
        List<VerificationKey> fitting = fitting(token);
        return fitting.isEmpty() ? awaitKeys(token, exchange) : verify(token, fitting);
    }

    private List<VerificationKey> fitting(ParsedToken token) {
        KeySet current = keys.current();
        return current == null ? List.of() : current.fitting(token.algorithm(), token.keyId());
    }

    // ---- waiting for keys

    private PolicyDecision awaitKeys(ParsedToken token, PolicyExchange exchange) {
        Optional<CompletableFuture<Void>> refresh = keys.refresh();
        if (refresh.isEmpty()) {
            return noKey(exchange);
        }
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return SlowWork.BUSY;
        }
        CompletableFuture<Continuation> later = exchange.later(keyWait.toNanos(), (next, step) -> noKey(next));
        later.whenComplete((result, failure) -> waiting.decrementAndGet());
        AtomicReference<@Nullable ParsedToken> waitingToken = new AtomicReference<>(token);
        later.whenComplete((result, failure) -> {
            if (later.isCompletedExceptionally()) {
                waitingToken.set(null); // the download still refers to this object, but the token can be freed
            }
        });
        refresh.get().whenComplete((result, failure) -> {
            ParsedToken known = waitingToken.get();
            if (known != null) {
                later.complete((next, step) -> checkAgain(known, next));
            }
        });
        return new PendingDecision(later);
    }

    private PolicyDecision checkAgain(ParsedToken token, PolicyExchange exchange) {
        List<VerificationKey> fitting = fitting(token);
        return fitting.isEmpty() ? noKey(exchange) : verify(token, fitting);
    }

    private PolicyDecision noKey(PolicyExchange exchange) {
        return keys.current() == null ? NO_KEYS : challenges.refuse(TokenProblem.KEY, exchange);
    }

    // ---- verification

    private PolicyDecision verify(ParsedToken token, List<VerificationKey> fitting) {
        return work.decide(() -> verifyNow(token, fitting));
    }

    private Continuation verifyNow(ParsedToken token, List<VerificationKey> fitting) {
        byte[] text = token.text();
        long now = millis.getAsLong();
        VerifiedToken verified = cache.find(text, 0, text.length, now); // another request may have verified it
        if (verified == null) {
            verified = verifier.verify(token, fitting);
            if (verified == null) {
                return (exchange, step) -> challenges.refuse(TokenProblem.SIGNATURE, exchange);
            }
            cache.put(text, verified, now);
        }
        return accepted(verified);
    }

    private Continuation accepted(VerifiedToken token) {
        return (exchange, step) -> accept(token, exchange);
    }

    @Override
    public List<String> requestHeaders() {
        return requestHeaders;
    }

    @Override
    public List<String> credentialHeaders() {
        return credentialHeaders;
    }

    @Override
    public void close() {
        keys.close();
    }
}
