package io.ballast.acme.state;

import io.ballast.core.ErrorText;
import io.ballast.core.config.TlsFiles;
import io.ballast.core.state.StateFile;
import io.ballast.net.tls.PemText;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates of one certificate authority on disk. Files are replaced atomically, and only their owner can read
 * them. Listeners notice a replaced file within a second.
 *
 * <p>Thread safety: one thread at a time for each name.
 */
public final class CertificateStore {

    private static final Logger LOG = LoggerFactory.getLogger(CertificateStore.class);

    private static final int MAX_BYTES = 256 * 1024;
    private static final int HEX = 16;
    private static final String PASSES_ON = "next";

    private final AcmeDirectory directory;

    public CertificateStore(AcmeDirectory directory) {
        this.directory = directory;
    }

    public AcmeDirectory directory() {
        return directory;
    }

    /**
     * Returns the certificate of a name; empty if there is none yet. A file that cannot be used is reported and
     * ignored.
     */
    public Optional<TlsIdentity> read(String name) {
        Optional<TlsIdentity> found = readAny(name);
        return found.filter(identity -> !TemporaryCertificate.isTemporary(identity.certificate()));
    }

    private Optional<TlsIdentity> readAny(String name) {
        TlsFiles files = directory.tlsFiles(name);
        if (!Files.exists(files.certificate())) {
            return Optional.empty();
        }
        try {
            return Optional.of(TlsIdentity.load(files));
        } catch (IOException e) {
            LOG.warn(
                    "name={} msg=\"cannot use the stored certificate; another one is ordered\" reason=\"{}\"",
                    name,
                    ErrorText.of(e));
            return Optional.empty();
        }
    }

    /** Stores a certificate with its key, so that listeners serve it. */
    public void write(String name, TlsIdentity identity) throws IOException {
        Path file = directory.certificate(name);
        try {
            String text = PemText.of(identity.key()) + PemText.of(identity.chain());
            new StateFile(file, MAX_BYTES).replace(text.getBytes(StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot store the certificate " + file + ": " + ErrorText.reason(e), e);
        }
    }

    /**
     * Creates a temporary certificate for a name that has no usable certificate, because a listener cannot open without
     * its file. Clients reject it.
     *
     * @throws IOException if the file cannot be written; the message names it
     */
    public void createTemporary(String name, Instant now) throws IOException {
        if (readAny(name).filter(identity -> isUsable(identity, now)).isEmpty()) {
            try {
                write(name, TemporaryCertificate.of(name, now));
            } catch (IOException e) {
                throw new IOException("cannot write " + directory.certificate(name) + ": " + ErrorText.reason(e), e);
            }
        }
    }

    /** Whether the certificate was issued by a CA, even if it has expired, or is a valid temporary certificate. */
    private static boolean isUsable(TlsIdentity identity, Instant now) {
        return !TemporaryCertificate.isTemporary(identity.certificate())
                || identity.invalidityReason(now).isEmpty();
    }

    /** Returns the failures for a name; none if the file cannot be read. */
    public FailureState failures(String name) {
        try {
            Optional<byte[]> stored = failureFile(name).read();
            if (stored.isEmpty()) {
                return FailureState.NONE;
            }
            String[] words =
                    new String(stored.get(), StandardCharsets.US_ASCII).trim().split(" ", -1);
            if (words.length == 2 || (words.length == 3 && words[2].equals(PASSES_ON))) {
                return new FailureState(Integer.parseInt(words[0]), Instant.parse(words[1]), words.length == 3);
            }
            LOG.warn("file={} msg=\"ignoring a damaged file\"", directory.failures(name));
        } catch (IOException | NumberFormatException | DateTimeException e) {
            LOG.warn(
                    "file={} msg=\"ignoring a file that cannot be read\" reason=\"{}\"",
                    directory.failures(name),
                    ErrorText.of(e));
        }
        return FailureState.NONE;
    }

    /** Stores the failures for a name. */
    public void writeFailures(String name, FailureState failures) throws IOException {
        if (failures.count() == 0) {
            Files.deleteIfExists(directory.failures(name));
            return;
        }
        String next = failures.passesOn() ? " " + PASSES_ON : "";
        String text = failures.count() + " " + failures.retryAt() + next + "\n";
        failureFile(name).replace(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Records that the certificate of a name was revoked, so that a restart still orders a new one. */
    public void writeRevoked(String name, X509Certificate revoked) throws IOException {
        writeRevoked(name, revoked.getSerialNumber().toString(HEX));
    }

    /** @param serial the serial number in hexadecimal form */
    void writeRevoked(String name, String serial) throws IOException {
        new StateFile(directory.revoked(name), MAX_BYTES).replace((serial + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns the serial number that was recorded as revoked, in hexadecimal form. */
    public Optional<String> revokedSerial(String name) throws IOException {
        return new StateFile(directory.revoked(name), MAX_BYTES)
                .read()
                .map(bytes -> new String(bytes, StandardCharsets.US_ASCII).trim());
    }

    /** Returns the content of the certificate file of a name, without a check; empty if there is no file. */
    public Optional<String> text(String name) throws IOException {
        return new StateFile(directory.certificate(name), MAX_BYTES)
                .read()
                .map(bytes -> new String(bytes, StandardCharsets.US_ASCII));
    }

    /** Whether a certificate of a name was recorded as revoked. */
    public boolean isRevoked(String name, X509Certificate certificate) {
        try {
            return revokedSerial(name)
                    .filter(certificate.getSerialNumber().toString(HEX)::equals)
                    .isPresent();
        } catch (IOException e) {
            LOG.warn(
                    "file={} msg=\"ignoring a file that cannot be read\" reason=\"{}\"",
                    directory.revoked(name),
                    ErrorText.of(e));
            return false;
        }
    }

    /** Removes the certificate of a name with its key, if it is stored. */
    public void delete(String name) throws IOException {
        Files.deleteIfExists(directory.certificate(name));
        Files.deleteIfExists(directory.revoked(name));
    }

    private StateFile failureFile(String name) {
        return new StateFile(directory.failures(name), MAX_BYTES);
    }
}
