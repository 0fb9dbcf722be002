package io.ballast.policy.basic;

import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.policy.config.BasicConfig;
import io.ballast.policy.config.Rate;
import io.ballast.policy.identity.KnownIdentity;
import io.ballast.policy.identity.SingleHeader;
import io.ballast.policy.rate.LoginAttempts;
import io.ballast.policy.rate.RetryAfter;
import io.ballast.policy.work.PolicyEnvironment;
import io.ballast.policy.work.SlowWork;
import io.ballast.policy.work.WorkShare;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * HTTP Basic authentication (<a href="https://datatracker.ietf.org/doc/html/rfc7617">RFC 7617</a>). Requests without
 * valid credentials are refused with 401, and clients that fail too often with 429.
 *
 * <p>Thread safety: one object serves all event loops. Cost: for credentials that were verified recently two keyed
 * hashes and a lookup, which allocate nothing; otherwise one verification on another thread.
 */
public final class BasicPolicy implements Policy {

    private static final String AUTHORIZATION = "Authorization";
    /** The limit of failures per client, as a multiple of the limit per user; a client may try several user names. */
    private static final int USERS_PER_CLIENT = 10;
    /** The maximum number of verifications that wait or run; further verifications are refused with 503. */
    private static final int MAX_VERIFYING = 256;

    private static final byte[] ANY_USER = {};
    private static final Refusal NO_CREDENTIALS =
            new Refusal(401, "no_credentials", "a user name and password are required");
    private static final Refusal WRONG_CREDENTIALS =
            new Refusal(401, "wrong_credentials", "unknown user or wrong password");
    private static final Refusal TOO_MANY_FAILURES = new Refusal(429, "login_failures", "too many failed logins");

    private final Users users;
    private final SingleHeader authorization = new SingleHeader(AUTHORIZATION);
    private final CredentialsDigest.Key digestKey;
    private final VerifiedCredentials verified;
    private final PasswordVerifications verifications;
    private final LoginAttempts attempts;
    /** Limits a client that tries many user names, because each name costs a verification. */
    private final LoginAttempts attemptsOfClient;

    private final LongSupplier nanoTime;
    private final byte[] challenge;
    private final List<String> requestHeaders = new ArrayList<>();
    private final List<String> credentialHeaders;

    public BasicPolicy(BasicConfig config, PolicyEnvironment environment) {
        this(config, environment, PasswordVerifier.LIBRARY);
    }

    BasicPolicy(BasicConfig config, PolicyEnvironment environment, PasswordVerifier verifier) {
        this.users = new Users(config, environment.randomHash());
        this.digestKey = new CredentialsDigest.Key(environment.random());
        this.verified = new VerifiedCredentials(config.cache().toNanos());
        this.verifications = new PasswordVerifications(new WorkShare(environment.work(), MAX_VERIFYING), verifier);
        this.nanoTime = environment.nanoTime();
        this.attempts = new LoginAttempts(config.failures(), environment.randomHash(), nanoTime.getAsLong());
        this.attemptsOfClient =
                new LoginAttempts(multiple(config.failures()), environment.randomHash(), nanoTime.getAsLong());
        this.challenge = ("WWW-Authenticate: Basic realm=\"" + config.realm() + "\", charset=\"UTF-8\"\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        config.header().ifPresent(requestHeaders::add);
        this.credentialHeaders = config.forwardCredentials() ? List.of() : List.of(AUTHORIZATION);
    }

    private static Rate multiple(Rate failures) {
        return new Rate(
                Math.min(Rate.MAX_COUNT, failures.count() * USERS_PER_CLIENT),
                failures.period(),
                Math.min(Rate.MAX_COUNT, failures.burst() * USERS_PER_CLIENT));
    }

    @Override
    public Phase phase() {
        return Phase.IDENTITY;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        RoutedRequest request = exchange.request();
        int line = authorization.line(request);
        int start = line == SingleHeader.NONE ? BasicCredentials.OTHER_SCHEME : BasicCredentials.start(request, line);
        if (start == BasicCredentials.OTHER_SCHEME) {
            return challenge(exchange, NO_CREDENTIALS);
        }
        byte[] bytes = request.bytes();
        int end = request.headerEnd(line);
        long high = digestKey.high(bytes, start, end);
        long low = digestKey.low(bytes, start, end);
        KnownIdentity known = verified.find(high, low, nanoTime.getAsLong());
        if (known != null) {
            return known.pass(exchange);
        }
        BasicCredentials credentials = BasicCredentials.decode(bytes, start, end);
        if (credentials == null) {
            return challenge(exchange, NO_CREDENTIALS);
        }
        return verify(exchange, credentials, new CredentialsDigest(high, low));
    }

    private PolicyDecision verify(PolicyExchange exchange, BasicCredentials credentials, CredentialsDigest digest) {
        CompletableFuture<? extends Continuation> running = verifications.running(digest);
        if (running != null) {
            return new PendingDecision(running);
        }
        long key = attempts.key(exchange, credentials.user().getBytes(StandardCharsets.UTF_8));
        long clientKey = attemptsOfClient.key(exchange, ANY_USER);
        long wait = charge(key, clientKey, nanoTime.getAsLong());
        if (wait > 0) {
            RetryAfter.append(exchange, wait);
            return TOO_MANY_FAILURES;
        }
        Users.Candidate candidate = users.find(credentials.user());
        CompletableFuture<? extends Continuation> result =
                verifications.start(digest, candidate.password(), credentials.password(), matches -> {
                    KnownIdentity identity = candidate.identity();
                    if (!matches || identity == null) {
                        return (waiting, step) -> challenge(waiting, WRONG_CREDENTIALS);
                    }
                    refund(key, clientKey);
                    verified.add(digest, identity, nanoTime.getAsLong());
                    return (waiting, step) -> identity.pass(waiting);
                });
        if (result == null) {
            refund(key, clientKey);
            return SlowWork.BUSY;
        }
        return new PendingDecision(result);
    }

    /** Charges an attempt to the user and to the client, or to neither; returns the nanoseconds to wait. */
    private long charge(long key, long clientKey, long now) {
        long wait = attempts.charge(key, now);
        if (wait > 0) {
            return wait;
        }
        long clientWait = attemptsOfClient.charge(clientKey, now);
        if (clientWait > 0) {
            attempts.refund(key);
        }
        return clientWait;
    }

    private void refund(long key, long clientKey) {
        attempts.refund(key);
        attemptsOfClient.refund(clientKey);
    }

    private PolicyDecision challenge(PolicyExchange exchange, Refusal refusal) {
        exchange.responseLines().append(challenge);
        return refusal;
    }

    @Override
    public List<String> requestHeaders() {
        return requestHeaders;
    }

    @Override
    public List<String> credentialHeaders() {
        return credentialHeaders;
    }

    /** The number of requests that wait for a verification. */
    int waiting() {
        return verifications.waiting();
    }
}
