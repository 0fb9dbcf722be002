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
import javax.net.ssl.SSLContext;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.provider.GenericAcmeProvider;

/** Connects to a directory whose certificate a private CA has issued. Immutable. */
final class PrivateCaProvider extends GenericAcmeProvider {

    private final SSLContext context;

    private PrivateCaProvider(SSLContext context) {
        this.context = context;
    }

    /**
     * Reads the CA certificates.
     *
     * @throws IOException if the file cannot be used; the message names it
     */
    static PrivateCaProvider open(Path trustedCa) throws IOException {
        List<X509Certificate> trusted = CertificateFile.read(trustedCa);
        try {
            return new PrivateCaProvider(TrustedAuthorities.sslContext(trusted));
        } catch (GeneralSecurityException e) {
            throw new IOException(trustedCa + ": " + ErrorText.reason(e), e);
        }
    }

    @Override
    public HttpClient createHttpClient(NetworkSettings settings) {
        return HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(settings.getTimeout())
                .proxy(settings.getProxySelector())
                .sslContext(context)
                .build();
    }
}
