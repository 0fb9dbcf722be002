package io.ballast.config.keys.policy;

import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.policy.config.ClientCertificateConfig;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/** The keys of {@code policies.NAME.client_cert}. */
final class ClientCertificatePolicyKeys {

    private static final ShapeBuilder<ClientCertificateConfig> KEYS = Shape.named(
            "client_cert_policy",
            "Requirements for the client's certificate, which `tls.client_certificate` of the listener verifies. A"
                    + " certificate must match one value of each list that is set; other clients get 403.");

    private static final Type<String> SUBJECT = Scalars.TEXT.map(ClientCertificatePolicyKeys::subject, text -> text);
    private static final Type<List<String>> TEXTS = ListType.of(Scalars.TEXT);

    private static final Key<List<String>> SUBJECTS = KEYS.optional(
            "subjects",
            ListType.of(SUBJECT),
            List.of(),
            "accepted subjects in RFC 4514 notation, such as CN=billing,O=Example; default: any",
            ClientCertificateConfig::subjects);
    private static final Key<List<String>> DNS = KEYS.optional(
            "dns",
            TEXTS,
            List.of(),
            "accepted DNS names of the subject alternative names; default: any",
            ClientCertificateConfig::dns);
    private static final Key<List<String>> URIS = KEYS.optional(
            "uris",
            TEXTS,
            List.of(),
            "accepted URIs of the subject alternative names, such as SPIFFE IDs; default: any",
            ClientCertificateConfig::uris);
    private static final Key<List<String>> EMAILS = KEYS.optional(
            "emails",
            TEXTS,
            List.of(),
            "accepted mail addresses of the subject alternative names; default: any",
            ClientCertificateConfig::emails);
    private static final Key<List<String>> FINGERPRINTS = KEYS.optional(
            "fingerprints",
            ListType.of(Scalars.matching(
                    "SHA-256 fingerprint",
                    "64 hexadecimal digits, with or without colons, as openssl x509 -fingerprint -sha256 prints them",
                    ClientCertificateConfig.FINGERPRINT)),
            List.of(),
            "accepted SHA-256 fingerprints of certificates; default: any",
            ClientCertificateConfig::fingerprints);
    private static final Key<Boolean> REQUIRED = KEYS.optional(
            "required",
            Scalars.BOOLEAN,
            /* fallback= */ true,
            "false: requests without a certificate pass",
            ClientCertificateConfig::required);
    private static final Key<String> HEADER = KEYS.optional(
            "header",
            IdentityHeaders.NAME,
            "request header with the name of the certificate for the backend; removed from requests of clients; default: none",
            ClientCertificateConfig::header);
    private static final Key<Boolean> FORWARD = KEYS.optional(
            "forward",
            Scalars.BOOLEAN,
            /* fallback= */ false,
            "true: the backend receives the certificate in Client-Cert (RFC 9440)",
            ClientCertificateConfig::forward);

    static final Type<ClientCertificateConfig> CLIENT_CERT = KEYS.build(values -> new ClientCertificateConfig(
            values.get(SUBJECTS),
            values.get(DNS),
            values.get(URIS),
            values.get(EMAILS),
            values.get(FINGERPRINTS),
            values.get(REQUIRED),
            values.find(HEADER),
            values.get(FORWARD)));

    private ClientCertificatePolicyKeys() {}

    private static String subject(String text) {
        X500Principal unused = ClientCertificateConfig.principal(text);
        return text;
    }
}
