package io.ballast.acme.config;

import io.ballast.core.Checks;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How certificates are ordered by ACME (<a href="https://datatracker.ietf.org/doc/html/rfc8555">RFC 8555</a>).
 *
 * @param email the contact of the account, if any
 * @param directory the URL of the directory of the certificate authority (CA)
 * @param challenge how the CA verifies the control over a name
 * @param externalAccount the account at the CA that the ACME account is bound to, if the CA requires one
 * @param keyType the type of the certificates' keys
 * @param trustedCa a PEM file with the CA certificates that verify the connection to the directory; the certificates
 *     of the Java runtime if absent
 * @param challengeZone the name below which {@code dns-01} challenges of names outside of Ballast's zones are answered; in
 *     lower case, without the final dot
 * @param onDemand the certificates that are ordered when a client asks for their name, if any
 */
public record AcmeConfig(
        Optional<String> email,
        URI directory,
        AcmeChallenge challenge,
        Optional<ExternalAccount> externalAccount,
        CertificateKeyType keyType,
        Optional<Path> trustedCa,
        Optional<String> challengeZone,
        Optional<OnDemandConfig> onDemand) {

    public static final URI DEFAULT_DIRECTORY = URI.create("https://acme-v02.api.letsencrypt.org/directory");
    public static final AcmeChallenge DEFAULT_CHALLENGE = AcmeChallenge.HTTP_01;
    public static final CertificateKeyType DEFAULT_KEY_TYPE = CertificateKeyType.P256;

    public AcmeConfig {
        Checks.that(
                "https".equalsIgnoreCase(directory.getScheme()) && directory.getHost() != null,
                "directory",
                directory,
                "an https:// URL with a host");
    }

    /** Creates a configuration with defaults for everything else. */
    public static AcmeConfig of(URI directory, AcmeChallenge challenge) {
        return new AcmeConfig(
                Optional.empty(),
                directory,
                challenge,
                Optional.empty(),
                DEFAULT_KEY_TYPE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Returns a copy that orders certificates on demand. */
    public AcmeConfig withOnDemand(OnDemandConfig next) {
        return new AcmeConfig(
                email, directory, challenge, externalAccount, keyType, trustedCa, challengeZone, Optional.of(next));
    }
}
