package io.ballast.net.tls;

import io.ballast.core.config.TlsFiles;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Finds the certificates of hosts that no configured certificate covers. Thread safety: any thread. */
public interface HostCertificates {

    /** No host has a certificate. */
    HostCertificates NONE = new HostCertificates() {
        @Override
        public CompletableFuture<Optional<TlsFiles>> find(String host) {
            return CompletableFuture.completedFuture(Optional.empty());
        }

        @Override
        public void renewIfDue(String host, X509Certificate certificate) {
            // there is no certificate to renew
        }

        @Override
        public Executor executor() {
            return Runnable::run;
        }
    };

    /**
     * Finds the certificate of a host. Does not block; the caller limits its wait.
     *
     * @param host in lower case, without a final dot; any text that a client sends
     * @return empty if the host gets no certificate now; never fails
     */
    CompletableFuture<Optional<TlsFiles>> find(String host);

    /**
     * Renews a certificate in the background if its renewal is due. Called only if clients have used the certificate
     * since the last call.
     */
    void renewIfDue(String host, X509Certificate certificate);

    /** Returns the executor for tasks that read files; its queue is bounded. */
    Executor executor();
}
