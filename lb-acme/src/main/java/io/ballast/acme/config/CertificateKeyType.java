package io.ballast.acme.config;

/** The types of keys for certificates. */
public enum CertificateKeyType {
    P256("EC", 256),
    P384("EC", 384),
    RSA2048("RSA", 2048),
    RSA4096("RSA", 4096);

    private final String algorithm;
    private final int bits;

    CertificateKeyType(String algorithm, int bits) {
        this.algorithm = algorithm;
        this.bits = bits;
    }

    /** The algorithm of {@link java.security.KeyPairGenerator}. */
    public String algorithm() {
        return algorithm;
    }

    public int bits() {
        return bits;
    }
}
