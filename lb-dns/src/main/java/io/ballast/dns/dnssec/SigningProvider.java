package io.ballast.dns.dnssec;

import io.ballast.dns.dnssec.key.SigningKey;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Signature;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cryptographic provider for signatures: Amazon Corretto Crypto Provider if its native library can be
 * loaded, otherwise Java's own provider. Corretto is 10 to 100 times as fast. The providers differ only in
 * speed.
 *
 * <p>Thread safety: immutable.
 */
public final class SigningProvider {

    private static final Logger LOG = LoggerFactory.getLogger(SigningProvider.class);
    private static final String CORRETTO = "com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider";

    private final @Nullable Provider provider;
    private final String why;

    private SigningProvider(@Nullable Provider provider, String why) {
        this.provider = provider;
        this.why = why;
    }

    /** Returns the fastest provider on this machine. The first call takes several hundred milliseconds. */
    public static SigningProvider fastest() {
        return Fastest.INSTANCE;
    }

    /** Java's own provider. */
    public static SigningProvider ofJava() {
        return new SigningProvider(null, "as configured");
    }

    /** Returns a signature object initialized with a key. The object is confined to one thread. */
    public Signature open(SigningKey key) {
        String name = key.algorithm().signatureName();
        try {
            Signature signature =
                    provider == null ? Signature.getInstance(name) : Signature.getInstance(name, provider);
            signature.initSign(key.privateKey());
            return signature;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no " + name + " in " + this, e);
        }
    }

    /** Returns the name and the version of the provider, for logs. */
    @Override
    public String toString() {
        return provider == null ? "Java" : provider.getName() + " " + provider.getVersionStr();
    }

    private static SigningProvider find() {
        SigningProvider found = load();
        LOG.info("dnssec_provider=\"{}\" reason=\"{}\"", found, found.why);
        return found;
    }

    private static SigningProvider load() {
        try {
            Provider corretto =
                    (Provider) Class.forName(CORRETTO).getField("INSTANCE").get(null);
            for (String name : new String[] {"SHA256withECDSAinP1363Format", "Ed25519"}) {
                Signature.getInstance(name, corretto);
            }
            return new SigningProvider(corretto, "its native library is available");
        } catch (GeneralSecurityException | ReflectiveOperationException | RuntimeException | LinkageError e) {
            return new SigningProvider(null, "Amazon Corretto Crypto Provider is not available: " + e);
        }
    }

    /** Holds the provider; this class is loaded only if a zone is signed. */
    private static final class Fastest {
        private static final SigningProvider INSTANCE = find();
    }
}
