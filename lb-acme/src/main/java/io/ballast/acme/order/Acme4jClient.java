package io.ballast.acme.order;

import io.ballast.acme.challenge.ChallengeResponder;
import io.ballast.acme.challenge.ChallengeResponse;
import io.ballast.acme.config.AcmeConfig;
import io.ballast.acme.config.AcmeIssuer;
import io.ballast.acme.config.CertificateKeyType;
import io.ballast.acme.state.AccountKey;
import io.ballast.core.ErrorText;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Certificate;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.OrderBuilder;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.RenewalInfo;
import org.shredzone.acme4j.RevocationReason;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.connector.Resource;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeNetworkException;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;
import org.shredzone.acme4j.exception.AcmeServerException;

/** Orders certificates with the library acme4j. Confined to one thread at a time. */
public final class Acme4jClient implements AcmeClient {

    /** The time limit of each step at the CA; Let's Encrypt needs a few seconds. */
    private static final Duration MAX_WAIT = Duration.ofMinutes(2);

    private static final String ALREADY_REVOKED = "urn:ietf:params:acme:error:alreadyRevoked";

    private final AcmeConfig config;
    private final AcmeIssuer issuer;
    private final ChallengeResponder responder;
    private final Account account;

    /**
     * @param config the challenge and the type of keys
     * @param issuer one of the issuers in {@code config}
     */
    public Acme4jClient(AcmeConfig config, AcmeIssuer issuer, AccountKey key, ChallengeResponder responder) {
        this.config = config;
        this.issuer = issuer;
        this.responder = responder;
        this.account = new Account(issuer, key);
    }

    @FunctionalInterface
    private interface Request<T> {
        T send(Login login) throws AcmeException, IOException, OrderException, InterruptedException;
    }

    @Override
    public TlsIdentity order(String name, Optional<X509Certificate> replaced)
            throws OrderException, InterruptedException {
        return send(login -> complete(create(login, name, replaced), name));
    }

    @Override
    public Optional<RenewalWindow> renewalWindow(X509Certificate certificate)
            throws OrderException, InterruptedException {
        return send(login -> {
            if (!suggestsRenewal(login)) {
                return Optional.empty();
            }
            RenewalInfo info = login.bindRenewalInfo(certificate);
            Optional<Instant> again = info.fetch();
            Instant start = info.getSuggestedWindowStart();
            Instant end = info.getSuggestedWindowEnd();
            return Optional.of(new RenewalWindow(start, end.isBefore(start) ? start : end, again));
        });
    }

    @Override
    public void revoke(X509Certificate certificate, RevocationCode reason) throws OrderException, InterruptedException {
        RevocationReason given = RevocationReason.valueOf(reason.name());
        boolean unused = send(login -> {
            try {
                Certificate.revoke(login, certificate, given);
                return true;
            } catch (AcmeServerException e) {
                if (e.getType().toString().equals(ALREADY_REVOKED)) {
                    return false;
                }
                throw e;
            }
        });
    }

    /** Sends a request, and converts the exceptions of acme4j, because some of them are unchecked. */
    private <T> T send(Request<T> request) throws OrderException, InterruptedException {
        try {
            return request.send(account.login());
        } catch (AcmeRateLimitedException e) {
            throw new OrderException(ErrorText.reason(e), e.getRetryAfter(), e);
        } catch (AcmeNetworkException e) {
            requireNotInterrupted(e);
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new OrderException(
                    "cannot reach " + issuer.directory() + ": " + ErrorText.reason(cause),
                    OrderException.Kind.UNREACHABLE,
                    e);
        } catch (AcmeServerException e) {
            account.forget();
            throw new OrderException(ErrorText.reason(e), e);
        } catch (AcmeException | IOException | RuntimeException e) {
            requireNotInterrupted(e);
            throw new OrderException(ErrorText.reason(e), e);
        }
    }

    /** Throws the {@link InterruptedException} that acme4j has wrapped in another exception, if there is one. */
    private static void requireNotInterrupted(Exception e) throws InterruptedException {
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof InterruptedException interrupted) {
                throw interrupted;
            }
        }
    }

    /** Whether the CA suggests when to renew. */
    private static boolean suggestsRenewal(Login login) throws AcmeException {
        return login.getSession().resourceUrlOptional(Resource.RENEWAL_INFO).isPresent();
    }

    private Order create(Login login, String name, Optional<X509Certificate> replaced) throws AcmeException {
        if (replaced.isPresent() && suggestsRenewal(login)) {
            try {
                return newOrder(login, name).replaces(replaced.get()).create();
            } catch (AcmeRateLimitedException e) {
                throw e;
            } catch (AcmeServerException e) {
                // The CA refuses the reference to the replaced certificate, for example because another order has
                // already replaced it (RFC 9773 section 5). An order without the reference is still possible.
            }
        }
        return newOrder(login, name).create();
    }

    private OrderBuilder newOrder(Login login, String name) {
        OrderBuilder builder = login.newOrder().domain(name);
        issuer.profile().ifPresent(builder::profile);
        return builder;
    }

    private TlsIdentity complete(Order order, String name)
            throws AcmeException, IOException, OrderException, InterruptedException {
        for (Authorization authorization : order.getAuthorizations()) {
            if (authorization.getStatus() != Status.VALID) {
                authorize(authorization);
            }
        }
        KeyPair key = newKey(config.keyType());
        requireValid(order.waitUntilReady(MAX_WAIT) != Status.INVALID, order.getError(), name);
        order.execute(key);
        requireValid(order.waitForCompletion(MAX_WAIT) == Status.VALID, order.getError(), name);
        return new TlsIdentity(key.getPrivate(), order.getCertificate().getCertificateChain());
    }

    private void authorize(Authorization authorization)
            throws AcmeException, IOException, OrderException, InterruptedException {
        String name = authorization.getIdentifier().getDomain();
        String type = config.challenge().type();
        Optional<Challenge> offered = authorization.findChallenge(type);
        if (offered.isEmpty()) {
            throw new OrderException("the CA offers no challenge " + type + " for " + name);
        }
        ChallengeResponse response = ChallengeResponses.of(offered.get(), name);
        try {
            responder.publish(response);
            offered.get().trigger();
            Status status = authorization.waitForCompletion(MAX_WAIT);
            if (status != Status.VALID) {
                offered.get().fetch();
                requireValid(false, offered.get().getError(), name);
            }
        } finally {
            responder.withdraw(response);
        }
    }

    private static void requireValid(boolean isValid, Optional<Problem> problem, String name) throws OrderException {
        if (!isValid) {
            throw new OrderException(
                    "the CA refused " + name + ": "
                            + problem.flatMap(Problem::getDetail).orElse("it gave no reason"),
                    OrderException.Kind.NOT_VERIFIED);
        }
    }

    private static KeyPair newKey(CertificateKeyType type) throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(type.algorithm());
            generator.initialize(type.bits());
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot create a key: " + ErrorText.reason(e), e);
        }
    }
}
