package io.ballast.config.keys.acme;

import io.ballast.acme.config.AcmeChallenge;
import io.ballast.acme.config.AcmeConfig;
import io.ballast.acme.config.CertificateKeyType;
import io.ballast.acme.config.ExternalAccount;
import io.ballast.acme.config.HmacKey;
import io.ballast.acme.config.OnDemandConfig;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.SecretType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.DnsTexts;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.core.Checks;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The keys of {@code acme}. */
public final class AcmeKeys {

    private static final String EXPECTED_URL = "an https:// URL with a host";
    private static final String EXPECTED_ASK_URL = "an http:// or https:// URL with a host";

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

    private static final ShapeBuilder<OnDemandConfig> ON_DEMAND_KEYS = Shape.named(
            "acme_on_demand",
            "Certificates that are ordered when a client asks for their name (SNI), on listeners with `tls.on_demand`.");
    private static final Key<URI> ASK = ON_DEMAND_KEYS.required(
            "ask",
            Scalars.TEXT.map(AcmeKeys::askUrl, URI::toString),
            "URL that permits a name: GET with the parameter domain; 200 permits it, any other status refuses it",
            OnDemandConfig::ask);
    private static final Key<Integer> ORDERS_PER_HOUR = ON_DEMAND_KEYS.optional(
            "orders_per_hour",
            Scalars.integer(1, OnDemandConfig.MAX_ORDERS_PER_HOUR),
            OnDemandConfig.DEFAULT_ORDERS_PER_HOUR,
            "maximum number of these orders in any hour; further names get no certificate",
            OnDemandConfig::ordersPerHour);

    private static final ShapeBuilder<AcmeConfig> KEYS = Shape.named(
            "acme",
            "Orders and renews the certificates of listeners with `tls.acme` at a certificate authority (CA), by ACME."
                    + " The configuration of `acme` agrees to the terms of service of the CA.");

    private static final Key<String> EMAIL = KEYS.optional(
            "email",
            Scalars.matching("mail address", "a mail address such as ops@example.com", "[!-~&&[^@,?]]+@[!-~&&[^@,?]]+"),
            "contact of the account; none by default",
            AcmeConfig::email);
    private static final Key<URI> DIRECTORY = KEYS.optional(
            "directory",
            Scalars.TEXT.map(AcmeKeys::url, URI::toString),
            AcmeConfig.DEFAULT_DIRECTORY,
            "URL of the CA's ACME directory; Let's Encrypt by default",
            AcmeConfig::directory);
    private static final Key<AcmeChallenge> CHALLENGE = KEYS.optional(
            "challenge",
            Scalars.constant(AcmeChallenge.class, AcmeChallenge::type),
            AcmeConfig.DEFAULT_CHALLENGE,
            "how the CA verifies a name: by a request to port 80 (http-01), by a TLS handshake on port 443"
                    + " (tls-alpn-01), or by a TXT record of the zones in dns.zones (dns-01); wildcards need dns-01",
            AcmeConfig::challenge);
    private static final Key<ExternalAccount> EAB = KEYS.optional(
            "eab",
            ACCOUNT_KEYS.build(values -> new ExternalAccount(values.get(KID), values.get(HMAC))),
            "external account binding, if the CA requires one; none by default",
            AcmeConfig::externalAccount);
    private static final Key<CertificateKeyType> KEY_TYPE = KEYS.optional(
            "key_type",
            EnumWords.of(CertificateKeyType.class),
            AcmeConfig.DEFAULT_KEY_TYPE,
            "type of the certificates' keys; applies to the next order of each certificate",
            AcmeConfig::keyType);
    private static final Key<Path> TRUSTED_CA = KEYS.optional(
            "trusted_ca",
            new FileType(),
            "PEM file with the CA certificates that verify the connection to the directory, for a private CA;"
                    + " default: those of the Java runtime",
            AcmeConfig::trustedCa);
    private static final Key<String> CHALLENGE_ZONE = KEYS.optional(
            "challenge_zone",
            DnsTexts.ABSOLUTE,
            "with dns-01: a name in one of dns.zones; names outside these zones need a CNAME record from"
                    + " _acme-challenge.NAME to NAME.CHALLENGE_ZONE; none by default",
            AcmeConfig::challengeZone);

    private static final Key<OnDemandConfig> ON_DEMAND = KEYS.optional(
            "on_demand",
            ON_DEMAND_KEYS.build(values -> new OnDemandConfig(values.get(ASK), values.get(ORDERS_PER_HOUR))),
            "orders certificates of further names when clients ask for them; not with dns-01; off by default",
            AcmeConfig::onDemand);

    public static final Type<AcmeConfig> ACME = KEYS.build(values -> new AcmeConfig(
            values.find(EMAIL),
            values.get(DIRECTORY),
            values.get(CHALLENGE),
            values.find(EAB),
            values.get(KEY_TYPE),
            values.find(TRUSTED_CA),
            values.find(CHALLENGE_ZONE),
            values.find(ON_DEMAND)));

    private AcmeKeys() {}

    private static URI url(String text) {
        return url(text, List.of("https"), EXPECTED_URL);
    }

    private static URI askUrl(String text) {
        return url(text, List.of("http", "https"), EXPECTED_ASK_URL);
    }

    private static URI url(String text, List<String> schemes, String expected) {
        try {
            URI url = new URI(text);
            String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
            boolean isUrl = schemes.contains(scheme) && url.getHost() != null && url.getRawFragment() == null;
            Checks.that(isUrl, "url", text, expected);
            return url;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("url: " + text + " (expected: " + expected + ")", e);
        }
    }
}
