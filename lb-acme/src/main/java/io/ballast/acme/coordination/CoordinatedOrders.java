package io.ballast.acme.coordination;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Receives the notifications and requests of an {@link OrderCoordinator}, for the orders of this process. Thread
 * safety: any thread.
 */
public interface CoordinatedOrders {

    /**
     * Called when the files of a name were replaced or deleted, because another process has ordered or revoked its
     * certificate.
     */
    void filesChanged(String name);

    /**
     * Orders a certificate on demand for another process, within the limits of this process. The permission for the
     * name is not asked for again. Does nothing if a usable certificate is stored already, except for {@code replaced}.
     *
     * @param replaced the serial number of the certificate that must be renewed, in hexadecimal form
     * @return completes normally when the order has ended, with or without a certificate
     */
    CompletableFuture<?> orderOnDemand(String name, Optional<String> replaced);

    /** Called when a request of {@link OrderCoordinator#request} has ended, with or without a certificate. */
    void requestEnded(String name);
}
