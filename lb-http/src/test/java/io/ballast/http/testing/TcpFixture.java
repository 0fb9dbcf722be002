package io.ballast.http.testing;

import java.net.BindException;

/** A connected client, a balancer and one backend. Closing it performs the checks of {@link TestBalancer#close}. */
public final class TcpFixture implements AutoCloseable {

    private final TestBackend backend;
    private final TestBalancer balancer;
    private final RawClient client;

    private TcpFixture(TestBackend backend, TestBalancer balancer, RawClient client) {
        this.backend = backend;
        this.balancer = balancer;
        this.client = client;
    }

    /** Starts the backend, the balancer and the client. */
    public static TcpFixture start(BalancerSetup setup, Script script) throws BindException {
        TestBackend backend = TestBackend.accepting(script);
        TestBalancer balancer = setup.backend(backend).start();
        return new TcpFixture(backend, balancer, balancer.client());
    }

    public TestBackend backend() {
        return backend;
    }

    public TestBalancer balancer() {
        return balancer;
    }

    public RawClient client() {
        return client;
    }

    @Override
    public void close() {
        try (backend;
                balancer) {
            client.close();
        }
    }
}
