package io.ballast.acme.order;

import io.ballast.acme.config.AcmeIssuer;
import io.ballast.acme.state.AccountKey;
import java.io.IOException;
import java.security.KeyPair;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeServerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The account of this process at a CA. It is looked up, or created, when it is first used. Confined to one thread. */
final class Account {

    private static final Logger LOG = LoggerFactory.getLogger(Account.class);
    private static final String UNKNOWN = "urn:ietf:params:acme:error:accountDoesNotExist";

    private final AcmeIssuer issuer;
    private final AccountKey key;
    private @Nullable Login login;

    Account(AcmeIssuer issuer, AccountKey key) {
        this.issuer = issuer;
        this.key = key;
    }

    /** Returns the login; asks the CA only the first time. */
    Login login() throws AcmeException, IOException {
        Login present = login;
        if (present == null) {
            present = open();
            login = present;
        }
        return present;
    }

    /** Looks up the account again at its next use, because the CA may no longer know it. */
    void forget() {
        login = null;
    }

    private Login open() throws AcmeException, IOException {
        Session session = new Session(issuer.directory(), BoundedAcmeProvider.open(issuer.trustedCa()));
        session.networkSettings().setCompressionEnabled(false); // limits the memory for a response
        Optional<KeyPair> stored = key.read();
        if (stored.isPresent()) {
            Optional<Login> existing = existing(session, stored.get());
            if (existing.isPresent()) {
                return existing.get();
            }
        }
        KeyPair pair = stored.isPresent() ? stored.get() : key.create();
        AccountBuilder builder = new AccountBuilder().agreeToTermsOfService().useKeyPair(pair);
        issuer.email().ifPresent(builder::addEmail);
        issuer.externalAccount()
                .ifPresent(bound ->
                        builder.withKeyIdentifier(bound.kid(), bound.hmac().base64Url()));
        Login created = builder.createLogin(session);
        LOG.info("ca={} account={} msg=\"created an ACME account\"", issuer.directory(), created.getAccountLocation());
        return created;
    }

    /** Finds the account by its key alone, because some CAs accept the key of the external account only once. */
    private static Optional<Login> existing(Session session, KeyPair pair) throws AcmeException {
        try {
            return Optional.of(
                    new AccountBuilder().onlyExisting().useKeyPair(pair).createLogin(session));
        } catch (AcmeServerException e) {
            if (e.getType().toString().equals(UNKNOWN)) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
