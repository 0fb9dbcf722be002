package io.ballast.config.keys.http;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.acme.AcmeKeys;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.common.HeaderKeys;
import io.ballast.config.keys.common.TlsKeys;
import io.ballast.core.Checks;
import io.ballast.core.config.TlsFiles;
import io.ballast.net.config.ClientCertificates;
import io.ballast.net.config.Hsts;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TlsProfile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The keys of {@code listeners[].tls}. */
public final class ListenerTlsKeys {

    private static final String HOST_LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
    private static final int MAX_NAME_LENGTH = 253;

    private static final ShapeBuilder<Hsts> HSTS_KEYS = Shape.named(
            "hsts",
            "How long browsers must use TLS for the host (Strict-Transport-Security). The time can be given alone.");
    private static final Key<Duration> MAX_AGE = HSTS_KEYS.required(
            "max_age",
            Durations.SECONDS,
            "how long after the last response browsers must use TLS; whole seconds",
            Hsts::maxAge);
    private static final Key<Boolean> INCLUDE_SUBDOMAINS = HSTS_KEYS.optional(
            "include_subdomains",
            Scalars.BOOLEAN,
            false,
            "whether it also applies to all subdomains",
            Hsts::includeSubdomains);
    private static final Key<Boolean> PRELOAD = HSTS_KEYS.optional(
            "preload",
            Scalars.BOOLEAN,
            false,
            "whether browsers may add the host to their built-in preload list",
            Hsts::preload);

    private static final Type<Hsts> HSTS = new BriefType<>(
            Durations.SECONDS.map(age -> new Hsts(age, false, false), Hsts::maxAge),
            HSTS_KEYS.build(
                    values -> new Hsts(values.get(MAX_AGE), values.get(INCLUDE_SUBDOMAINS), values.get(PRELOAD))),
            /* printsBrief= */ hsts -> false);

    private static final ShapeBuilder<ClientCertificates> CLIENT_KEYS =
            Shape.named("client_certificate", "Client certificates for mutual TLS.");
    private static final Key<Path> CA = CLIENT_KEYS.required(
            "ca",
            TlsKeys.FILE,
            "PEM file with the CA certificates of accepted issuers; reloaded when it changes",
            ClientCertificates::ca);
    private static final Key<ClientCertificates.Mode> MODE = CLIENT_KEYS.optional(
            "mode",
            EnumWords.of(ClientCertificates.Mode.class),
            ClientCertificates.DEFAULT_MODE,
            "required: clients without a certificate are rejected; optional: they are served too",
            ClientCertificates::mode);

    /** The name of a certificate. Certificate authorities issue no certificates for names with a single label. */
    private static final Type<String> CERTIFICATE_NAME = Scalars.matching(
                    "host name or wildcard",
                    "a host name such as shop.example.com, or a wildcard such as *.example.com",
                    "(\\*\\.)?(" + HOST_LABEL + "\\.)+" + HOST_LABEL)
            .map(ListenerTlsKeys::lowerCase, name -> name);

    private static final ShapeBuilder<ListenerTls> KEYS = Shape.named(
            "listener_tls", "TLS settings of a listener. Changed files are reloaded without affecting connections.");

    private static final Key<List<TlsFiles>> CERTIFICATES = KEYS.optional(
            "certificates",
            ListType.atLeastOne(TlsKeys.TLS).unique("certificate", TlsFiles::certificate),
            "several certificates; a client gets the first that is valid for the requested host (SNI) and"
                    + " that it can verify, else the first one; an expired one is served only if no other is valid"
                    + " for the host",
            tls -> Optional.of(tls.certificates()).filter(files -> !files.isEmpty()));
    private static final Key<Path> CERTIFICATE =
            KEYS.shorthand("certificate", TlsKeys.FILE, "the only certificate: " + TlsKeys.ABOUT_CERTIFICATE);
    private static final Key<Path> KEY = KEYS.shorthand("key", TlsKeys.FILE, "with certificate: " + TlsKeys.ABOUT_KEY);
    private static final Key<Path> OCSP =
            KEYS.shorthand("ocsp", TlsKeys.FILE, "with certificate: " + TlsKeys.ABOUT_OCSP);
    private static final Key<List<String>> ACME = KEYS.optional(
            "acme",
            ListType.atLeastOne(CERTIFICATE_NAME).unique("name", name -> name),
            "names whose certificates are ordered and renewed by ACME, one certificate for each name; requires"
                    + " the top-level key acme; instead of certificates",
            HeaderKeys.omitting(List.of(), ListenerTls::acme));
    private static final Key<List<String>> ACME_ISSUERS = KEYS.optional(
            "acme_issuers",
            AcmeKeys.ISSUER_NAMES,
            "names of acme.issuers that issue the certificates of acme, in order of preference; all of them by default",
            HeaderKeys.omitting(List.of(), ListenerTls::acmeIssuers));
    private static final Key<Boolean> ON_DEMAND = KEYS.optional(
            "on_demand",
            Scalars.BOOLEAN,
            false,
            "orders certificates of other names by ACME when a client asks for them, as acme.on_demand permits",
            ListenerTls::onDemand);
    private static final Key<TlsProfile> PROFILE = KEYS.optional(
            "profile",
            EnumWords.of(TlsProfile.class),
            ListenerTls.DEFAULT_PROFILE,
            "Mozilla's profile of TLS versions and ciphers: intermediate (TLS 1.2 and 1.3) or modern (1.3 only)",
            ListenerTls::profile);
    private static final Key<ClientCertificates> CLIENT_CERTIFICATE = KEYS.optional(
            "client_certificate",
            CLIENT_KEYS.build(values -> new ClientCertificates(values.get(CA), values.get(MODE))),
            "requests a certificate from clients (mutual TLS); not requested by default",
            ListenerTls::clientCertificates);
    private static final Key<Hsts> HSTS_KEY = KEYS.optional(
            "hsts", HSTS, "adds Strict-Transport-Security to every response; none by default", ListenerTls::hsts);

    private static final Key<List<String>> ALPN = KEYS.optional(
            "alpn",
            ListType.atLeastOne(MatchKeys.PROTOCOL).unique("protocol", name -> name),
            "protocols offered to clients (ALPN), in order of preference; by default h2 and"
                    + " http/1.1 with protocol http, none with tcp; without h2, HTTP/2 is not offered",
            HeaderKeys.omitting(List.of(), ListenerTls::alpn));

    private static final Key<ListenerTls.PlainHttp> PLAIN_HTTP = KEYS.optional(
            "plain_http",
            EnumWords.of(ListenerTls.PlainHttp.class),
            "response to clients that send HTTP without TLS: a 400 with an explanation (reject, the"
                    + " default), or a redirect to the same address over HTTPS; not with protocol tcp",
            HeaderKeys.omitting(ListenerTls.DEFAULT_PLAIN_HTTP, ListenerTls::plainHttp));

    static {
        KEYS.exactlyOne(CERTIFICATES, CERTIFICATE, ACME);
    }

    public static final Type<ListenerTls> TLS = KEYS.build(ListenerTlsKeys::build);

    /**
     * Placeholder for values that could not be read. The error has been reported, and this value prevents further
     * errors.
     */
    public static final ListenerTls PLACEHOLDER =
            ListenerTls.of(new TlsFiles(Path.of("reported"), Path.of("reported")));

    private ListenerTlsKeys() {}

    private static ListenerTls build(Values values) {
        return new ListenerTls(
                certificates(values),
                values.get(PROFILE),
                values.find(CLIENT_CERTIFICATE),
                values.find(HSTS_KEY),
                values.find(ALPN).orElse(List.of()),
                values.find(PLAIN_HTTP).orElse(ListenerTls.DEFAULT_PLAIN_HTTP),
                values.find(ACME).orElse(List.of()),
                acmeIssuers(values),
                values.get(ON_DEMAND));
    }

    private static String lowerCase(String name) {
        Checks.that(name.length() <= MAX_NAME_LENGTH, "name", name, "at most " + MAX_NAME_LENGTH + " characters");
        return name.toLowerCase(Locale.ROOT);
    }

    private static List<String> acmeIssuers(Values values) {
        if (values.has(ACME_ISSUERS) && !values.has(ACME) && !values.isInvalid(ACME)) {
            values.reading().mismatch(values.node(ACME_ISSUERS), "no such key here without acme");
        }
        return values.find(ACME_ISSUERS).orElse(List.of());
    }

    private static List<TlsFiles> certificates(Values values) {
        if (values.has(ACME)) {
            refuseFileKeys(values, "no such key here: acme stores keys and certificates itself");
            return List.of();
        }
        if (values.has(CERTIFICATES)) {
            refuseFileKeys(values, "no such key here: set it in each entry of certificates");
            return values.get(CERTIFICATES);
        }
        if (!values.has(CERTIFICATE)) {
            return PLACEHOLDER.certificates();
        }
        if (!values.has(KEY) && !values.isInvalid(KEY)) {
            values.reading()
                    .error(
                            values.node(CERTIFICATE),
                            "the key 'key' is missing (expected: the private key of the certificate)");
        }
        Path certificate = values.get(CERTIFICATE);
        return List.of(new TlsFiles(certificate, values.find(KEY).orElse(certificate), values.find(OCSP)));
    }

    private static void refuseFileKeys(Values values, String expected) {
        for (Key<Path> key : List.of(KEY, OCSP)) {
            if (values.has(key)) {
                values.reading().mismatch(values.node(key), expected);
            }
        }
    }
}
