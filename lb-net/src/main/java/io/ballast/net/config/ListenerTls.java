package io.ballast.net.config;

import io.ballast.core.Checks;
import io.ballast.core.config.TlsFiles;
import java.util.List;
import java.util.Optional;

/**
 * TLS on a listener.
 *
 * @param certificates the certificates; at least one, unless {@code acme} contains names. A client gets the first
 *     certificate that is valid for the requested host (SNI), else the first one
 * @param profile versions, ciphers and groups
 * @param clientCertificates the requirements for client certificates, if any
 * @param hsts the Strict-Transport-Security header, if any
 * @param alpn the offered protocols (RFC 7301), the preferred one first; if empty, HTTP listeners offer their HTTP
 *     versions, and TCP listeners offer none
 * @param plainHttp the treatment of clients that send HTTP without TLS; HTTP listeners only
 * @param acme the names whose certificates are ordered by ACME, in lower case; a name may begin with {@code *.}. Before
 *     the listener opens, {@code certificates} must be set to their files
 * @param acmeIssuers the names of the certificate authorities that issue the certificates of {@code acme}, in order of
 *     preference; if empty, all configured authorities
 * @param onDemand whether certificates of other names are ordered by ACME when a client asks for them
 */
public record ListenerTls(
        List<TlsFiles> certificates,
        TlsProfile profile,
        Optional<ClientCertificates> clientCertificates,
        Optional<Hsts> hsts,
        List<String> alpn,
        PlainHttp plainHttp,
        List<String> acme,
        List<String> acmeIssuers,
        boolean onDemand) {

    /** The treatment of clients that send HTTP without TLS. */
    public enum PlainHttp {
        /** A client without TLS gets 400 with an explanation. */
        REJECT,
        /** A client without TLS is redirected to the same host and port over HTTPS. */
        REDIRECT
    }

    public static final PlainHttp DEFAULT_PLAIN_HTTP = PlainHttp.REJECT;
    public static final TlsProfile DEFAULT_PROFILE = TlsProfile.INTERMEDIATE;

    public ListenerTls {
        certificates = List.copyOf(certificates);
        alpn = List.copyOf(alpn);
        acme = List.copyOf(acme);
        acmeIssuers = List.copyOf(acmeIssuers);
        Checks.that(!certificates.isEmpty() || !acme.isEmpty(), "certificates", "[]", "at least one certificate");
    }

    /** Creates settings without configured ALPN protocols: HTTP listeners offer their HTTP versions. */
    public ListenerTls(
            List<TlsFiles> certificates,
            TlsProfile profile,
            Optional<ClientCertificates> clientCertificates,
            Optional<Hsts> hsts) {
        this(certificates, profile, clientCertificates, hsts, List.of(), DEFAULT_PLAIN_HTTP);
    }

    /** Creates settings whose certificates are all configured as files. */
    public ListenerTls(
            List<TlsFiles> certificates,
            TlsProfile profile,
            Optional<ClientCertificates> clientCertificates,
            Optional<Hsts> hsts,
            List<String> alpn,
            PlainHttp plainHttp) {
        this(
                certificates,
                profile,
                clientCertificates,
                hsts,
                alpn,
                plainHttp,
                /* acme= */ List.of(),
                /* acmeIssuers= */ List.of(),
                /* onDemand= */ false);
    }

    /** Creates settings with one certificate, and defaults for all other settings. */
    public static ListenerTls of(TlsFiles certificate) {
        return new ListenerTls(List.of(certificate), DEFAULT_PROFILE, Optional.empty(), Optional.empty());
    }

    /** Returns a copy that offers {@code others} as its ALPN protocols instead. */
    public ListenerTls withAlpn(List<String> others) {
        return new ListenerTls(
                certificates, profile, clientCertificates, hsts, others, plainHttp, acme, acmeIssuers, onDemand);
    }

    /** Returns a copy with {@code others} as its certificates. */
    public ListenerTls withCertificates(List<TlsFiles> others) {
        return new ListenerTls(others, profile, clientCertificates, hsts, alpn, plainHttp, acme, acmeIssuers, onDemand);
    }
}
