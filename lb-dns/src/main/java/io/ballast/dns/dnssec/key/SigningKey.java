package io.ballast.dns.dnssec.key;

import io.ballast.core.Checks;
import io.ballast.dns.wire.Wire;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.HexFormat;
import org.xbill.DNS.Name;

/**
 * A combined signing key (flags {@value #FLAGS}) and the records derived from it. The key signs the whole
 * zone including its DNSKEY set. Thread safety: immutable; returned arrays are copies.
 */
public final class SigningKey {

    /**
     * The DNSKEY flags "zone key" and "secure entry point" (<a
     * href="https://datatracker.ietf.org/doc/html/rfc4034#section-2.1.1">RFC 4034 section 2.1.1</a>).
     */
    public static final int FLAGS = 257;

    static final int PROTOCOL = 3;

    /** The DS digest type number of SHA-256. */
    private static final int DS_DIGEST = 2;

    private static final int DNSKEY_FIXED_BYTES = 4;
    private static final int DS_FIXED_BYTES = 4;

    private final KeyAlgorithm algorithm;
    private final PrivateKey privateKey;
    private final byte[] dnskey;
    private final int tag;

    private SigningKey(KeyAlgorithm algorithm, byte[] publicBytes, PrivateKey privateKey) {
        this.algorithm = algorithm;
        this.privateKey = privateKey;
        this.dnskey = new byte[DNSKEY_FIXED_BYTES + publicBytes.length];
        Wire.putU16(dnskey, 0, FLAGS);
        dnskey[2] = PROTOCOL;
        dnskey[3] = (byte) algorithm.number();
        System.arraycopy(publicBytes, 0, dnskey, DNSKEY_FIXED_BYTES, publicBytes.length);
        this.tag = tag(dnskey);
    }

    /** Generates a new key. */
    public static SigningKey generate(KeyAlgorithm algorithm) {
        KeyPair pair = algorithm.generate();
        return new SigningKey(algorithm, algorithm.publicBytes(pair.getPublic()), pair.getPrivate());
    }

    /**
     * Returns the key that consists of this public and this private key.
     *
     * @throws IllegalArgumentException if one of the keys is not valid for the algorithm, or if the keys do not match
     */
    static SigningKey of(KeyAlgorithm algorithm, byte[] publicBytes, byte[] privateBytes) {
        PublicKey publicKey = algorithm.publicKey(publicBytes);
        PrivateKey privateKey = algorithm.privateKey(privateBytes);
        Checks.that(
                match(algorithm, publicKey, privateKey),
                "PrivateKey",
                "does not match",
                "the private key that belongs to the public key");
        return new SigningKey(algorithm, publicBytes, privateKey);
    }

    private static boolean match(KeyAlgorithm algorithm, PublicKey publicKey, PrivateKey privateKey) {
        try {
            Signature signature = Signature.getInstance(algorithm.signatureName());
            signature.initSign(privateKey);
            signature.update(publicKey.getEncoded());
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(publicKey.getEncoded());
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** The key tag (RFC 4034 appendix B). */
    private static int tag(byte[] dnskey) {
        int sum = 0;
        for (int i = 0; i < dnskey.length; i++) {
            sum += (i & 1) == 0 ? Wire.u8(dnskey, i) << 8 : Wire.u8(dnskey, i);
        }
        return (sum + (sum >>> 16)) & 0xffff;
    }

    public KeyAlgorithm algorithm() {
        return algorithm;
    }

    /** The key tag; nearly unique among the keys of a zone. */
    public int tag() {
        return tag;
    }

    public PrivateKey privateKey() {
        return privateKey;
    }

    byte[] publicBytes() {
        byte[] bytes = new byte[dnskey.length - DNSKEY_FIXED_BYTES];
        System.arraycopy(dnskey, DNSKEY_FIXED_BYTES, bytes, 0, bytes.length);
        return bytes;
    }

    /** The RDATA of the DNSKEY and CDNSKEY records. */
    public byte[] dnskey() {
        return dnskey.clone();
    }

    /**
     * The RDATA of the DS and CDS records, with a SHA-256 digest (<a
     * href="https://datatracker.ietf.org/doc/html/rfc4509">RFC 4509</a>).
     *
     * @param zone zone name in lower case and wire format
     */
    public byte[] ds(byte[] zone) {
        byte[] digest = digest(zone);
        byte[] ds = new byte[DS_FIXED_BYTES + digest.length];
        Wire.putU16(ds, 0, tag);
        ds[2] = (byte) algorithm.number();
        ds[3] = DS_DIGEST;
        System.arraycopy(digest, 0, ds, DS_FIXED_BYTES, digest.length);
        return ds;
    }

    /** The digest of the DS record. */
    private byte[] digest(byte[] zone) {
        MessageDigest sha = sha256();
        sha.update(zone);
        return sha.digest(dnskey);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-256", e);
        }
    }

    /** The DS record in zone file format, for a zone name without the final dot. */
    public String dsText(String zone, long ttlSeconds) {
        byte[] ds = ds(Name.fromConstantString(zone + ".").toWireCanonical());
        String digest = HexFormat.of().withUpperCase().formatHex(ds, DS_FIXED_BYTES, ds.length);
        return zone + ". " + ttlSeconds + " IN DS " + tag + " " + algorithm.number() + " " + DS_DIGEST + " " + digest;
    }

    /** Returns the algorithm and the key tag, but no part of the private key. */
    @Override
    public String toString() {
        return algorithm + "/" + tag;
    }
}
