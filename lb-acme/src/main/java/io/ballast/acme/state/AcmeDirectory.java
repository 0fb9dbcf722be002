package io.ballast.acme.state;

import io.ballast.acme.config.AcmeConfig;
import io.ballast.acme.config.AcmeIssuer;
import io.ballast.core.config.TlsFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The directory of one certificate authority (CA) below {@code data_dir}. Another CA has another directory, so that a
 * test CA never replaces the certificates of the real one.
 *
 * <pre>
 *   acme/acme-v02.api.letsencrypt.org-directory/
 *     account.pem                                the key of the account
 *     certificates/shop.example.com.pem          private key and certificate chain
 *     certificates/shop.example.com.failures     failed orders since the last success
 *     certificates/shop.example.com.revoked      the serial number of the certificate, if it is revoked
 *     certificates/wildcard_.example.com.pem     the same for *.example.com
 *   acme/_served/                                only with several CAs
 *     certificates/shop.example.com.pem          copy of the certificate that is served
 * </pre>
 *
 * Immutable; opens no files.
 */
public final class AcmeDirectory {

    private static final String WILDCARD = "*.";
    private static final String WILDCARD_FILE = "wildcard_.";
    private static final String CERTIFICATE = ".pem";

    /**
     * The name of the directory with the copies that listeners serve. It differs from every {@link
     * AcmeIssuer#stateName}, because those contain no underscore.
     */
    private static final String SERVED = "_served";

    private final Path directory;

    /**
     * @param dataDir the data directory of the process
     * @param issuer the certificate authority
     */
    public AcmeDirectory(Path dataDir, AcmeIssuer issuer) {
        this(dataDir, issuer.stateName());
    }

    private AcmeDirectory(Path dataDir, String name) {
        this.directory = dataDir.resolve("acme").resolve(name);
    }

    /**
     * Returns the directory with the files that listeners serve: that of the only issuer, or one with copies of the
     * certificates of all issuers.
     */
    public static AcmeDirectory served(Path dataDir, AcmeConfig config) {
        return config.issuers().size() == 1
                ? new AcmeDirectory(dataDir, config.issuers().get(0))
                : new AcmeDirectory(dataDir, SERVED);
    }

    /** The file with the key of the account. */
    public Path accountKey() {
        return directory.resolve("account.pem");
    }

    /**
     * The file with the private key and the certificate chain of a name. Both are in one file, so that they change at
     * the same time.
     */
    public Path certificate(String name) {
        return certificates().resolve(fileName(name) + CERTIFICATE);
    }

    /** The file that counts failed orders for a name. */
    Path failures(String name) {
        return certificates().resolve(fileName(name) + ".failures");
    }

    /** The file with the serial number of a revoked certificate. */
    Path revoked(String name) {
        return certificates().resolve(fileName(name) + ".revoked");
    }

    /** The certificate of a name, for a listener. */
    public TlsFiles tlsFiles(String name) {
        Path file = certificate(name).toAbsolutePath();
        return new TlsFiles(file, file);
    }

    private Path certificates() {
        return directory.resolve("certificates");
    }

    /**
     * Returns the names that have a certificate file, at most {@code max} of them.
     *
     * @throws IOException if the directory cannot be read
     */
    public Set<String> names(int max) throws IOException {
        if (!Files.isDirectory(certificates())) {
            return Set.of();
        }
        try (Stream<Path> files = Files.list(certificates())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(CERTIFICATE))
                    .limit(max)
                    .map(file -> name(file.substring(0, file.length() - CERTIFICATE.length())))
                    .collect(Collectors.toSet());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static String fileName(String name) {
        return name.startsWith(WILDCARD) ? WILDCARD_FILE + name.substring(WILDCARD.length()) : name;
    }

    private static String name(String fileName) {
        return fileName.startsWith(WILDCARD_FILE) ? WILDCARD + fileName.substring(WILDCARD_FILE.length()) : fileName;
    }
}
