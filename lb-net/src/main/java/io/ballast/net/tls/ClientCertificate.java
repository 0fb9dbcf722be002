package io.ballast.net.tls;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * The verified certificate of a client. Each property is computed at its first use, so that unused properties cost
 * nothing. Confined to the connection's event loop; callers must not modify the arrays.
 */
public final class ClientCertificate {

    private final X509Certificate certificate;
    private byte @Nullable [] subjectText;
    private @Nullable String name;
    private @Nullable List<String> hosts;
    private @Nullable List<String> uris;
    private @Nullable List<String> mailAddresses;
    private @Nullable String fingerprint;
    private byte @Nullable [] headerValue;

    ClientCertificate(X509Certificate certificate) {
        this.certificate = certificate;
    }

    public X500Principal subject() {
        return certificate.getSubjectX500Principal();
    }

    /** The subject as {@link TlsSessionInfo#clientSubject} describes it; empty if it is too long. */
    public byte[] subjectText() {
        byte[] known = subjectText;
        if (known == null) {
            known = TlsSessionInfo.escaped(subject().getName());
            subjectText = known;
        }
        return known;
    }

    /**
     * A name for logs and headers in visible ASCII and spaces: the subject or, if it is empty, the first URI, DNS name
     * or mail address of the subject alternative names, or else the fingerprint.
     */
    public String name() {
        String known = name;
        if (known == null) {
            known = subjectText().length > 0 ? text(subjectText()) : alternativeName();
            name = known;
        }
        return known;
    }

    private String alternativeName() {
        return Stream.of(uris(), hosts(), mailAddresses())
                .flatMap(List::stream)
                .map(each -> text(TlsSessionInfo.escaped(each)))
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElseGet(this::fingerprint);
    }

    private static String text(byte[] ascii) {
        return new String(ascii, StandardCharsets.US_ASCII);
    }

    /** The DNS names of the subject alternative names, in lower case. */
    public List<String> hosts() {
        List<String> known = hosts;
        if (known == null) {
            known = SubjectAltNames.hosts(certificate);
            hosts = known;
        }
        return known;
    }

    /** The URIs of the subject alternative names. */
    public List<String> uris() {
        List<String> known = uris;
        if (known == null) {
            known = SubjectAltNames.uris(certificate);
            uris = known;
        }
        return known;
    }

    /** The mail addresses of the subject alternative names. */
    public List<String> mailAddresses() {
        List<String> known = mailAddresses;
        if (known == null) {
            known = SubjectAltNames.mailAddresses(certificate);
            mailAddresses = known;
        }
        return known;
    }

    /** The SHA-256 of the certificate as 64 hexadecimal digits in lower case. */
    public String fingerprint() {
        String known = fingerprint;
        if (known == null) {
            known = HexFormat.of().formatHex(sha256(encoded()));
            fingerprint = known;
        }
        return known;
    }

    /**
     * The value of a {@code Client-Cert} header
     * (<a href="https://datatracker.ietf.org/doc/html/rfc9440#section-2.1">RFC 9440 section 2.1</a>): the certificate
     * in DER as a byte sequence of RFC 8941.
     */
    public byte[] headerValue() {
        byte[] known = headerValue;
        if (known == null) {
            known = (":" + Base64.getEncoder().encodeToString(encoded()) + ":").getBytes(StandardCharsets.US_ASCII);
            headerValue = known;
        }
        return known;
    }

    private byte[] encoded() {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate of a completed handshake has no encoding", e);
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-256", e);
        }
    }
}
