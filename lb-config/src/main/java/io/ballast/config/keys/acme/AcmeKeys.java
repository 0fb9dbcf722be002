package io.ballast.config.keys.acme;

import io.ballast.acme.config.AcmeChallenge;
import io.ballast.acme.config.AcmeConfig;
import io.ballast.acme.config.AcmeIssuer;
import io.ballast.acme.config.CertificateKeyType;
import io.ballast.acme.config.ExternalAccount;
import io.ballast.acme.config.OnDemandConfig;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.DnsTexts;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.common.HeaderKeys;
import io.ballast.config.yaml.Node;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The keys of {@code acme}. */
public final class AcmeKeys {

    /** A list of names in {@code acme.issuers}. */
    public static final Type<List<String>> ISSUER_NAMES =
            ListType.atLeastOne(AcmeIssuerKeys.ISSUER_NAME).unique("issuer", name -> name);

    private static final ShapeBuilder<OnDemandConfig> ON_DEMAND_KEYS = Shape.named(
            "acme_on_demand",
            "Certificates that are ordered when a client asks for their name (SNI), on listeners with `tls.on_demand`.");
    private static final Key<URI> ASK = ON_DEMAND_KEYS.required(
            "ask",
            Scalars.TEXT.map(AcmeUrls::ask, URI::toString),
            "URL that permits a name: GET with the parameter domain; 200 permits it, any other status refuses it",
            OnDemandConfig::ask);
    private static final Key<Integer> ORDERS_PER_HOUR = ON_DEMAND_KEYS.optional(
            "orders_per_hour",
            Scalars.integer(1, OnDemandConfig.MAX_ORDERS_PER_HOUR),
            OnDemandConfig.DEFAULT_ORDERS_PER_HOUR,
            "maximum number of these orders in any hour; further names get no certificate",
            OnDemandConfig::ordersPerHour);
    private static final Key<List<String>> ON_DEMAND_ISSUERS = ON_DEMAND_KEYS.optional(
            "issuers",
            ISSUER_NAMES,
            "names of acme.issuers that issue these certificates, in order of preference; all of them by default",
            HeaderKeys.omitting(List.of(), OnDemandConfig::issuers));

    private static final ShapeBuilder<AcmeConfig> KEYS = Shape.named(
            "acme",
            "Orders and renews the certificates of listeners with `tls.acme` at a certificate authority (CA), by ACME."
                    + " By configuring `acme`, you agree to the terms of service of the CA.");

    private static final Key<String> EMAIL = KEYS.optional(
            "email", AcmeIssuerKeys.MAIL_ADDRESS, AcmeIssuerKeys.ABOUT_EMAIL, ofOnlyIssuer(AcmeIssuer::email));
    private static final Key<URI> DIRECTORY = KEYS.optional(
            "directory",
            AcmeIssuerKeys.DIRECTORY_URL,
            AcmeIssuer.DEFAULT_DIRECTORY,
            AcmeIssuerKeys.ABOUT_DIRECTORY,
            acme -> acme.issuers().get(0).directory(),
            AcmeKeys::isShort);
    private static final Key<AcmeChallenge> CHALLENGE = KEYS.optional(
            "challenge",
            Scalars.constant(AcmeChallenge.class, AcmeChallenge::type),
            AcmeConfig.DEFAULT_CHALLENGE,
            "how the CA verifies a name: by a request to port 80 (http-01), by a TLS handshake on port 443"
                    + " (tls-alpn-01), or by a TXT record of the zones in dns.zones (dns-01); wildcards need dns-01",
            AcmeConfig::challenge);
    private static final Key<ExternalAccount> EAB = KEYS.optional(
            "eab",
            AcmeIssuerKeys.EXTERNAL_ACCOUNT,
            AcmeIssuerKeys.ABOUT_EAB,
            ofOnlyIssuer(AcmeIssuer::externalAccount));
    private static final Key<CertificateKeyType> KEY_TYPE = KEYS.optional(
            "key_type",
            EnumWords.of(CertificateKeyType.class),
            AcmeConfig.DEFAULT_KEY_TYPE,
            "type of the certificates' keys; applies to the next order of each certificate",
            AcmeConfig::keyType);
    private static final Key<Path> TRUSTED_CA = KEYS.optional(
            "trusted_ca", new FileType(), AcmeIssuerKeys.ABOUT_TRUSTED_CA, ofOnlyIssuer(AcmeIssuer::trustedCa));
    private static final Key<String> PROFILE = KEYS.optional(
            "profile", AcmeIssuerKeys.PROFILE_NAME, AcmeIssuerKeys.ABOUT_PROFILE, ofOnlyIssuer(AcmeIssuer::profile));
    private static final Key<List<AcmeIssuer>> ISSUERS = KEYS.optional(
            "issuers",
            ListType.atLeastOne(AcmeIssuerKeys.ISSUER).unique("issuer", AcmeIssuer::name),
            "several CAs in order of preference, instead of directory, eab, trusted_ca and profile: if one fails, the"
                    + " next one issues the certificate; each renewal begins with the first one",
            acme -> Optional.of(acme.issuers()).filter(issuers -> !isShort(acme)));
    private static final Key<String> CHALLENGE_ZONE = KEYS.optional(
            "challenge_zone",
            DnsTexts.ABSOLUTE,
            "with dns-01: a name in one of dns.zones; names outside these zones need a CNAME record from"
                    + " _acme-challenge.NAME to NAME.CHALLENGE_ZONE; none by default",
            AcmeConfig::challengeZone);

    private static final Key<OnDemandConfig> ON_DEMAND = KEYS.optional(
            "on_demand",
            ON_DEMAND_KEYS.build(values -> new OnDemandConfig(
                    values.get(ASK),
                    values.get(ORDERS_PER_HOUR),
                    values.find(ON_DEMAND_ISSUERS).orElse(List.of()))),
            "orders certificates of further names when clients ask for them; not with dns-01; off by default",
            AcmeConfig::onDemand);

    public static final Type<AcmeConfig> ACME = KEYS.build(values -> new AcmeConfig(
            issuers(values),
            values.get(CHALLENGE),
            values.get(KEY_TYPE),
            values.find(CHALLENGE_ZONE),
            values.find(ON_DEMAND)));

    private AcmeKeys() {}

    /** Whether the keys of the only issuer are directly in {@code acme}, without a list of issuers. */
    private static boolean isShort(AcmeConfig acme) {
        return acme.issuers().size() == 1
                && AcmeIssuerKeys.hasDefaultName(acme.issuers().get(0));
    }

    private static <T> Function<AcmeConfig, Optional<T>> ofOnlyIssuer(Function<AcmeIssuer, Optional<T>> getter) {
        return acme -> isShort(acme) ? getter.apply(acme.issuers().get(0)) : Optional.empty();
    }

    private static List<AcmeIssuer> issuers(Values values) {
        Optional<String> email = values.find(EMAIL);
        if (!values.has(ISSUERS)) {
            URI directory = values.get(DIRECTORY);
            return List.of(new AcmeIssuer(
                    AcmeIssuer.defaultName(directory),
                    directory,
                    email,
                    values.find(EAB),
                    values.find(TRUSTED_CA),
                    values.find(PROFILE)));
        }
        for (Key<?> key : List.of(DIRECTORY, EAB, TRUSTED_CA, PROFILE)) {
            if (values.has(key)) {
                values.reading().mismatch(values.node(key), "no such key here: set it in each entry of issuers");
            }
        }
        return withoutDuplicates(values).stream()
                .map(issuer -> issuer.email().isPresent() ? issuer : issuer.withEmail(email))
                .toList();
    }

    /** Reports each issuer whose state would use the same directory as that of another issuer. */
    private static List<AcmeIssuer> withoutDuplicates(Values values) {
        List<AcmeIssuer> issuers = values.get(ISSUERS);
        List<AcmeIssuer> different = new ArrayList<>();
        Set<String> states = new HashSet<>();
        for (int i = 0; i < issuers.size(); i++) {
            if (states.add(issuers.get(i).stateName())) {
                different.add(issuers.get(i));
            } else {
                // The positions differ if the list has invalid issuers, which are omitted.
                Node place = values.node(ISSUERS) instanceof Node.Sequence all
                                && all.items().size() == issuers.size()
                        ? all.items().get(i)
                        : values.node(ISSUERS);
                values.reading()
                        .error(
                                place,
                                "'" + issuers.get(i).directory()
                                        + "' is the directory of another issuer (expected: a different directory for"
                                        + " each issuer, because it selects the files of the issuer)");
            }
        }
        return different;
    }
}
