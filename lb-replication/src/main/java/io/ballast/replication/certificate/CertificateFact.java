package io.ballast.replication.certificate;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;

/**
 * A certificate that the nodes share. Immutable.
 *
 * @param serial the serial number in hexadecimal form
 * @param isRevoked whether it was revoked
 * @param pem the private key and the certificate chain; empty if it was revoked, because no other node needs them
 */
record CertificateFact(String serial, Instant notBefore, Instant notAfter, boolean isRevoked, String pem) {

    private static final int HEX = 16;

    /** The action that makes a node equal to the other nodes. */
    enum Difference {
        /** None: the files of the node are equal to the fact. */
        NONE,
        /** The files of the node must become equal to the fact. */
        INSTALL,
        /** The fact must become equal to the files of the node. */
        PROPOSE
    }

    static CertificateFact of(X509Certificate certificate, boolean isRevoked, String pem) {
        return new CertificateFact(
                certificate.getSerialNumber().toString(HEX),
                certificate.getNotBefore().toInstant(),
                certificate.getNotAfter().toInstant(),
                isRevoked,
                isRevoked ? "" : pem);
    }

    /** @throws IllegalArgumentException if the text has an unknown form */
    static CertificateFact decode(String text) {
        FactDocument document = FactDocument.parse(text);
        return new CertificateFact(
                document.text("serial"),
                document.time("not_before"),
                document.time("not_after"),
                document.text("revoked").equals("true"),
                document.body());
    }

    String encode() {
        return new FactDocument(pem)
                .with("serial", serial)
                .with("not_before", notBefore)
                .with("not_after", notAfter)
                .with("revoked", isRevoked)
                .encode();
    }

    CertificateFact withoutPem() {
        return new CertificateFact(serial, notBefore, notAfter, isRevoked, "");
    }

    boolean isValid(Instant now) {
        return now.isBefore(notAfter);
    }

    boolean hasSerial(CertificateFact other) {
        return serial.equals(other.serial);
    }

    /**
     * Compares the certificate in the files of this node with the fact. The newer certificate wins. Some certificate
     * authorities round the first day of validity, so two certificates can be equally new: then one that is not revoked
     * wins, and otherwise the fact.
     */
    static Difference difference(Optional<CertificateFact> files, CertificateFact fact) {
        if (files.isEmpty()) {
            return Difference.INSTALL;
        }
        CertificateFact own = files.get();
        if (own.hasSerial(fact)) {
            return own.isRevoked == fact.isRevoked
                    ? Difference.NONE
                    : own.isRevoked ? Difference.PROPOSE : Difference.INSTALL;
        }
        int age = own.notBefore.compareTo(fact.notBefore);
        int order = age == 0 ? own.notAfter.compareTo(fact.notAfter) : age;
        boolean isNewer = order > 0 || (order == 0 && fact.isRevoked && !own.isRevoked);
        return isNewer ? Difference.PROPOSE : Difference.INSTALL;
    }
}
