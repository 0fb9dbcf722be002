package io.ballast.acme.config;

import io.ballast.core.Checks;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * A certificate authority (CA) that issues certificates, and the account that this process has with it.
 *
 * @param name its name in the configuration, in messages and in metrics
 * @param directory the URL of its ACME directory
 * @param email the contact of the account, if any
 * @param externalAccount the account at the CA that the ACME account is bound to, if the CA requires one
 * @param trustedCa a PEM file with the CA certificates that verify the connection to the directory; the certificates
 *     of the Java runtime if absent
 * @param profile the profile of the certificates (<a
 *     href="https://datatracker.ietf.org/doc/draft-ietf-acme-profiles/">draft-ietf-acme-profiles</a>); the CA chooses
 *     it if absent
 */
public record AcmeIssuer(
        String name,
        URI directory,
        Optional<String> email,
        Optional<ExternalAccount> externalAccount,
        Optional<Path> trustedCa,
        Optional<String> profile) {

    public static final URI DEFAULT_DIRECTORY = URI.create("https://acme-v02.api.letsencrypt.org/directory");

    public AcmeIssuer {
        Checks.that(!name.isEmpty(), "name", name, "at least one character");
        Checks.that(
                "https".equalsIgnoreCase(directory.getScheme()) && directory.getHost() != null,
                "directory",
                directory,
                "an https:// URL with a host");
    }

    /** Creates an issuer with defaults for everything else. */
    public static AcmeIssuer of(URI directory) {
        return new AcmeIssuer(
                defaultName(directory),
                directory,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Returns a copy with another contact. */
    public AcmeIssuer withEmail(Optional<String> other) {
        return new AcmeIssuer(name, directory, other, externalAccount, trustedCa, profile);
    }

    /** The name of an issuer without a configured name: the host of its directory. */
    public static String defaultName(URI directory) {
        return directory.getHost().toLowerCase(Locale.ROOT);
    }

    /**
     * The name of its state on disk: the host, port, path and query of the directory. It does not depend on the
     * configured name, so that a renamed issuer keeps its account and certificates.
     */
    public String stateName() {
        String port = directory.getPort() < 0 ? "" : "-" + directory.getPort();
        String path = directory.getRawPath() == null ? "" : directory.getRawPath();
        String query = directory.getRawQuery() == null ? "" : "-" + directory.getRawQuery();
        return (directory.getHost() + port + path + query)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9.]+", "-");
    }
}
