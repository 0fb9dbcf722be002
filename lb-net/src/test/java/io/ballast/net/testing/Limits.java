package io.ballast.net.testing;

import io.ballast.net.config.ClientLimits;

/** Builds client limits for tests. Limits that are not set have their defaults. */
public final class Limits {

    private long bodyBytes = ClientLimits.DEFAULT.bodyBytes();
    private int connectionsPerClient = ClientLimits.DEFAULT.connectionsPerClient();
    private int requestsPerConnection = ClientLimits.DEFAULT.requestsPerConnection();
    private int inFlight = ClientLimits.DEFAULT.inFlight();

    public Limits bodyBytes(long max) {
        bodyBytes = max;
        return this;
    }

    public Limits connectionsPerClient(int max) {
        connectionsPerClient = max;
        return this;
    }

    public Limits requestsPerConnection(int max) {
        requestsPerConnection = max;
        return this;
    }

    public Limits inFlight(int max) {
        inFlight = max;
        return this;
    }

    public ClientLimits build() {
        ClientLimits defaults = ClientLimits.DEFAULT;
        return new ClientLimits(
                defaults.requestLineBytes(),
                defaults.headerBytes(),
                defaults.headBytes(),
                defaults.headers(),
                bodyBytes,
                defaults.connections(),
                connectionsPerClient,
                defaults.ipv6PrefixBits(),
                requestsPerConnection,
                inFlight);
    }
}
