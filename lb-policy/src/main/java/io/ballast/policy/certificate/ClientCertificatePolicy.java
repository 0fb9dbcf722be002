package io.ballast.policy.certificate;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.policy.Identity;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.net.tls.ClientCertificate;
import io.ballast.policy.config.ClientCertificateConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * Refuses clients by their verified certificates with 403. A client without a certificate gets 403 too, as in Envoy,
 * because no authentication scheme can ask for a certificate in the challenge of a 401. Immutable.
 */
public final class ClientCertificatePolicy implements Policy {

    /** The headers of RFC 9440; this policy sets the first one. */
    private static final List<String> FORWARDED = List.of("Client-Cert", "Client-Cert-Chain");

    private static final Refusal NO_CERTIFICATE =
            new Refusal(403, "no_client_certificate", "a client certificate is required");
    private static final Refusal DENIED = new Refusal(403, "client_certificate_denied", "");

    private final CertificateMatcher matcher;
    private final boolean required;
    private final boolean forwards;
    private final String headerStart;
    private final List<String> requestHeaders = new ArrayList<>();

    public ClientCertificatePolicy(ClientCertificateConfig config) {
        this.matcher = new CertificateMatcher(config);
        this.required = config.required();
        this.forwards = config.forward();
        this.headerStart = config.header().map(name -> name + ": ").orElse("");
        config.header().ifPresent(requestHeaders::add);
        if (forwards) {
            requestHeaders.addAll(FORWARDED);
        }
    }

    @Override
    public Phase phase() {
        return Phase.IDENTITY;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        ClientCertificate certificate = exchange.tls().clientCertificate();
        if (certificate == null) {
            return required ? NO_CERTIFICATE : PolicyDecision.PASS;
        }
        if (!matcher.matches(certificate)) {
            return DENIED;
        }
        exchange.setIdentity(new Identity(certificate.name()));
        ByteAppender lines = exchange.requestLines();
        if (!headerStart.isEmpty()) {
            lines.appendAscii(headerStart);
            lines.appendAscii(certificate.name());
            lines.appendAscii("\r\n");
        }
        if (forwards) {
            lines.appendAscii("Client-Cert: ");
            lines.append(certificate.headerValue());
            lines.appendAscii("\r\n");
        }
        return PolicyDecision.PASS;
    }

    @Override
    public List<String> requestHeaders() {
        return requestHeaders;
    }
}
