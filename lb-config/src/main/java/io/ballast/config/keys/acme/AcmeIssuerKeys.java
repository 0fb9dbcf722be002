package io.ballast.config.keys.acme;

import io.ballast.acme.config.AcmeIssuer;
import io.ballast.acme.config.ExternalAccount;
import io.ballast.acme.config.HmacKey;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.SecretType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** The keys of a certificate authority (CA) in {@code acme.issuers}. Some of them are also keys of {@code acme}. */
final class AcmeIssuerKeys {

    private static final ShapeBuilder<ExternalAccount> ACCOUNT_KEYS = Shape.named(
            "acme_eab", "The account at the certificate authority that the ACME account is bound to (EAB).");
    private static final Key<String> KID = ACCOUNT_KEYS.required(
            "kid",
            Scalars.matchingOrNumber("key identifier", "1 to 256 characters of printable ASCII", "[!-~]{1,256}"),
            "identifier of the key, from the certificate authority",
            ExternalAccount::kid);
    private static final Key<HmacKey> HMAC = ACCOUNT_KEYS.required(
            "hmac",
            SecretType.of(
                    "secret in base64url",
                    "base64url of 16 to 512 bytes, as the certificate authority shows it",
                    "[A-Za-z0-9_-]{22,683}",
                    HmacKey::new,
                    HmacKey::base64Url),
            "the key, from the certificate authority",
            ExternalAccount::hmac);

    static final Type<ExternalAccount> EXTERNAL_ACCOUNT =
            ACCOUNT_KEYS.build(values -> new ExternalAccount(values.get(KID), values.get(HMAC)));
    static final Type<String> MAIL_ADDRESS =
            Scalars.matching("mail address", "a mail address such as ops@example.com", "[!-~&&[^@,?]]+@[!-~&&[^@,?]]+");
    static final Type<URI> DIRECTORY_URL = Scalars.TEXT.map(AcmeUrls::directory, URI::toString);
    static final Type<String> PROFILE_NAME =
            Scalars.matching("profile", "1 to 64 letters, digits, '.', '_' or '-'", "[A-Za-z0-9._-]{1,64}");
    static final Type<String> ISSUER_NAME =
            Scalars.matching("issuer", "1 to 64 letters, digits, '.', '_' or '-'", "[A-Za-z0-9._-]{1,64}");

    static final String ABOUT_EMAIL = "contact of the account; none by default";
    static final String ABOUT_DIRECTORY = "URL of the CA's ACME directory; Let's Encrypt by default";
    static final String ABOUT_EAB = "external account binding, if the CA requires one; none by default";
    static final String ABOUT_TRUSTED_CA =
            "PEM file with the CA certificates that verify the connection to the directory, for a private CA;"
                    + " default: those of the Java runtime";
    static final String ABOUT_PROFILE =
            "name of a profile of the CA for its certificates, such as shortlived; the CA chooses it by default";

    private static final ShapeBuilder<AcmeIssuer> KEYS =
            Shape.named("acme_issuer", "A certificate authority (CA), and the account at it.");
    private static final Key<String> NAME = KEYS.optional(
            "name",
            ISSUER_NAME,
            "name in messages and metrics; the host of the directory by default",
            issuer -> Optional.of(issuer.name()).filter(name -> !hasDefaultName(issuer)));
    private static final Key<URI> DIRECTORY = KEYS.optional(
            "directory", DIRECTORY_URL, AcmeIssuer.DEFAULT_DIRECTORY, ABOUT_DIRECTORY, AcmeIssuer::directory);
    private static final Key<String> EMAIL = KEYS.optional(
            "email", MAIL_ADDRESS, "contact of the account; the key email of acme by default", AcmeIssuer::email);
    private static final Key<ExternalAccount> EAB =
            KEYS.optional("eab", EXTERNAL_ACCOUNT, ABOUT_EAB, AcmeIssuer::externalAccount);
    private static final Key<Path> TRUSTED_CA =
            KEYS.optional("trusted_ca", new FileType(), ABOUT_TRUSTED_CA, AcmeIssuer::trustedCa);
    private static final Key<String> PROFILE =
            KEYS.optional("profile", PROFILE_NAME, ABOUT_PROFILE, AcmeIssuer::profile);

    static final Type<AcmeIssuer> ISSUER = KEYS.build(values -> new AcmeIssuer(
            values.find(NAME).orElseGet(() -> AcmeIssuer.defaultName(values.get(DIRECTORY))),
            values.get(DIRECTORY),
            values.find(EMAIL),
            values.find(EAB),
            values.find(TRUSTED_CA),
            values.find(PROFILE)));

    private AcmeIssuerKeys() {}

    static boolean hasDefaultName(AcmeIssuer issuer) {
        return issuer.name().equals(AcmeIssuer.defaultName(issuer.directory()));
    }
}
