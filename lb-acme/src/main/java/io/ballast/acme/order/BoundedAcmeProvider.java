package io.ballast.acme.order;

import io.ballast.core.ErrorText;
import io.ballast.net.fetch.TrustedAuthorities;
import io.ballast.net.tls.CertificateFile;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.provider.GenericAcmeProvider;

/** Connects to the directory of a CA. Bounds the length and the time of its responses. Immutable. */
final class BoundedAcmeProvider extends GenericAcmeProvider {

    private final Optional<SSLContext> context;

    private BoundedAcmeProvider(Optional<SSLContext> context) {
        this.context = context;
    }

    /**
     * Returns a provider.
     *
     * @param trustedCa the file with the certificates of the CAs that verify the directory; empty for the CAs that the
     *     Java runtime trusts
     * @throws IOException if the file cannot be used; the message names it
     */
    static BoundedAcmeProvider open(Optional<Path> trustedCa) throws IOException {
        return new BoundedAcmeProvider(trustedCa.isEmpty() ? Optional.empty() : Optional.of(context(trustedCa.get())));
    }

    private static SSLContext context(Path trustedCa) throws IOException {
        List<X509Certificate> trusted = CertificateFile.read(trustedCa);
        try {
            return TrustedAuthorities.sslContext(trusted);
        } catch (GeneralSecurityException e) {
            throw new IOException(trustedCa + ": " + ErrorText.reason(e), e);
        }
    }

    @Override
    public HttpClient createHttpClient(NetworkSettings settings) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(settings.getTimeout())
                .proxy(settings.getProxySelector());
        context.ifPresent(builder::sslContext);
        return new BoundedHttpClient(builder.build(), settings.getTimeout());
    }
}
