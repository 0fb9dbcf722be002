package io.ballast.http.h2.backend;

import io.ballast.core.config.BackendProtocol;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import java.net.BindException;

/** Balancers with HTTP/2 backends. */
final class Http2Balancers {

    private Http2Balancers() {}

    /** Returns a setup for these backends with one event loop, so that all clients share connections. */
    static BalancerSetup before(Http2TestBackend... backends) {
        BalancerSetup setup = BalancerSetup.on(TransportKind.NIO).loops(1).protocol(BackendProtocol.H2C);
        for (Http2TestBackend backend : backends) {
            setup.backend(backend.address());
        }
        return setup;
    }

    /** Sends a request with a new client. */
    static RawResponse request(TestBalancer balancer, String request) {
        try (RawClient client = balancer.client()) {
            return client.send(request).read();
        }
    }

    static TestBalancer start(Http2TestBackend... backends) throws BindException {
        return before(backends).start();
    }
}
