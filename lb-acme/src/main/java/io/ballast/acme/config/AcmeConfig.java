package io.ballast.acme.config;

import io.ballast.core.Checks;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The settings for ordering certificates by ACME (<a href="https://datatracker.ietf.org/doc/html/rfc8555">RFC
 * 8555</a>).
 *
 * @param issuers 1 to {@value #MAX_ISSUERS} certificate authorities (CAs) in order of preference, with different names
 *     and directories
 * @param challenge how a CA verifies the control over a name
 * @param keyType the type of the certificates' keys
 * @param challengeZone the name below which {@code dns-01} challenges of names outside of Ballast's zones are answered;
 *     in lower case, without the final dot
 * @param onDemand the certificates that are ordered when a client asks for their name, if any
 */
public record AcmeConfig(
        List<AcmeIssuer> issuers,
        AcmeChallenge challenge,
        CertificateKeyType keyType,
        Optional<String> challengeZone,
        Optional<OnDemandConfig> onDemand) {

    public static final int MAX_ISSUERS = 8;
    public static final AcmeChallenge DEFAULT_CHALLENGE = AcmeChallenge.HTTP_01;
    public static final CertificateKeyType DEFAULT_KEY_TYPE = CertificateKeyType.P256;

    public AcmeConfig {
        issuers = List.copyOf(issuers);
        Checks.that(
                !issuers.isEmpty() && issuers.size() <= MAX_ISSUERS,
                "issuers",
                issuers.size(),
                "1 to " + MAX_ISSUERS + " issuers");
        Set<String> names = new HashSet<>();
        Set<String> directories = new HashSet<>();
        for (AcmeIssuer issuer : issuers) {
            Checks.that(names.add(issuer.name()), "issuers", issuer.name(), "a different name for each issuer");
            Checks.that(
                    directories.add(issuer.stateName()),
                    "issuers",
                    issuer.directory(),
                    "a different directory for each issuer, because it selects the files of the issuer");
        }
    }

    /** Creates a configuration with one issuer, and defaults for everything else. */
    public static AcmeConfig of(URI directory, AcmeChallenge challenge) {
        return new AcmeConfig(
                List.of(AcmeIssuer.of(directory)), challenge, DEFAULT_KEY_TYPE, Optional.empty(), Optional.empty());
    }

    /** Returns a copy that orders certificates on demand. */
    public AcmeConfig withOnDemand(OnDemandConfig next) {
        return new AcmeConfig(issuers, challenge, keyType, challengeZone, Optional.of(next));
    }

    /** Returns a copy with other issuers. */
    public AcmeConfig withIssuers(List<AcmeIssuer> others) {
        return new AcmeConfig(others, challenge, keyType, challengeZone, onDemand);
    }

    /** The names of all issuers, in order of preference. */
    public List<String> issuerNames() {
        return issuers.stream().map(AcmeIssuer::name).toList();
    }

    /** Returns the names of the issuers to use: the chosen ones, or all if none are chosen. */
    public List<String> issuerNames(List<String> chosen) {
        return chosen.isEmpty() ? issuerNames() : chosen;
    }
}
