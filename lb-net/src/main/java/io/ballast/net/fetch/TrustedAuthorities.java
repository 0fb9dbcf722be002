package io.ballast.net.fetch;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Creates TLS settings of HTTP clients that trust certain authorities. Stateless. */
public final class TrustedAuthorities {

    private TrustedAuthorities() {}

    /**
     * Returns settings that accept a server only if one of the authorities has issued its certificate.
     *
     * @throws GeneralSecurityException if a certificate cannot be used
     */
    public static SSLContext sslContext(Collection<? extends Certificate> authorities) throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        try {
            store.load(/* stream= */ null, /* password= */ null);
        } catch (IOException e) {
            throw new IllegalStateException("an empty store cannot fail to load", e);
        }
        int number = 0;
        for (Certificate authority : authorities) {
            store.setCertificateEntry("authority-" + number++, authority);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(/* km= */ null, trust.getTrustManagers(), /* random= */ null);
        return context;
    }
}
