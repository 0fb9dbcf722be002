package io.ballast.core.config;

import java.nio.file.Path;

/**
 * Where a server's certificate and its key are kept, in PEM. The files may be one and the same.
 *
 * @param certificate the server's certificate, then those of its issuers, as far as clients do not have them
 * @param key the private key of the first certificate
 */
public record TlsFiles(Path certificate, Path key) {}
