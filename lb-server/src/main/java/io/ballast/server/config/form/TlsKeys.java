package io.ballast.server.config.form;

import io.ballast.core.config.TlsFiles;
import io.ballast.server.config.key.FileType;
import io.ballast.server.config.key.Key;
import io.ballast.server.config.key.Shape;
import io.ballast.server.config.key.ShapeBuilder;
import io.ballast.server.config.key.Type;
import java.nio.file.Path;

/** {@code tls}. */
final class TlsKeys {

    private static final ShapeBuilder<TlsFiles> KEYS = Shape.named(
            "tls", "What a listener proves its name with; read again when the files change, unless they are broken.");

    private static final Type<Path> FILE = new FileType();

    private static final Key<Path> CERTIFICATE = KEYS.required(
            "certificate", FILE, "PEM file with the certificate, then those of its issuers", TlsFiles::certificate);
    private static final Key<Path> KEY =
            KEYS.required("key", FILE, "PEM file with the private key, without a passphrase", TlsFiles::key);

    static final Type<TlsFiles> TLS = KEYS.build(values -> new TlsFiles(values.get(CERTIFICATE), values.get(KEY)));

    private TlsKeys() {}
}
