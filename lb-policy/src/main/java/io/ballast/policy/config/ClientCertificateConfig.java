package io.ballast.policy.config;

import io.ballast.core.Checks;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;

/**
 * Requirements for the verified certificate of a client. A certificate must match one value of each list that is not
 * empty.
 *
 * @param subjects distinguished names in RFC 4514 notation
 * @param dns DNS names of the subject alternative names
 * @param uris URIs of the subject alternative names, such as SPIFFE IDs
 * @param emails mail addresses of the subject alternative names
 * @param fingerprints SHA-256 hashes of certificates, as 64 hexadecimal digits
 * @param required whether requests without a certificate are refused
 * @param header the request header in which the backend receives the certificate's name; empty for none
 * @param forward whether the backend receives the certificate in {@code Client-Cert} (RFC 9440)
 */
public record ClientCertificateConfig(
        List<String> subjects,
        List<String> dns,
        List<String> uris,
        List<String> emails,
        List<String> fingerprints,
        boolean required,
        Optional<String> header,
        boolean forward)
        implements PolicyRule {

    /** The syntax of a fingerprint, as OpenSSL prints it or without colons. */
    public static final String FINGERPRINT = "[0-9A-Fa-f]{2}(:?[0-9A-Fa-f]{2}){31}";

    public ClientCertificateConfig {
        subjects = List.copyOf(subjects);
        dns = dns.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
        uris = List.copyOf(uris);
        emails = List.copyOf(emails);
        fingerprints = fingerprints.stream()
                .map(ClientCertificateConfig::withoutColons)
                .toList();
        subjects.forEach(ClientCertificateConfig::principal);
    }

    /** Creates a configuration that accepts every verified certificate. */
    public static ClientCertificateConfig any() {
        return new ClientCertificateConfig(
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                /* required= */ true,
                /* header= */ Optional.empty(),
                /* forward= */ false);
    }

    private static String withoutColons(String fingerprint) {
        Checks.that(
                fingerprint.matches(FINGERPRINT),
                "fingerprints",
                fingerprint,
                "64 hexadecimal digits; openssl x509 -noout -fingerprint -sha256 -in FILE prints them");
        return fingerprint.replace(":", "").toLowerCase(Locale.ROOT);
    }

    /**
     * Parses a distinguished name.
     *
     * @throws IllegalArgumentException if the name is not in RFC 4514 notation
     */
    public static X500Principal principal(String subject) {
        try {
            return new X500Principal(subject);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "subjects: " + subject + " (expected: a distinguished name such as CN=billing,O=Example)", e);
        }
    }

    @Override
    public String kind() {
        return "client_cert";
    }

    @Override
    public boolean authenticates() {
        return true;
    }
}
