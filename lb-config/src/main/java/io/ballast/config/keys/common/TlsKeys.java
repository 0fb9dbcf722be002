package io.ballast.config.keys.common;

import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.core.config.TlsFiles;
import java.nio.file.Path;

/** The keys of {@code tls} for DNS listeners, and of {@code certificates[]} for other listeners. */
public final class TlsKeys {

    private static final ShapeBuilder<TlsFiles> KEYS = Shape.named(
            "tls", "A certificate and its key. Changed files are reloaded, unless the new ones are invalid.");

    public static final Type<Path> FILE = new FileType();

    public static final String ABOUT_CERTIFICATE = "PEM file with the certificate, followed by its issuer certificates";
    public static final String ABOUT_KEY = "PEM file with the private key, without a passphrase";
    public static final String ABOUT_OCSP =
            "DER file with an OCSP response of the issuer, which is stapled to the certificate; none by default";

    private static final Key<Path> CERTIFICATE =
            KEYS.required("certificate", FILE, ABOUT_CERTIFICATE, TlsFiles::certificate);
    private static final Key<Path> KEY = KEYS.required("key", FILE, ABOUT_KEY, TlsFiles::key);
    private static final Key<Path> OCSP = KEYS.optional("ocsp", FILE, ABOUT_OCSP, TlsFiles::ocsp);

    public static final Type<TlsFiles> TLS =
            KEYS.build(values -> new TlsFiles(values.get(CERTIFICATE), values.get(KEY), values.find(OCSP)));

    private TlsKeys() {}
}
