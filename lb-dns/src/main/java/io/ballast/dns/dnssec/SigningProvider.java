package io.ballast.dns.dnssec;

import io.ballast.dns.dnssec.key.SigningKey;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Signature;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The library that computes signatures: Amazon Corretto Crypto Provider where its native library loads, which is ten to
 * a hundred times as fast, else what Java brings along. The results differ in speed only.
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

    /** The fastest that works here. Costs some hundred milliseconds when first called. */
    public static SigningProvider fastest() {
        return Fastest.INSTANCE;
    }

    /** What Java brings along. */
    public static SigningProvider ofJava() {
        return new SigningProvider(null, "asked for");
    }

    /** A signature object that is ready to sign with a key. It belongs to one thread. */
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

    /** Name and version, for people. */
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
            return new SigningProvider(corretto, "its native library loads");
        } catch (GeneralSecurityException | ReflectiveOperationException | RuntimeException | LinkageError e) {
            return new SigningProvider(null, "the faster one does not work here: " + e);
        }
    }

    /** Loaded when first needed, and not where no zone is signed. */
    private static final class Fastest {
        private static final SigningProvider INSTANCE = find();
    }
}
