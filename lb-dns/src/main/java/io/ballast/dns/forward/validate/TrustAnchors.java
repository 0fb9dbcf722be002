package io.ballast.dns.forward.validate;

import io.ballast.core.ErrorText;
import io.ballast.core.RegularFile;
import io.ballast.dns.config.forward.DnsValidationConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.xbill.DNS.Master;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/**
 * The keys that are trusted without a signature, and the names below which signatures are not required (negative trust
 * anchors, <a href="https://datatracker.ietf.org/doc/html/rfc7646">RFC 7646</a>). Immutable.
 *
 * @param text DS and DNSKEY records as in a zone file
 * @param negativeTrustAnchors names that need no signatures, each with all names below it
 */
public record TrustAnchors(String text, List<Name> negativeTrustAnchors) {

    /**
     * The trust anchors of the root zone from 2017 and 2024 (<a
     * href="https://data.iana.org/root-anchors/root-anchors.xml">root-anchors.xml</a>).
     */
    private static final String ROOT = """
            . IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D
            . IN DS 38696 8 2 683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16
            """;

    private static final int MAX_BYTES = 1 << 20;

    /**
     * Reads the configured trust anchors.
     *
     * @throws IOException if the file cannot be read or has unexpected contents; the message names the file and
     *     the reason
     */
    public static TrustAnchors of(DnsValidationConfig config) throws IOException {
        String text = config.trustAnchors().isEmpty()
                ? ROOT
                : read(config.trustAnchors().get());
        List<Name> insecure = new ArrayList<>();
        for (String name : config.insecure()) {
            try {
                insecure.add(Name.fromString(name, Name.root).canonicalize());
            } catch (TextParseException e) {
                throw new IOException("dns.forward.dnssec.insecure: " + name + " (expected: a domain name)", e);
            }
        }
        return new TrustAnchors(text, List.copyOf(insecure));
    }

    private static String read(Path file) throws IOException {
        String source = "dns.forward.dnssec.trust_anchors: " + file;
        byte[] bytes;
        try (InputStream in = RegularFile.open(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (IOException e) {
            throw new IOException(source + ": cannot be read: " + ErrorText.reason(e), e);
        }
        if (bytes.length > MAX_BYTES) {
            throw new IOException(source + ": larger than " + MAX_BYTES + " bytes");
        }
        int records = 0;
        try (Master master = new Master(new ByteArrayInputStream(bytes), Name.root, /* ttl= */ 0)) {
            for (Record record = master.nextRecord(); record != null; record = master.nextRecord()) {
                if (record.getType() != Type.DS && record.getType() != Type.DNSKEY) {
                    throw new IOException(Type.string(record.getType()) + " (expected: DS or DNSKEY records)");
                }
                records++;
            }
        } catch (IOException e) {
            throw new IOException(source + ": " + ErrorText.reason(e), e);
        }
        if (records == 0) {
            throw new IOException(source + ": contains no records (expected: DS or DNSKEY records)");
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Returns a string that identifies the trust anchors. */
    public String fingerprint() {
        try {
            byte[] all = (text + negativeTrustAnchors).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(all));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-256", e);
        }
    }

    InputStream stream() {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Whether the name is at or below a negative trust anchor, so that signatures are not required. */
    boolean isInsecure(Name name) {
        for (Name each : negativeTrustAnchors) {
            if (name.subdomain(each)) {
                return true;
            }
        }
        return false;
    }
}
