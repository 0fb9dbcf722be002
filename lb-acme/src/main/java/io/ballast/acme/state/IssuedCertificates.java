package io.ballast.acme.state;

import io.ballast.acme.config.AcmeConfig;
import io.ballast.acme.config.AcmeIssuer;
import io.ballast.core.config.TlsFiles;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The certificates of all issuers on disk, and the files that listeners serve. With one issuer, listeners serve its
 * files. With several issuers, each name has one more file with a copy of the certificate that is served, so that a
 * listener does not depend on the issuer.
 *
 * <p>Thread safety: one thread at a time for each name, except that any thread may call {@link #prepare}, {@link
 * #receive} and {@link #receiveRevocation}.
 */
public final class IssuedCertificates {

    /** Guards the served files, which a reload prepares while an order may replace them. */
    private static final Object SERVED_FILES = new Object();

    private final Map<String, CertificateStore> stores = new LinkedHashMap<>();
    private final CertificateStore served;

    /** Creates an object for the certificates of the configured issuers. Opens no files. */
    public IssuedCertificates(Path dataDir, AcmeConfig config) {
        for (AcmeIssuer issuer : config.issuers()) {
            stores.put(issuer.name(), new CertificateStore(new AcmeDirectory(dataDir, issuer)));
        }
        served = new CertificateStore(AcmeDirectory.served(dataDir, config));
    }

    /** The files of one issuer. Throws {@link IllegalArgumentException} if the configuration does not have it. */
    public CertificateStore of(String issuer) {
        CertificateStore store = stores.get(issuer);
        if (store == null) {
            throw new IllegalArgumentException("issuer: " + issuer + " (expected: one of " + stores.keySet() + ")");
        }
        return store;
    }

    /** The files of a name that listeners serve. */
    public TlsFiles tlsFiles(String name) {
        return served.directory().tlsFiles(name);
    }

    /**
     * Returns the certificate of a name that clients accept, the latest one if several issuers have issued
     * certificates.
     */
    public Optional<IssuedCertificate> read(String name, Instant now) {
        Comparator<IssuedCertificate> usable = Comparator.comparing(each -> each.isUsable(now));
        return stores.entrySet().stream()
                .flatMap(each -> read(name, each.getKey(), each.getValue()).stream())
                .max(usable.thenComparing(each -> each.certificate().getNotBefore()));
    }

    private static Optional<IssuedCertificate> read(String name, String issuer, CertificateStore store) {
        return store.read(name)
                .map(TlsIdentity::certificate)
                .map(certificate -> new IssuedCertificate(issuer, certificate, store.isRevoked(name, certificate)));
    }

    /** Stores a certificate with its key, so that listeners serve it. */
    public void write(String name, String issuer, TlsIdentity identity) throws IOException {
        synchronized (SERVED_FILES) {
            of(issuer).write(name, identity);
            if (stores.size() > 1) {
                served.write(name, identity);
            }
        }
    }

    /**
     * Stores a certificate that another process has ordered. Listeners serve it if it is the latest one of all issuers.
     */
    public void receive(String name, String issuer, TlsIdentity identity, Instant now) throws IOException {
        synchronized (SERVED_FILES) {
            of(issuer).write(name, identity);
            serveLatest(name, now);
        }
    }

    /**
     * Records that another process has revoked a certificate.
     *
     * @param serial its serial number in hexadecimal form
     * @param isDeleted whether the files of the certificate are deleted; otherwise it is served until it is replaced
     */
    public void receiveRevocation(String name, String issuer, String serial, boolean isDeleted, Instant now)
            throws IOException {
        synchronized (SERVED_FILES) {
            if (isDeleted) {
                of(issuer).delete(name);
                serveLatest(name, now);
            } else {
                of(issuer).writeRevoked(name, serial);
            }
        }
    }

    private void serveLatest(String name, Instant now) throws IOException {
        Optional<IssuedCertificate> latest = read(name, now);
        if (latest.isPresent()) {
            serve(name, latest.get());
        } else if (stores.size() > 1) {
            served.delete(name);
        }
    }

    /**
     * Rewrites the served file of a name if it contains another certificate than {@code latest}.
     *
     * @param latest the result of {@link #read}
     */
    public void serve(String name, IssuedCertificate latest) throws IOException {
        synchronized (SERVED_FILES) {
            if (stores.size() > 1 && !has(served, name, latest)) {
                Optional<TlsIdentity> stored = of(latest.issuer()).read(name);
                if (stored.isPresent()) {
                    served.write(name, stored.get());
                }
            }
        }
    }

    /**
     * Creates the served file of a name: the stored certificate, or a temporary one that clients reject.
     *
     * @throws IOException if the file cannot be written; the message names it
     */
    public void prepare(String name, Instant now) throws IOException {
        synchronized (SERVED_FILES) {
            Optional<IssuedCertificate> latest = stores.size() == 1 ? Optional.empty() : read(name, now);
            if (latest.isPresent()) {
                serve(name, latest.get());
            } else {
                served.createTemporary(name, now);
            }
        }
    }

    private static boolean has(CertificateStore store, String name, IssuedCertificate wanted) {
        return store.read(name)
                .filter(each -> each.certificate().equals(wanted.certificate()))
                .isPresent();
    }

    /** Removes all certificates of a name with their keys. */
    public void delete(String name) throws IOException {
        synchronized (SERVED_FILES) {
            for (CertificateStore store : stores.values()) {
                store.delete(name);
            }
            served.delete(name);
        }
    }
}
