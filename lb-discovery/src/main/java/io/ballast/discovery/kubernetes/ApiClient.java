package io.ballast.discovery.kubernetes;

import io.ballast.core.ErrorText;
import io.ballast.discovery.remote.HttpFetcher;
import io.ballast.net.fetch.TrustedAuthorities;
import io.ballast.net.tls.CertificateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client for an API server. The server's certificate is verified with a file of CA certificates,
 * which is read again for every request. Confined to one thread.
 */
final class ApiClient {

    private final String name;
    private @Nullable HttpFetcher http;
    private List<X509Certificate> trustedCertificates = List.of();

    /** @param name the name of the client's threads */
    ApiClient(String name) {
        this.name = name;
    }

    /**
     * Returns an HTTP client.
     *
     * @param authorities file with CA certificates; absent for the default CA certificates of Java
     */
    HttpFetcher http(Optional<Path> authorities) throws IOException {
        List<X509Certificate> now = authorities.isPresent() ? CertificateFile.read(authorities.get()) : List.of();
        HttpFetcher last = http;
        if (last != null && now.equals(trustedCertificates)) {
            return last;
        }
        HttpFetcher next = new HttpFetcher(name, now.isEmpty() ? null : tls(now));
        http = next;
        trustedCertificates = now;
        return next;
    }

    private static SSLContext tls(List<X509Certificate> authorities) throws IOException {
        try {
            return TrustedAuthorities.sslContext(authorities);
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot use the CA certificates of the API server: " + ErrorText.of(e), e);
        }
    }
}
