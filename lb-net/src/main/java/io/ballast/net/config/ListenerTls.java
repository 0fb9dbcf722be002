package io.ballast.net.config;

import io.ballast.core.Checks;
import io.ballast.core.config.TlsFiles;
import java.util.List;
import java.util.Optional;

/**
 * TLS on a listener.
 *
 * @param certificates whom it can prove to be; at least one. A client gets the first that is made out for the host that it
 *     asks for (SNI), else the first
 * @param profile versions, ciphers and groups
 * @param clientCertificates which clients it serves, if they have to prove themselves
 * @param hsts what browsers are told about the time to come, if anything
 * @param alpn the protocols that may be spoken inside (RFC 7301), the preferred one first; empty for those of HTTP, and for none
 *     where connections are balanced whatever is spoken on them
 * @param plainHttp what happens to clients that send HTTP without TLS; only with HTTP
 */
public record ListenerTls(
        List<TlsFiles> certificates,
        TlsProfile profile,
        Optional<ClientCertificates> clientCertificates,
        Optional<Hsts> hsts,
        List<String> alpn,
        PlainHttp plainHttp) {

    /** What happens to clients that send HTTP without TLS. */
    public enum PlainHttp {
        /** They get 400, with a sentence that says why. */
        REJECT,
        /** They are sent to the same host and port by https. */
        REDIRECT
    }

    public static final PlainHttp DEFAULT_PLAIN_HTTP = PlainHttp.REJECT;
    public static final TlsProfile DEFAULT_PROFILE = TlsProfile.INTERMEDIATE;

    public ListenerTls {
        certificates = List.copyOf(certificates);
        alpn = List.copyOf(alpn);
        Checks.that(!certificates.isEmpty(), "certificates", "[]", "at least one certificate");
    }

    /** One that leaves to HTTP what may be spoken inside. */
    public ListenerTls(
            List<TlsFiles> certificates,
            TlsProfile profile,
            Optional<ClientCertificates> clientCertificates,
            Optional<Hsts> hsts) {
        this(certificates, profile, clientCertificates, hsts, List.of(), DEFAULT_PLAIN_HTTP);
    }

    /** One certificate, and the default of everything else. */
    public static ListenerTls of(TlsFiles certificate) {
        return new ListenerTls(List.of(certificate), DEFAULT_PROFILE, Optional.empty(), Optional.empty());
    }

    /** Returns the same with other protocols that clients are told of. */
    public ListenerTls offering(List<String> others) {
        return new ListenerTls(certificates, profile, clientCertificates, hsts, others, plainHttp);
    }
}
